import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { call, callerFor, type Reply } from './support/api';
import {
  expectStatus,
  newClient,
  newMember,
  newUser,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { type OutsideSystem, openOutsideSystem } from './support/outside-system';
import { newPass } from './support/passes';

const MAPPING = {
  event_category: '"transaction"',
  event_type: '"purchase"',
  email: 'body.customer.email',
  amount: 'body.total',
  currency: '"EUR"',
  external_id: 'body.id',
};
const INTEGRATION_KEYS = [
  'config',
  'date_created',
  'date_updated',
  'enabled_inbound',
  'enabled_outbound',
  'id',
  'inbox_id',
  'inbox_ingest_url',
  'last_error',
  'last_synced_at',
  'provider',
  'secrets_meta',
  'workspace_id',
];
type Problem = { extensions: { field: string } };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let workspace: TestWorkspace;
let outside: OutsideSystem;

beforeEach(async () => {
  workspace = await newWorkspace();
  outside = await openOutsideSystem();
});
afterEach(() => outside.close());

const path = (provider: string, rest = '') => `:ws/integrations/${provider}${rest}`;

async function configure(provider: string, body: object) {
  return expectStatus(await workspace.put(path(provider), body), 200).body;
}

async function refusal(reply: Promise<Reply>, status: number): Promise<Reply['body']> {
  const { status: got, body } = await reply;
  expect({ status: got, body }).toMatchObject({ status });
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  return body.error;
}

async function openInbox(mapping: object = MAPPING): Promise<(body: unknown) => Promise<Reply>> {
  const { data, token } = await configure('webhook_inbox', {
    enabled_inbound: true,
    config: { mapping },
  });
  return (body) => call('POST', `!/inbox/${data.inbox_id}/${token}`, { body });
}

const health = async (provider = 'webhook_inbox') =>
  (await workspace.get(path(provider, '/health'))).body.data;

describe('GET :ws/integrations', () => {
  it('names the providers there are and shows what is configured', async () => {
    const empty = expectStatus(await workspace.get(':ws/integrations'), 200).body;
    expect(empty).toEqual({ data: [], available_providers: expect.any(Array) });
    expect([...empty.available_providers].sort()).toEqual(['crm_sync', 'pos', 'webhook_inbox']);
    await configure('crm_sync', {});
    const { body } = await workspace.get(':ws/integrations');
    expect(body.data).toHaveLength(1);
    expect(Object.keys(body.data[0]).sort()).toEqual(INTEGRATION_KEYS);
  });

  it('is for members', async () => {
    const url = `/workspace/${workspace.workspaceId}/integrations`;
    expect((await refusal(call('GET', url), 403)).code).toBe('FORBIDDEN');
    expect((await refusal(call('GET', url, { token: 'nonsense' }), 401)).code).toBe(
      'INVALID_TOKEN',
    );
    const stranger = await newUser();
    const outsider = callerFor(stranger.token, workspace.workspaceId);
    expect((await refusal(outsider.put(path('pos'), {}), 403)).code).toBe('FORBIDDEN');
    const member = await newMember(workspace);
    expect((await member.put(path('pos'), {})).status).toBe(200);
  });
});

describe('an integration that is not there', () => {
  it('is not_found in the form of this surface', async () => {
    for (const provider of ['pos', 'shopify']) {
      expect((await refusal(workspace.get(path(provider)), 404)).code).toBe('not_found');
      expect((await refusal(workspace.del(path(provider)), 404)).code).toBe('not_found');
      expect((await refusal(workspace.get(path(provider, '/health')), 404)).code).toBe('not_found');
      const job = path(provider, `/import-jobs/${randomUUID()}`);
      expect((await refusal(workspace.get(job), 404)).code).toBe('not_found');
    }
    expect((await refusal(workspace.put(path('shopify'), {}), 404)).code).toBe('not_found');
    expect((await refusal(workspace.post(path('pos', '/provision-inbox')), 404)).code).toBe(
      'not_found',
    );
    expect((await refusal(workspace.get(path('pos', '/import-jobs/nonsense')), 400)).code).toBe(
      'INVALID_PAYLOAD',
    );
  });
});

describe('PUT :ws/integrations/:provider', () => {
  it('merges configuration key by key, and null takes a key away', async () => {
    await configure('pos', { config: { base_url: outside.url, location_ids: [1, 2] } });
    const { data } = await configure('pos', { config: { default_location_id: 2 } });
    expect(data.config).toEqual({
      base_url: outside.url,
      location_ids: [1, 2],
      default_location_id: 2,
    });
    const { data: without } = await configure('pos', { config: { default_location_id: null } });
    expect(without.config).toEqual({ base_url: outside.url, location_ids: [1, 2] });
    expect(data).toMatchObject({
      enabled_inbound: false,
      enabled_outbound: false,
      inbox_id: null,
      inbox_ingest_url: null,
    });
    expect(data.date_created).toMatch(ISO);
  });

  it('refuses what the merged configuration does not allow, and changes nothing', async () => {
    await configure('pos', { config: { location_ids: [1, 2] } });
    const refused = [
      [{ config: { colour: 'red' } }, 'config.colour'],
      [{ config: { location_ids: ['1'] } }, 'config.location_ids.0'],
      [{ config: { default_location_id: 9 } }, 'config.default_location_id'],
      [{ config: { base_url: 'http://pos.example.com' } }, 'config.base_url'],
      [{ config: { base_url: 'https://10.0.0.1' } }, 'config.base_url'],
      [{ secrets: { password: 'x' } }, 'secrets.password'],
      [{ enabled_inbound: 'yes' }, 'enabled_inbound'],
      [{ colour: 'red' }, 'colour'],
      [{ enabled_outbound: true }, 'enabled_outbound'],
    ] as const;
    for (const [body, field] of refused) {
      const error = await refusal(workspace.put(path('pos'), body), 400);
      expect(error).toMatchObject({
        code: 'INVALID_PAYLOAD',
        details: [{ extensions: { field } }],
      });
    }
    expect((await workspace.get(path('pos'))).body.data.config).toEqual({ location_ids: [1, 2] });
  });

  it('never shows a secret: only how it ends and since when it is', async () => {
    const secrets = { api_key: 'sk_live_abcd1234', webhook_secret: 'whsec_9876' };
    const set = await configure('pos', { secrets });
    expect(set.data.secrets_meta).toEqual({
      api_key: { last4: '1234', rotated_at: expect.stringMatching(ISO) },
      webhook_secret: { last4: '9876', rotated_at: expect.stringMatching(ISO) },
    });
    const changed = await configure('pos', {
      secrets: { api_key: 'sk_live_next5678', webhook_secret: null },
    });
    expect(changed.data.secrets_meta).toEqual({
      api_key: { last4: '5678', rotated_at: expect.stringMatching(ISO) },
    });
    const kept = await workspace.get(path('pos'));
    expect(kept.body.data.secrets_meta).toEqual(changed.data.secrets_meta);
    expect(JSON.stringify([set, changed, kept.body])).not.toMatch(/sk_live|whsec_/);
    const short = await configure('pos', { secrets: { api_key: 'x7q9' } });
    expect(short.data.secrets_meta.api_key.last4).toBe('****');
  });

  it('switches outbound on once nothing is missing, and says what is', async () => {
    const on = { enabled_outbound: true };
    expect((await refusal(workspace.put(path('crm_sync'), on), 400)).message).toContain('base_url');
    await configure('crm_sync', { config: { base_url: outside.url } });
    expect((await refusal(workspace.put(path('crm_sync'), on), 400)).message).toContain('api_key');
    const { data } = await configure('crm_sync', { ...on, secrets: { api_key: 'key-12345' } });
    expect(data.enabled_outbound).toBe(true);
    await refusal(workspace.put(path('crm_sync'), { secrets: { api_key: null } }), 400);
  });

  it('refuses what the provider cannot do', async () => {
    const error = await refusal(workspace.put(path('crm_sync'), { enabled_inbound: true }), 400);
    expect(error).toMatchObject({ details: [{ extensions: { field: 'enabled_inbound' } }] });
    await refusal(workspace.put(path('webhook_inbox'), { enabled_outbound: true }), 400);
    await configure('crm_sync', {});
    await refusal(workspace.post(path('crm_sync', '/provision-inbox')), 400);
    await refusal(workspace.post(path('crm_sync', '/rotate-inbox-token')), 400);
    await refusal(workspace.post(path('crm_sync', '/import-transactions'), {}), 400);
  });

  it('checks the expressions of a mapping, each under its key', async () => {
    const mapping = { ...MAPPING, amount: '1 +', email: '1 + 1', currency: 'nonsense' };
    const error = await refusal(workspace.put(path('webhook_inbox'), { config: { mapping } }), 400);
    const fields = error.details.map((each: Problem) => each.extensions.field).sort();
    expect(fields).toEqual([
      'config.mapping.amount',
      'config.mapping.currency',
      'config.mapping.email',
    ]);
    for (const bad of [
      {},
      { event_category: '"a"' },
      { ...MAPPING, email: undefined },
      { ...MAPPING, name: '"x"' },
      { ...MAPPING, event_category: '"nonsense"' },
    ]) {
      await refusal(workspace.put(path('webhook_inbox'), { config: { mapping: bad } }), 400);
    }
  });
});

describe('an inbox', () => {
  it('is made when inbound is switched on, with a token that is shown once', async () => {
    const made = await configure('webhook_inbox', {
      enabled_inbound: true,
      config: { mapping: MAPPING },
    });
    expect(made.token).toEqual(expect.any(String));
    expect(made.data.inbox_ingest_url).toMatch(
      new RegExp(`^https?://.*/inbox/${made.data.inbox_id}/${made.token}$`),
    );
    const again = await configure('webhook_inbox', { enabled_inbound: true });
    expect(again).not.toHaveProperty('token');
    const provisioned = expectStatus(
      await workspace.post(path('webhook_inbox', '/provision-inbox')),
      200,
    ).body;
    expect(provisioned).toMatchObject({ token: null, data: { inbox_id: made.data.inbox_id } });
    expect(JSON.stringify(provisioned)).not.toContain(made.token);
  });

  it('is made once, however many ask for it at once', async () => {
    await configure('pos', {});
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => workspace.post(path('pos', '/provision-inbox'))),
    );
    for (const reply of replies) expectStatus(reply, 200);
    expect(new Set(replies.map(({ body }) => body.data.inbox_id)).size).toBe(1);
    expect(replies.filter(({ body }) => body.token !== null)).toHaveLength(1);
  });

  it('takes another token, and the old address ends', async () => {
    await configure('webhook_inbox', { config: { mapping: MAPPING } });
    expect(
      (await refusal(workspace.post(path('webhook_inbox', '/rotate-inbox-token')), 409)).code,
    ).toBe('CONFLICT');
    const first = (await workspace.post(path('webhook_inbox', '/provision-inbox'))).body;
    const second = expectStatus(
      await workspace.post(path('webhook_inbox', '/rotate-inbox-token')),
      200,
    ).body;
    const send = (token: string) =>
      call('POST', `!/inbox/${first.data.inbox_id}/${token}`, { body: {} });
    expect((await send(first.token)).status).toBe(404);
    expect((await send(second.token)).status).toBe(202);
  });

  it('refuses strangers and what is no JSON, in the form of the core', async () => {
    const send = await openInbox();
    const unknown = await call('POST', `!/inbox/${randomUUID()}/${'x'.repeat(43)}`, { body: {} });
    expect(unknown).toMatchObject({
      status: 404,
      body: { errors: [{ extensions: { code: 'RECORD_NOT_FOUND' } }] },
    });
    expect((await call('POST', '!/inbox/nonsense/token', { body: {} })).status).toBe(400);
    expect(await send('{"a":')).toMatchObject({ status: 400 });
    expect(await send({ a: 'x'.repeat(1_050_000) })).toMatchObject({ status: 413 });
    expect(await send({ lines: Array.from({ length: 10_000 }, () => 1) })).toMatchObject({
      status: 400,
    });
    expect(await send({ lines: Array.from({ length: 9_000 }, () => 1) })).toMatchObject({
      status: 202,
    });
    const { inbox_id } = (await workspace.get(path('webhook_inbox'))).body.data;
    const address = `!/inbox/${inbox_id}/${'x'.repeat(43)}`;
    const text = await call('POST', address, {
      body: 'a',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(text.status).toBe(415);
    expect((await call('GET', address)).status).toBe(405);
  });

  it('makes an event of what arrives, once, and it moves what events move', async () => {
    const send = await openInbox();
    const client = await newClient(workspace);
    const sale = { id: 'order-7', total: 12.5, customer: { email: client.email.toUpperCase() } };
    expect(expectStatus(await send(sale), 202).body).toEqual({
      data: { id: expect.any(String), received_at: expect.stringMatching(ISO) },
    });
    expectStatus(await send(sale), 202);
    await until(async () => (await health()).inbox.counts.processed === 2);
    const { body } = await workspace.get(`:ws/clients/${client.id}/events`, {
      event_category: 'transaction',
    });
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      event_type: 'purchase',
      amount: 12.5,
      currency: 'EUR',
      external_id: 'order-7',
      source: 'webhook_inbox',
    });
    expect(await health()).toEqual({
      config: { mapping: MAPPING },
      inbox: {
        counts: { pending: 0, leased: 0, processed: 2, failed: 0 },
        processed_24h: 2,
        last_failed: null,
      },
    });
    const { data } = (await workspace.get(path('webhook_inbox', '/inbox-messages'))).body;
    expect(data.map((message: { outcome: string }) => message.outcome).sort()).toEqual([
      'duplicate',
      'recorded',
    ]);
    // It is noted after the message.
    const noted = async () => (await workspace.get(path('webhook_inbox'))).body.data;
    await until(async () => ISO.test((await noted()).last_synced_at));
  });

  it('shows what failed, and processes it again when it is asked to', async () => {
    const send = await openInbox();
    const client = await newClient(workspace);
    await send({ id: 'a', total: 'much', customer: { email: client.email } });
    await until(async () => (await health()).inbox.counts.failed === 1);
    const { last_failed: failed } = (await health()).inbox;
    expect(failed).toEqual({
      id: expect.any(String),
      received_at: expect.stringMatching(ISO),
      last_error: expect.stringContaining('amount'),
      attempts: 1,
    });
    // It is noted after the message.
    const noted = async () => (await workspace.get(path('webhook_inbox'))).body.data;
    await until(async () => (await noted()).last_error?.includes('amount'));
    await configure('webhook_inbox', { config: { mapping: { ...MAPPING, amount: '3.5' } } });
    const one = path('webhook_inbox', `/inbox-messages/${failed.id}`);
    expect((await workspace.get(one)).body.data).toMatchObject({
      status: 'failed',
      body: { id: 'a', total: 'much' },
      headers: { 'content-type': 'application/json' },
    });
    const retry = `${one}/retry`;
    expect(expectStatus(await workspace.post(retry), 202).body.data).toMatchObject({
      id: failed.id,
    });
    await until(async () => (await health()).inbox.counts.processed === 1);
    expect((await refusal(workspace.post(retry), 409)).code).toBe('CONFLICT');
    const unknown = path('webhook_inbox', `/inbox-messages/${randomUUID()}/retry`);
    expect((await refusal(workspace.post(unknown), 404)).code).toBe('not_found');
    const missing = unknown.replace('/retry', '');
    expect((await refusal(workspace.get(missing), 404)).code).toBe('not_found');
  });

  it('waits for a client who is about to be created', async () => {
    const send = await openInbox();
    const email = `late-${randomUUID()}@example.com`;
    await send({ id: 'b', total: 1, customer: { email } });
    const client = await newClient(workspace, { email });
    await until(
      async () =>
        (await workspace.get(`:ws/clients/${client.id}/events`, { event_category: 'transaction' }))
          .body.meta.total === 1,
    );
  });

  it('finds the pass that was scanned by its barcode', async () => {
    const mapping = {
      event_category: '"engagement"',
      event_type: 'headers["x-kind"]',
      barcode_value: 'body.code',
    };
    const { data, token } = await configure('webhook_inbox', {
      enabled_inbound: true,
      config: { mapping },
    });
    const client = await newClient(workspace);
    const passId = await newPass(workspace, client.id);
    const pass = expectStatus(await workspace.get(`:ws/clients/${client.id}/passes`), 200).body
      .data[0];
    const headers = { 'x-kind': 'scan' };
    const body = { code: pass.barcode_value };
    const address = `!/inbox/${data.inbox_id}/${token}`;
    expectStatus(await call('POST', address, { body, headers }), 202);
    await until(async () => (await health()).inbox.counts.processed === 1);
    const query = { event_category: 'engagement' };
    const { body: trail } = await workspace.get(`:ws/clients/${client.id}/events`, query);
    expect(trail.data).toMatchObject([
      { event_type: 'scan', pass_id: passId, client_id: client.id },
    ]);
  });

  it('keeps what arrives while receiving is off until it is on again', async () => {
    const send = await openInbox();
    await configure('webhook_inbox', { enabled_inbound: false });
    const client = await newClient(workspace);
    expectStatus(await send({ id: 'c', total: 1, customer: { email: client.email } }), 202);
    await until(async () => (await health()).inbox.counts.pending === 1);
    await configure('webhook_inbox', { enabled_inbound: true });
    await until(async () => (await health()).inbox.counts.processed === 1);
  });

  it('ends with its integration', async () => {
    const send = await openInbox();
    const deleted = await workspace.del(path('webhook_inbox'));
    expect(deleted).toMatchObject({ status: 204, text: '' });
    expect((await send({})).status).toBe(404);
    expect((await refusal(workspace.del(path('webhook_inbox')), 404)).code).toBe('not_found');
  });

  it('is unknown in every other workspace', async () => {
    await openInbox();
    const other = await newWorkspace();
    expect((await refusal(other.get(path('webhook_inbox')), 404)).code).toBe('not_found');
    expect((await refusal(other.get(path('webhook_inbox', '/inbox-messages')), 404)).code).toBe(
      'not_found',
    );
  });
});
