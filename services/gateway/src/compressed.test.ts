import type { Server } from 'node:http';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express from 'express';
import { createDocument } from './compressed';

const TEXT = JSON.stringify({
  words: Array.from({ length: 2_000 }, (_, index) => `word ${index}`),
});

let server: Server;
beforeAll(async () => {
  const app = express().disable('etag');
  app.get('/document', createDocument('json', TEXT));
  await new Promise<void>((listening) => {
    server = app.listen(0, '127.0.0.1', () => listening());
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface Got {
  status: number;
  headers: Record<string, unknown>;
  bytes: Buffer;
}

function get(headers: Record<string, string> = {}): Promise<Got> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/document', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test('a document comes as small as its reader can take it', async () => {
  const [plain, zipped, small] = [
    await get(),
    await get({ 'accept-encoding': 'gzip, br;q=0' }),
    await get({ 'accept-encoding': 'gzip, deflate, br' }),
  ];
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.bytes.toString()).toBe(TEXT);
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(zipped.bytes).toString()).toBe(TEXT);
  expect(small.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(small.bytes).toString()).toBe(TEXT);
  expect(small.bytes.length).toBeLessThan(TEXT.length / 4);
  for (const { headers } of [plain, zipped, small]) expect(headers.vary).toBe('Accept-Encoding');
});

test('a reader who has a document already gets a 304, each encoding by its own tag', async () => {
  const { headers } = await get({ 'accept-encoding': 'br' });
  const again = await get({
    'accept-encoding': 'br',
    'if-none-match': `"other", W/${headers.etag}`,
  });
  expect(again).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
  expect(again.headers.etag).toBe(headers.etag);
  expect((await get({ 'if-none-match': String(headers.etag) })).status).toBe(200);
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
});
