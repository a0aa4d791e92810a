import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, request } from 'undici';
import { type Agents, createAgents } from './agents';

const options = { allowInsecure: true, connections: 2, timeoutMs: 60_000 };
let agents: Agents;
let server: Server;
let url: string;
/** What hangs, and who waits for so many to hang. */
let hung: ServerResponse[];
let hangs: () => void;

beforeEach(async () => {
  hung = [];
  hangs = () => undefined;
  server = createServer((incoming, response) => {
    if (incoming.url !== '/hang') return void response.end();
    hung.push(response);
    hangs();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await agents.destroy();
  server.closeAllConnections();
  server.close();
});

const hanging = (count: number) =>
  new Promise<void>((resolve) => {
    hangs = () => {
      if (hung.length === count) resolve();
    };
    hangs();
  });

async function ask(dispatcher: Dispatcher, path = '/'): Promise<number> {
  const { statusCode, body } = await request(url + path, { dispatcher });
  await body.dump();
  return statusCode;
}

test('what hangs under one name keeps no other name waiting, also at the same host', async () => {
  agents = createAgents({ ...options, kept: 10 });
  const waiting = [1, 2, 3].map(() => ask(agents.of('one'), '/hang'));
  await hanging(2);
  expect(await ask(agents.of('other'))).toBe(200);
  expect(hung).toHaveLength(2);
  for (const response of hung) response.end();
  await hanging(3);
  hung[2]!.end();
  expect(await Promise.all(waiting)).toEqual([200, 200, 200]);
});

test('connections are kept under so many names, and those that were used longest ago go first', async () => {
  agents = createAgents({ ...options, kept: 2 });
  const [one, two] = [agents.of('one'), agents.of('two')];
  expect(agents.of('one')).toBe(one);
  agents.of('three');
  expect([one.closed, two.closed]).toEqual([false, true]);
  expect(agents.of('one')).toBe(one);
  expect(agents.of('two')).not.toBe(two);
});

test('what has something in flight makes room for no other name, and does once it has nothing any more', async () => {
  agents = createAgents({ ...options, kept: 1 });
  const one = agents.of('one');
  const waiting = ask(one, '/hang');
  await hanging(1);
  const two = agents.of('two');
  expect(await ask(two)).toBe(200);
  expect([one.closed, two.closed]).toEqual([false, false]);
  hung[0]!.end();
  expect(await waiting).toBe(200);
  expect(await ask(agents.of('three'))).toBe(200);
  expect([one.closed, two.closed]).toEqual([true, true]);
});

test('closing waits for what is on its way, and what comes later is refused', async () => {
  agents = createAgents({ ...options, kept: 10 });
  const waiting = ask(agents.of('one'), '/hang');
  await hanging(1);
  const closed = agents.close();
  await expect(ask(agents.of('two'))).rejects.toThrow(/closed/);
  hung[0]!.end();
  expect(await waiting).toBe(200);
  await closed;
});

test('destroying cuts off what is on its way, also where that is of more names than are kept', async () => {
  agents = createAgents({ ...options, kept: 1 });
  const waiting = [ask(agents.of('one'), '/hang'), ask(agents.of('two'), '/hang')];
  const ends = Promise.allSettled(waiting);
  await hanging(2);
  await agents.destroy();
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
