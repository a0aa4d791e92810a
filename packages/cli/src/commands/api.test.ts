import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../program';
import { createRecorder } from '../testing/recorder';

const WORKSPACE = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';
/** No text in any encoding of it: a picture begins so. */
const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00, 0xc3]);

let answer: { type: string; body: Buffer };
let asked: { url: string; body: Buffer }[];
let server: Server;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-api-'));
  asked = [];
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    asked.push({ url: request.url!, body: Buffer.concat(pieces) });
    response.writeHead(200, { 'content-type': answer.type }).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  server.closeAllConnections();
  server.close();
});

async function api(parameters: string[], env: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  const signedIn = { LAUREL_URL: `http://127.0.0.1:${port}`, LAUREL_TOKEN: 'a token' };
  const terminal = createRecorder(folder, {
    env: { ...signedIn, LAUREL_WORKSPACE: WORKSPACE, ...env },
  });
  return { code: await run(terminal, ['api', ...parameters]), terminal };
}

test('an answer that is no text is written byte by byte, and a text with its mark', async () => {
  answer = { type: 'image/png', body: BYTES };
  const picture = await api(['distributions.getQr', ID, '--query', 'format=png']);
  expect(picture.terminal.written()).toEqual(BYTES);
  answer = { type: 'text/csv', body: Buffer.from('\uFEFFid\n') };
  const list = await api(['GET', ':ws/clients/export']);
  expect(list.terminal.written()).toEqual(answer.body);
});

test('a file is uploaded as it is, with what is said of it', async () => {
  answer = { type: 'application/json', body: Buffer.from('{}') };
  const file = path.join(folder, 'logo.png');
  writeFileSync(file, BYTES);
  const { code } = await api([
    'files.upload',
    '--data',
    `@${file}`,
    '--field',
    `workspace_id=${ID}`,
  ]);
  expect(code).toBe(0);
  const { body } = asked.at(-1)!;
  expect(body.includes(BYTES)).toBe(true);
  expect(body.toString()).toMatch(/name="file"; filename="logo\.png"/);
  expect(body.toString()).toContain(ID);
  const without = await api(['files.upload', '--data', '{}']);
  expect([without.code, without.terminal.said().err]).toEqual([
    2,
    '✗ files.upload takes a file: --data @file\n',
  ]);
});

test('an operation of a workspace says how one is chosen where none is', async () => {
  const { code, terminal } = await api(['clients.list'], { LAUREL_WORKSPACE: '' });
  expect([code, terminal.said().err]).toEqual([2, expect.stringContaining('run laurel use')]);
  expect(asked).toEqual([]);
});

test('a field is JSON where it reads as such, but for numbers that would lose digits', async () => {
  answer = { type: 'application/json', body: Buffer.from('{}') };
  const fields = [
    'amount=12.50',
    'client_id=x',
    'external_id=9007199254740993',
    'metadata={"a":1}',
  ];
  await api(['points.earn', ...fields.flatMap((field) => ['--field', field])]);
  expect(JSON.parse(asked.at(-1)!.body.toString())).toEqual({
    amount: 12.5,
    client_id: 'x',
    external_id: '9007199254740993',
    metadata: { a: 1 },
  });
});
