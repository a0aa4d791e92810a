import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { runtimeFor } from '../../../deploy/local/lib/runtime.mjs';
import { listenAt } from './http-listen';

const CROWD = 160;
const HOST = '127.0.0.1';

/** A server whose every turn of the loop is long; it tells its port, and how many turns a crowd took to come in. */
const BUSY = `
  const { createServer } = require('node:http');
  const { listenAt } = require(process.argv[1]);
  let turns = 0, seen = 0, first = 0;
  const server = createServer();
  server.maxConnections = 10_000;
  server.on('connection', () => {
    seen += 1;
    if (seen === 1) first = turns;
    if (seen === ${CROWD}) console.log(JSON.stringify({ turns: turns - first }));
  });
  const turn = () => {
    turns += 1;
    const end = Date.now() + 10;
    while (Date.now() < end);
    setImmediate(turn);
  };
  void listenAt(server, 0, '${HOST}').then(({ port }) => {
    console.log(JSON.stringify({ port }));
    turn();
  });`;

test('a crowd that comes at once is heard within a few turns of a loop that is busy', async () => {
  const file = path.join(__dirname, '../dist/http-listen.js');
  const child = spawn(runtimeFor(), ['-e', BUSY, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const crowd: Socket[] = [];
  try {
    const { port } = await next();
    for (let come = 0; come < CROWD; come += 1)
      crowd.push(connect(port, HOST).on('error', () => undefined));
    const { turns } = await next();
    expect(turns).toBeLessThan(CROWD / 2);
  } finally {
    for (const one of crowd) one.destroy();
    // It never rests by itself.
    child.kill('SIGKILL');
  }
});

test('an address that is taken is refused, also where it could be shared', async () => {
  const first = await listenAt(createServer(), 0, HOST);
  await expect(listenAt(createServer(), first.port, HOST)).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await first.close();
});

test('a server is full when all of its listeners together are', async () => {
  const server = createServer((_, response) => response.end());
  server.maxConnections = 3;
  const { port, close } = await listenAt(server, 0, HOST);
  const visitors = Array.from({ length: 6 }, () => connect(port, HOST));
  const ended = visitors.map(
    (visitor) =>
      new Promise<string>((resolve) => {
        visitor.on('error', () => undefined);
        visitor.on('close', () => resolve('closed'));
        visitor.on('data', () => resolve('answered'));
        visitor.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
      }),
  );
  const outcomes = await Promise.all(ended);
  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(3);
  for (const visitor of visitors) visitor.destroy();
  await close();
  expect(server.address() as AddressInfo | null).toBeNull();
});
