import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAgents } from '@laurel/outbound';
import { until } from '@laurel/testing';
import { createRest } from './rest';

const PATIENCE_MS = 30_000;
const settings = { allowInsecure: true, timeoutMs: PATIENCE_MS };
const agents = createAgents({ ...settings, connections: 2, kept: 10 });
const servers: Server[] = [];
const restOf = createRest({ ...settings, agents });
const own = { workspaceId: 'a', provider: 'pos' };
const rest = restOf(own);

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const answering = (body: string) =>
  serve((_, response) => void response.writeHead(200, { 'retry-after': '7' }).end(body));

afterAll(async () => {
  await agents.destroy();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

it('reads an answer as JSON where there is room for it, and only there', async () => {
  const url = await answering('{"id":1}');
  const answer = { status: 200, error: null, retryAfterMs: 7_000 };
  expect(await rest({ method: 'GET', url, jsonBytesMax: 8 })).toEqual({
    ...answer,
    json: { id: 1 },
  });
  expect(await rest({ method: 'GET', url, jsonBytesMax: 7 })).toEqual({
    ...answer,
    isTooLarge: true,
  });
  expect(await rest({ method: 'PUT', url, body: { id: 1 } })).toEqual(answer);
});

it('has no JSON of an answer that is none, or of a refusal', async () => {
  const call = { method: 'GET', jsonBytesMax: 1_000 } as const;
  expect(await rest({ ...call, url: await answering('<html>') })).not.toHaveProperty('json');
  const refusing = await serve((_, response) => void response.writeHead(400).end('{"id":1}'));
  expect(await rest({ ...call, url: refusing })).toEqual({
    status: 400,
    error: 'answered 400',
    retryAfterMs: null,
  });
});

it('does not wait for the end of an answer that it does not look at', async () => {
  const unended: ServerResponse[] = [];
  const url = await serve((_, response) => {
    unended.push(response);
    response.writeHead(200);
    response.write('{');
  });
  const hurried = createRest({ ...settings, agents, timeoutMs: 10_000 })(own);
  expect(await hurried({ method: 'DELETE', url })).toMatchObject({ status: 200, error: null });
  for (const response of unended) response.end();
});

it('asks for one integration while all that another may have in flight hangs at the same host', async () => {
  const hung: ServerResponse[] = [];
  const url = await serve((request, response) => {
    if (request.url === '/b') response.end();
    else hung.push(response);
  });
  const hanging = ['/1', '/2', '/3'].map((path) =>
    rest({ method: 'GET', url: url + path.slice(1) }),
  );
  await until(() => hung.length === 2);
  for (const other of [
    { ...own, workspaceId: 'b' },
    { ...own, provider: 'crm_sync' },
  ])
    expect(await restOf(other)({ method: 'GET', url: `${url}b` })).toMatchObject({ status: 200 });
  expect(hung).toHaveLength(2);
  for (const response of hung) response.end();
  await until(() => hung.length === 3);
  hung[2]!.end();
  for (const answer of await Promise.all(hanging)) expect(answer).toMatchObject({ status: 200 });
});
