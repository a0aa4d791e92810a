import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@laurel/testing';
import { call, callerFor } from './support/api';
import {
  expectStatus,
  newClient,
  newUser,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';

interface Received {
  headers: IncomingHttpHeaders;
  body: { type: string; workspace_id: string; timestamp: string; data: unknown };
}

let server: Server;
let url: string;
let answer: (response: ServerResponse) => void;
const received: Received[] = [];
let workspace: TestWorkspace;

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body: JSON.parse(text) });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  workspace = await newWorkspace();
});
beforeEach(() => {
  answer = (response) => void response.end();
  received.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/);
const unknownId = randomUUID();

async function register(overrides: object = {}): Promise<{ id: string; secret: string }> {
  const body = { url, event_types: ['*'], ...overrides };
  const reply = expectStatus(await workspace.post(':ws/webhooks', body), 201);
  return { id: reply.body.data.id, secret: reply.body.secret };
}

const deliveriesOf = async (id: string, query = {}) =>
  expectStatus(await workspace.get(`:ws/webhooks/${id}/deliveries`, query), 200).body;

describe('POST :ws/webhooks', () => {
  it('registers an endpoint and shows its secret this once', async () => {
    const reply = await workspace.post(':ws/webhooks', {
      url,
      event_types: ['loyalty.points_earned', 'custom.visit'],
    });
    expectStatus(reply, 201);
    expect(reply.body).toEqual({
      data: {
        id: expect.any(String),
        workspace_id: workspace.workspaceId,
        url,
        event_types: ['loyalty.points_earned', 'custom.visit'],
        description: null,
        active: true,
        disabled_at: null,
        disabled_reason: null,
        failing_since: null,
        date_created: TIMESTAMP,
        date_updated: TIMESTAMP,
      },
      secret: SECRET,
    });
    const read = await workspace.get(`:ws/webhooks/${reply.body.data.id}`);
    expect(read.body).toEqual({ data: reply.body.data });
    const list = await workspace.get(':ws/webhooks');
    expect(list.status).toBe(200);
    expect(list.body.data).toContainEqual(reply.body.data);
    expect(list.text).not.toContain('whsec_');
  });

  it.each([
    {},
    { event_types: ['*'] },
    { url: 'https://example.com/' },
    { url: 'http://example.com/', event_types: ['*'] },
    { url: 'https://10.0.0.1/', event_types: ['*'] },
    { url: 'https://169.254.169.254/', event_types: ['*'] },
    { url: 'https://[::ffff:a9fe:a9fe]/', event_types: ['*'] },
    { url: 'https://user:pass@example.com/', event_types: ['*'] },
    { url: 'ftp://example.com/', event_types: ['*'] },
    { url: 'https://example.com/', event_types: [] },
    { url: 'https://example.com/', event_types: ['no_such_event'] },
    { url: 'https://example.com/', event_types: '*' },
    { url: 'https://example.com/', event_types: ['*'], active: 'yes' },
    { url: 'https://example.com/', event_types: ['*'], colour: 'blue' },
  ])('refuses %j in the form of its surface', async (body) => {
    const reply = await workspace.post(':ws/webhooks', body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({
      code: 'INVALID_PAYLOAD',
      message: expect.any(String),
    });
    expect(reply.body.errors).toBeUndefined();
  });

  it('is for members with a token only', async () => {
    const body = { url, event_types: ['*'] };
    const path = `/workspace/${workspace.workspaceId}/webhooks`;
    expect((await call('POST', path, { body })).status).toBe(403);
    expect((await call('POST', path, { body, token: 'nonsense' })).status).toBe(401);
    const stranger = await newUser();
    const refused = await callerFor(stranger.token, workspace.workspaceId).post(
      ':ws/webhooks',
      body,
    );
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe(':ws/webhooks/:id', () => {
  it('changes what is given and leaves the rest', async () => {
    const { id } = await register({ description: 'till' });
    const reply = await workspace.patch(`:ws/webhooks/${id}`, {
      event_types: ['custom.*'],
      active: false,
    });
    expectStatus(reply, 200);
    expect(reply.body.data).toMatchObject({
      id,
      url,
      description: 'till',
      event_types: ['custom.*'],
      active: false,
    });
    const cleared = await workspace.patch(`:ws/webhooks/${id}`, {
      description: null,
      active: true,
    });
    expect(cleared.body.data).toMatchObject({ description: null, active: true });
    expect((await workspace.patch(`:ws/webhooks/${id}`, { url: 'http://10.0.0.1/' })).status).toBe(
      400,
    );
  });

  it('is gone once deleted', async () => {
    const { id } = await register();
    const reply = await workspace.del(`:ws/webhooks/${id}`);
    expectStatus(reply, 200);
    expect(reply.body).toEqual({ message: expect.any(String) });
    expect((await workspace.get(`:ws/webhooks/${id}`)).status).toBe(404);
    expect((await workspace.del(`:ws/webhooks/${id}`)).status).toBe(404);
  });

  it('is the same 404 when it does not exist and when it is another workspace’s', async () => {
    const { id } = await register();
    const other = await newWorkspace();
    const ranges = { from_date: '2026-01-01', to_date: '2026-01-02' };
    for (const [caller, webhookId] of [
      [workspace, unknownId],
      [other, id],
    ] as const) {
      const base = `:ws/webhooks/${webhookId}`;
      const replies = await Promise.all([
        caller.get(base),
        caller.patch(base, { active: false }),
        caller.del(base),
        caller.post(`${base}/rotate-secret`),
        caller.post(`${base}/test`),
        caller.get(`${base}/deliveries`),
        caller.post(`${base}/deliveries/${unknownId}/retry`),
        caller.post(`${base}/replay`, ranges),
      ]);
      for (const { status, body } of replies) {
        expect(status).toBe(404);
        expect(body).toEqual({ error: { code: 'not_found', message: expect.any(String) } });
      }
    }
    expect((await workspace.get(`:ws/webhooks/${id}`)).body.data.active).toBe(true);
    expect((await workspace.get(':ws/webhooks/not-a-uuid')).status).toBe(400);
    // It would hear of whatever later tests count.
    await workspace.del(`:ws/webhooks/${id}`);
  });
});

describe('secrets and tests', () => {
  it('rotates a secret: both sign', async () => {
    const { id, secret } = await register();
    const reply = expectStatus(await workspace.post(`:ws/webhooks/${id}/rotate-secret`), 200);
    expect(reply.body).toEqual({ data: expect.objectContaining({ id }), secret: SECRET });
    expect(reply.body.secret).not.toBe(secret);
    expectStatus(await workspace.post(`:ws/webhooks/${id}/test`), 200);
    const { headers } = await until(() => received[0]);
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    await workspace.del(`:ws/webhooks/${id}`);
  });

  it('sends webhook.test and tells what came of it', async () => {
    const { id } = await register({ active: false });
    answer = (response) => void response.writeHead(503).end();
    const reply = expectStatus(await workspace.post(`:ws/webhooks/${id}/test`), 200);
    expect(reply.body).toEqual({
      data: { status_code: 503, duration_ms: expect.any(Number), error: expect.any(String) },
    });
    expect(received[0]!.body).toMatchObject({
      type: 'webhook.test',
      workspace_id: workspace.workspaceId,
    });
    await workspace.patch(`:ws/webhooks/${id}`, { url: 'http://127.0.0.1:1/' });
    const refused = expectStatus(await workspace.post(`:ws/webhooks/${id}/test`), 200);
    expect(refused.body.data).toMatchObject({ status_code: null, error: expect.any(String) });
  });
});

describe('deliveries', () => {
  it('tells of a client, logs it, sends it again on request and in a replay', async () => {
    const begunOn = new Date().toISOString().slice(0, 10);
    const { id } = await register({ event_types: ['client.created'] });
    const client = await newClient(workspace);
    const first = await until(() => received[0]);
    expect(first.body).toEqual({
      type: 'client.created',
      timestamp: TIMESTAMP,
      data: expect.objectContaining({ client_id: client.id }),
      workspace_id: workspace.workspaceId,
    });
    const [delivery] = await until(async () => {
      const { data } = await deliveriesOf(id);
      return data[0]?.status === 'delivered' && data;
    });
    expect(delivery).toEqual({
      id: expect.any(String),
      event_id: first.headers['webhook-id'],
      event_type: 'client.created',
      attempts: 1,
      status: 'delivered',
      response_status: 200,
      last_error: null,
      next_attempt_at: null,
      delivered_at: TIMESTAMP,
      reason: null,
    });
    const retried = await workspace.post(`:ws/webhooks/${id}/deliveries/${delivery.id}/retry`);
    expect(retried.status).toBe(202);
    const same = () =>
      received.filter(({ headers }) => headers['webhook-id'] === first.headers['webhook-id']);
    await until(() => same().length === 2);
    const replay = await workspace.post(`:ws/webhooks/${id}/replay`, {
      from_date: begunOn,
      to_date: new Date().toISOString().slice(0, 10),
    });
    expect(replay.status).toBe(202);
    await until(() => same().length === 3);
    expect((await deliveriesOf(id, { status: 'failed' })).data).toEqual([]);
    expect((await deliveriesOf(id, { event_type: 'client.updated' })).data).toEqual([]);
    await workspace.del(`:ws/webhooks/${id}`);
  });

  it('refuses filters and ranges that make no sense', async () => {
    const { id } = await register({ event_types: ['custom.*'] });
    const queries: Record<string, string | number>[] = [
      { status: 'lost' },
      { limit: 0 },
      { limit: 'many' },
      { cursor: 'made-up' },
      { page: 2 },
    ];
    for (const query of queries) {
      const reply = await workspace.get(`:ws/webhooks/${id}/deliveries`, query);
      expect([query, reply.status]).toEqual([query, 400]);
    }
    for (const body of [
      {},
      { from_date: '2026-01-02' },
      { from_date: '2026-01-02', to_date: '2026-01-01' },
      { from_date: 'yesterday', to_date: '2026-01-01' },
    ]) {
      const reply = await workspace.post(`:ws/webhooks/${id}/replay`, body);
      expect([body, reply.status]).toEqual([body, 400]);
    }
    const unknown = await workspace.post(`:ws/webhooks/${id}/deliveries/${unknownId}/retry`);
    expect(unknown.body).toEqual({ error: { code: 'not_found', message: expect.any(String) } });
  });
});

describe('proofs', () => {
  it('show of a delivery what was sent, what was answered and every attempt', async () => {
    answer = (response) => void response.writeHead(200).end('thank you');
    const { data: webhook } = expectStatus(
      await workspace.post(':ws/webhooks', { url, event_types: ['client.created'] }),
      201,
    ).body;
    const client = await newClient(workspace);
    const deliveries = `:ws/webhooks/${webhook.id}/deliveries`;
    const delivery = await until(async () => {
      const { data } = (await workspace.get(deliveries)).body;
      return data[0]?.status === 'delivered' && data[0];
    });
    const { body } = expectStatus(await workspace.get(`${deliveries}/${delivery.id}`), 200);
    expect(body.data).toMatchObject({
      id: delivery.id,
      status: 'delivered',
      attempt_count: 1,
      payload: { type: 'client.created', data: { client_id: client.id } },
      response: 'thank you',
      attempts: [{ at: TIMESTAMP, response_status: 200, response: 'thank you', error: null }],
    });
    expectStatus(await workspace.post(`${deliveries}/${delivery.id}/retry`), 202);
    await until(async () => {
      const { data } = (await workspace.get(`${deliveries}/${delivery.id}`)).body;
      return data.attempts.length === 2;
    });
    const unknown = await workspace.get(`${deliveries}/${unknownId}`);
    expect({ status: unknown.status, code: unknown.body.error.code }).toEqual({
      status: 404,
      code: 'not_found',
    });
    expectStatus(await workspace.del(`:ws/webhooks/${webhook.id}`), 200);
  });

  it('name what webhooks and rules can listen to', async () => {
    const { data } = expectStatus(await workspace.get(':ws/event-types'), 200).body;
    const byType = new Map(data.map((row: { type: string }) => [row.type, row]));
    expect(byType.size).toBe(data.length);
    for (const [type, rule_trigger] of [
      ['transaction.purchase', true],
      ['custom.*', true],
      ['reward_redeemed', true],
      ['referral_completed', true],
      ['field_change', true],
      ['client.created', false],
    ]) {
      expect(byType.get(type)).toEqual({
        type,
        description: expect.any(String),
        webhook: true,
        rule_trigger,
      });
    }
    for (const { type } of data) {
      if (type === 'webhook.test') continue;
      const event_types = [type.replace('*', 'anything')];
      const made = expectStatus(await workspace.post(':ws/webhooks', { url, event_types }), 201);
      expectStatus(await workspace.del(`:ws/webhooks/${made.body.data.id}`), 200);
    }
  });
});
