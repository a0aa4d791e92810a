import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { platform } from '@laurel/errors';
import { createLogger } from '@laurel/lifecycle';
import express from 'express';
import { uploadedChunks } from '../routes/client-import/upload';
import { readUpload } from '../routes/files/upload';
import { respondWithError } from './errors';

const MIB = 1024 * 1024;
const BOUNDARY = 'laurel';
const logger = createLogger('test', 'silent');

let server: Server;
let port: number;
beforeAll(async () => {
  const app = express();
  app.post('/file', async (request, response) => {
    try {
      const { content, ...rest } = await readUpload(request, async ({ workspace_id }) => {
        if (workspace_id === 'foreign') throw platform.forbidden();
      });
      response.json({ ...rest, size: content.length });
    } catch (error) {
      respondWithError(error, response, logger);
    }
  });
  app.post('/import', async (request, response) => {
    try {
      let size = 0;
      for await (const chunk of uploadedChunks(request, (wait) => wait())) size += chunk.length;
      response.json({ size });
    } catch (error) {
      respondWithError(error, response, logger);
    }
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (content: string, filename = 'a.png') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n${content}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

/** Sends pieces without saying how many they are, until the answer is there; says how much was sent. */
async function sendChunked(
  path: string,
  pieces: Iterable<string>,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
) {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(head);
  let sent = 0;
  for (const piece of pieces) {
    if (isClosed) break;
    sent += piece.length;
    const isTaken = socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    if (!isTaken)
      await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
  }
  // The next request on the connection tells whether it still serves.
  socket.write('0\r\n\r\nPOST /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await closed;
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
  const answers = received.match(/HTTP\/1\.1 \d+/g)?.length ?? 0;
  const isEnded = /\r\nConnection: close\r\n/i.test(received.split('\r\n\r\n')[0]!);
  return { status, received, sent, answers, isEnded };
}

function* endless(piece: string) {
  for (;;) yield piece;
}

test('a file comes with the fields before and after it', async () => {
  const body = [field('workspace_id', 'w'), file('content'), field('note', 'n'), END];
  const { status, received, answers } = await sendChunked('/file', body);
  expect([status, answers]).toEqual([200, 2]);
  expect(received).toContain(
    '{"filename":"a.png","fields":{"workspace_id":"w","note":"n"},"size":7}',
  );
});

test('the name of a file stays as its sender wrote it', async () => {
  const form = new FormData();
  form.set('workspace_id', 'w');
  form.set('file', new Blob(['content']), 'Grüße 日本.png');
  const answer = await fetch(`http://127.0.0.1:${port}/file`, { method: 'POST', body: form });
  expect(await answer.json()).toMatchObject({ filename: 'Grüße 日本.png', size: 7 });
});

test('a file for a workspace of somebody else is refused before it is read, however long it is', async () => {
  function* body() {
    yield field('workspace_id', 'foreign');
    yield file('').slice(0, -2);
    yield* endless('x'.repeat(65_536));
  }
  const { status, sent, isEnded } = await sendChunked('/file', body());
  // Read to its end, it would be 413.
  expect([status, isEnded]).toEqual([403, true]);
  expect(sent).toBeLessThan(40 * MIB);
});

test('fields without end are refused after a few, and not read on for ever', async () => {
  const { status, sent } = await sendChunked('/file', endless(field('a', 'x'.repeat(1_000))));
  expect(status).toBe(400);
  expect(sent).toBeLessThan(40 * MIB);
});

test.each([
  ['a file', () => [file('').slice(0, -2)]],
  ['what stands before the first part', () => ['no boundary here']],
])('%s without end is 413 after 5 MiB, and not read on for ever', async (_name, begin) => {
  function* body() {
    yield* begin();
    yield* endless('x'.repeat(65_536));
  }
  const { status, sent, isEnded } = await sendChunked('/file', body());
  expect([status, isEnded]).toEqual([413, true]);
  expect(sent).toBeLessThan(40 * MIB);
});

test('a file a little over 5 MiB is 413, read by its sender, and the connection is not left in between', async () => {
  const { status, answers, isEnded } = await sendChunked('/file', [
    file('x'.repeat(5 * MIB + 1)),
    END,
  ]);
  expect(status).toBe(413);
  expect(isEnded ? answers === 1 : answers === 2).toBe(true);
});

test('a file of exactly 5 MiB is taken', async () => {
  const { status, answers } = await sendChunked('/file', [file('x'.repeat(5 * MIB)), END]);
  expect([status, answers]).toEqual([200, 2]);
});

test.each([
  ['the value of a field', field('note', 'a\0b'), 'note'],
  ['the name of the file', file('content', 'a\u0007b.png'), 'file'],
  ['a value longer than a field may be', field('note', 'x'.repeat(2_000)), 'note'],
])('%s is refused with its field', async (_name, part, name) => {
  const { status, received, answers } = await sendChunked('/file', [part, file('content'), END]);
  expect(status).toBe(400);
  expect(received).toContain(`"field":"${name}"`);
  expect(answers).toBeGreaterThan(0);
});

test.each([
  ['a part', `multipart/form-data; boundary=${BOUNDARY}`, [file('').slice(0, -2)]],
  ['a body', 'text/csv', ['email\r\n']],
])(
  'an import over 50 MiB, sent as %s, is 413 and the connection says that it ends',
  async (_name, type, begin) => {
    function* body() {
      yield* begin;
      yield* endless('x'.repeat(65_536));
    }
    const { status, isEnded, sent } = await sendChunked('/import', body(), type);
    expect([status, isEnded]).toEqual([413, true]);
    expect(sent).toBeLessThan(90 * MIB);
  },
);

const otherFile = file('content').replace('name="file"', 'name="other"');

// In each of these, what breaks off is a part that is unread, for good or so far.
test.each([
  ['in its file', '/file', file('content')],
  ['in another part', '/file', otherFile],
  ['in a part after its file', '/file', file('content') + otherFile],
  ['before anything', '/import', `--${BOUNDARY}\r\n`],
])('a form that breaks off %s is 400, and the process goes on', async (_name, path, body) => {
  const { status, answers } = await sendChunked(path, [body.slice(0, -2)]);
  expect(status).toBe(400);
  expect(answers).toBeGreaterThan(0);
  const whole = await sendChunked('/file', [file('content'), END]);
  expect(whole.status).toBe(200);
});
