import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createLogger } from '@laurel/lifecycle';
import request from 'supertest';
import { createApp } from '../app';
import type { RpcClients } from '../rpc-clients';
import type { ServeDependencies } from '../serve';
import { readFiles } from './assets';
import { docsPlace } from './places';
import { createStaticSite } from './site';

const logger = createLogger('test', 'silent');
const PAGE = `<!doctype html><html lang="en"><title>Words</title><p>${'word '.repeat(200)}</p></html>`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'site-'));
  mkdirSync(path.join(folder, 'api'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Start</title>');
  writeFileSync(path.join(folder, 'api/points.html'), PAGE);
  writeFileSync(path.join(folder, 'api/points.html.br'), brotliCompressSync(PAGE));
  writeFileSync(path.join(folder, 'api/points.html.gz'), gzipSync(PAGE));
  writeFileSync(path.join(folder, 'api/points.md'), '# Points');
  writeFileSync(path.join(folder, 'assets/main-1a.js'), 'start()');
  writeFileSync(path.join(folder, 'llms.txt'), '# Pages');
});
afterAll(() => rmSync(folder, { recursive: true }));

function site() {
  const pages = createStaticSite(docsPlace, readFiles(folder), logger);
  const limits = { consume: async () => undefined };
  const dependencies = { logger, limits, rpc: {} as RpcClients } as unknown as ServeDependencies;
  return request(
    createApp({ routes: [], pages, settings: { trustProxy: '0', corsOrigins: '*' } }, dependencies),
  );
}

test.each([
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/', 'text/html; charset=utf-8'],
  ['/docs/api/points', 'text/html; charset=utf-8'],
  ['/docs/api/points.md', 'text/markdown; charset=utf-8'],
  ['/docs/assets/main-1a.js', 'text/javascript; charset=utf-8'],
  ['/docs/llms.txt', 'text/plain; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
])('a file of a site stands at its address: %s is %s', async (at, type) => {
  const { status, headers } = await site().get(at);
  expect([status, headers['content-type']]).toEqual([200, type]);
});

test.each(['/docs/api', '/docs/index', '/docs/words', '/docs/api/points.html.br', '/docs/..%2Fx'])(
  'what is no page of a site is not found: %s',
  async (at) => {
    expect((await site().get(at)).status).toBe(404);
  },
);

test('a page runs what the gateway serves and nothing else, and no site frames it', async () => {
  const { headers } = await site().get('/docs/api/points');
  const policy = headers['content-security-policy']!;
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"])
    expect(policy).toContain(part);
  expect(policy).not.toContain('unsafe');
});

test('a page comes packed, and not again to a browser that has it', async () => {
  const first = await site().get('/docs/api/points').set('Accept-Encoding', 'gzip');
  expect([first.headers['content-encoding'], first.text]).toEqual(['gzip', PAGE]);
  expect(first.headers['cache-control']).toBe('no-cache');
  const etag = first.headers.etag!;
  const ask = (encoding: string) =>
    site().get('/docs/api/points').set('If-None-Match', etag).set('Accept-Encoding', encoding);
  expect((await ask('gzip')).status).toBe(304);
  // Other bytes are another representation.
  expect((await ask('identity')).status).toBe(200);
});

test('a page is read, not written', async () => {
  const { status, headers } = await site().post('/docs').send({});
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});
