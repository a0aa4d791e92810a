import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { Webhook } from 'standardwebhooks';
import { call, type Reply } from './support/api';
import {
  expectStatus,
  newClient,
  newWorkspace,
  type TestWorkspace,
  uniqueEmail,
} from './support/factories';
import { type OutsideCall, type OutsideSystem, openOutsideSystem } from './support/outside-system';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const API_KEY = 'key-0123456789';

let workspace: TestWorkspace;
let outside: OutsideSystem;

beforeEach(async () => {
  workspace = await newWorkspace();
  outside = await openOutsideSystem();
});
afterEach(() => outside.close());

const path = (provider: string, rest = '') => `:ws/integrations/${provider}${rest}`;

async function configure(provider: string, body: object) {
  const secrets = { api_key: API_KEY };
  const request = {
    secrets,
    ...body,
    config: { base_url: outside.url, ...(body as { config?: object }).config },
  };
  return expectStatus(await workspace.put(path(provider), request), 200).body;
}

const called = (method: string, about: string): OutsideCall[] =>
  outside.calls.filter((each) => each.method === method && each.path.endsWith(about));

const trailOf = async (clientId: string) =>
  (await workspace.get(`:ws/clients/${clientId}/events`, { event_category: 'transaction' })).body;

const errorOf = ({ status, body }: Reply) => ({ status, ...body.error });

describe('POST :ws/integrations/:provider/test-connection', () => {
  it('calls the till with what is stored, and shows its locations', async () => {
    outside.respond = () => ({ status: 200, json: { data: [{ id: 3, name: 'Station' }] } });
    await configure('pos', {});
    const { body } = expectStatus(await workspace.post(path('pos', '/test-connection')), 200);
    expect(body).toEqual({
      data: { ok: true, status: 200, locations: [{ id: 3, name: 'Station' }] },
    });
    expect(called('GET', '/locations')[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
  });

  it('answers within its time though the other system never does', async () => {
    outside.respond = () => 'silence';
    await configure('crm_sync', {});
    const { body } = expectStatus(await workspace.post(path('crm_sync', '/test-connection')), 200);
    expect(body.data).toMatchObject({ ok: false, status: null, error: expect.any(String) });
  });

  it('says what went wrong', async () => {
    outside.respond = () => ({ status: 401 });
    await configure('crm_sync', {});
    const refused = await workspace.post(path('crm_sync', '/test-connection'));
    expect(refused.body).toEqual({ data: { ok: false, status: 401, error: 'answered 401' } });
    outside.close();
    const gone = await workspace.post(path('crm_sync', '/test-connection'));
    expect(gone.body).toEqual({
      data: { ok: false, status: null, error: 'no answer came from this address' },
    });
  });

  it('tries given credentials alone: a stored key goes to no other address', async () => {
    await configure('pos', {});
    const elsewhere = await openOutsideSystem();
    const credentials = { base_url: elsewhere.url, api_key: 'another' };
    await workspace.post(path('pos', '/test-connection'), { credentials });
    await workspace.post(path('pos', '/test-connection'), {
      credentials: { base_url: elsewhere.url },
    });
    elsewhere.close();
    expect(elsewhere.calls.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer another',
      undefined,
    ]);
    const inside = { credentials: { base_url: 'https://169.254.169.254' } };
    expect(errorOf(await workspace.post(path('pos', '/test-connection'), inside))).toMatchObject({
      status: 400,
      code: 'INVALID_PAYLOAD',
    });
  });

  it('has nothing to try for a plain inbox, and says so', async () => {
    const { body } = expectStatus(
      await workspace.post(path('webhook_inbox', '/test-connection')),
      200,
    );
    expect(body).toEqual({ data: { ok: true, status: null, note: expect.any(String) } });
    expect(errorOf(await workspace.post(path('pos', '/test-connection')))).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});

describe('crm_sync', () => {
  const fieldMapping = {
    email: 'Email',
    first_name: 'First',
    'custom_fields.city': 'Town',
    status: 'Status',
  };

  it('hears of every change of a client, under its own names, as long as it is on', async () => {
    await configure('crm_sync', {
      enabled_outbound: true,
      config: { field_mapping: fieldMapping },
    });
    const client = await newClient(workspace, {
      first_name: 'Ada',
      custom_fields: { city: 'Rome' },
    });
    const pushes = () => called('PUT', client.id);
    await until(() => pushes().length > 0);
    expect(pushes()[0]).toMatchObject({
      body: { Email: client.email, First: 'Ada', Town: 'Rome', Status: 'active' },
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    });
    await workspace.patch(`:ws/clients/${client.id}`, { first_name: 'Grace' });
    await until(() => pushes().at(-1)?.body.First === 'Grace');
    await until(
      async () => (await workspace.get(path('crm_sync'))).body.data.last_synced_at !== null,
    );
    await configure('crm_sync', { enabled_outbound: false });
    await configure('pos', { enabled_outbound: true });
    const quiet = await newClient(workspace);
    // Both learn of a client from the same event: once the till has heard, the CRM would have.
    await until(() => called('POST', '/customers').some(({ body }) => body.reference === quiet.id));
    expect(called('PUT', quiet.id)).toHaveLength(0);
  });

  it('hears of the clients there were when it was switched on, and what failed can be seen and sent again', async () => {
    outside.respond = () => ({ status: 400 });
    const client = await newClient(workspace, { first_name: 'Ada' });
    await configure('crm_sync', { enabled_outbound: true });
    const query = { provider: 'crm_sync', status: 'pending', limit: '1' };
    const job = await until(async () => {
      const { body } = expectStatus(await workspace.get(':ws/outbound-jobs', query), 200);
      return body.data[0]?.attempts > 0 && body.data[0];
    });
    expect(job).toEqual({
      id: expect.any(String),
      provider: 'crm_sync',
      client_id: client.id,
      action: 'upsert_customer',
      status: 'pending',
      attempts: expect.any(Number),
      external_id: null,
      last_error: 'answered 400',
      next_attempt_at: expect.stringMatching(ISO),
      date_updated: expect.stringMatching(ISO),
    });
    const retry = `:ws/outbound-jobs/${job.id}/retry`;
    const stranger = await newWorkspace();
    expect((await stranger.post(retry)).status).toBe(404);
    outside.respond = () => ({ status: 200 });
    const { body } = expectStatus(await workspace.post(retry), 202);
    expect(body.data).toMatchObject({ id: job.id, client_id: client.id });
    const health = await until(async () => {
      const { data } = (await workspace.get(path('crm_sync', '/health'))).body;
      const { done, pending } = data.outbound.counts;
      return done > 0 && pending === 0 && data;
    });
    // Sent as somebody new, too, where that event came only after it was switched on.
    expect(health.outbound).toEqual({
      counts: { pending: 0, done: expect.any(Number), failed: 0 },
      is_backfilling: false,
      last_failed: null,
    });
    expect(called('PUT', client.id).at(-1)?.body).toMatchObject({ first_name: 'Ada' });
  });

  it('forgets a person with us', async () => {
    await configure('crm_sync', {
      enabled_outbound: true,
      config: { field_mapping: fieldMapping },
    });
    const [first, second] = [
      await newClient(workspace, { first_name: 'Ada' }),
      await newClient(workspace),
    ];
    await until(() => called('PUT', first.id).length > 0 && called('PUT', second.id).length > 0);
    await workspace.post(`:ws/clients/${first.id}/anonymize`);
    await until(() => called('PUT', first.id).at(-1)?.body.Status === 'anonymized');
    expect(called('PUT', first.id).at(-1)?.body).toEqual({
      Email: null,
      First: null,
      Town: null,
      Status: 'anonymized',
    });
    await workspace.del(`:ws/clients/${second.id}`);
    await until(() => called('DELETE', second.id).length === 1);
  });

  it('keeps what went wrong, tries again, and ends with how the client is', async () => {
    await configure('crm_sync', {
      enabled_outbound: true,
      config: { field_mapping: fieldMapping },
    });
    outside.respond = () => ({ status: 500 });
    const client = await newClient(workspace, { first_name: 'Ada' });
    await until(
      async () => (await workspace.get(path('crm_sync'))).body.data.last_error === 'answered 500',
    );
    await workspace.patch(`:ws/clients/${client.id}`, { first_name: 'Grace' });
    outside.respond = () => ({ status: 200 });
    await until(async () => (await workspace.get(path('crm_sync'))).body.data.last_error === null);
    // An attempt that began before may have been the one that was answered.
    await until(() => called('PUT', client.id).at(-1)?.body.First === 'Grace');
  });
});

describe('pos', () => {
  it('has customers as the programme has them, and deletes them with the client', async () => {
    outside.respond = ({ method }) =>
      method === 'POST' ? { status: 201, json: { id: 'c-77' } } : { status: 200 };
    await configure('pos', {
      enabled_outbound: true,
      config: { location_ids: [4], default_location_id: 4 },
    });
    const client = await newClient(workspace, { first_name: 'Ada' });
    await until(() => called('POST', '/customers').length > 0);
    expect(called('POST', '/customers')[0]?.body).toMatchObject({
      reference: client.id,
      first_name: 'Ada',
      email: client.email,
      location_id: 4,
    });
    const identities = `:ws/clients/${client.id}/external-identities`;
    await until(async () => (await workspace.get(identities)).body.data[0]?.external_id === 'c-77');
    await workspace.patch(`:ws/clients/${client.id}`, { first_name: 'Grace' });
    await until(() => called('PUT', '/customers/c-77').at(-1)?.body.first_name === 'Grace');
    await workspace.del(`:ws/clients/${client.id}`);
    await until(() => called('DELETE', '/customers/c-77').length === 1);
    expect(called('DELETE', '/customers/c-77')[0]?.body).toBeUndefined();
  });

  it('deletes whom the programme anonymizes, though nothing here knows the id of the customer any more', async () => {
    await configure('pos', {
      enabled_outbound: true,
      config: { location_ids: [4], default_location_id: 4 },
    });
    const { id } = await newClient(workspace, { first_name: 'Ada' });
    const identity = { external_id: `card-${id}` };
    const identities = `:ws/clients/${id}/external-identities`;
    expectStatus(await workspace.put(`${identities}/pos`, identity), 200);
    expectStatus(await workspace.post(`:ws/clients/${id}/anonymize`), 200);
    await until(() => called('DELETE', `/customers/card-${id}`).length > 0);
    expect((await workspace.get(identities)).body.data).toEqual([]);
  });

  it('puts customers into the group of their tier', async () => {
    expectStatus(await workspace.post(':ws/tiers/set', { name: 'Levels' }), 201);
    const wanted = { name: 'Gold', kind: 'exclusive', condition_values: {} };
    const tier = expectStatus(await workspace.post(':ws/tiers', wanted), 201).body.data;
    await configure('pos', {
      enabled_outbound: true,
      config: { tier_mappings: { [tier.id]: 12 } },
    });
    const client = await newClient(workspace, { loyalty_program_enabled: true });
    await workspace.put(`:ws/clients/${client.id}/external-identities/pos`, { external_id: 'c-9' });
    const assignment = { client_id: client.id, tier_id: tier.id };
    expectStatus(await workspace.post(':ws/tiers/assign', assignment), 200);
    await until(() => called('PUT', '/customers/c-9').at(-1)?.body.group_id === 12);
  });

  it('hears the address of its inbox, and the answer says when that failed', async () => {
    const { token, data } = await configure('pos', { enabled_inbound: true });
    expect(called('PUT', '/webhook')[0]?.body).toEqual({
      url: expect.stringContaining(`/inbox/${data.inbox_id}/${token}`),
    });
    outside.respond = () => ({ status: 503 });
    await workspace.del(path('pos'));
    expect(await configure('pos', { enabled_inbound: true })).toMatchObject({
      token: expect.any(String),
      save_warning: expect.stringContaining('answered 503'),
    });
  });

  it('takes signed messages only, once it has a webhook_secret', async () => {
    const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
    const { token, data } = await configure('pos', {
      enabled_inbound: true,
      secrets: { webhook_secret: secret },
    });
    const client = await newClient(workspace);
    const sale = {
      id: 9,
      type: 'purchase',
      amount: 7.5,
      currency: 'EUR',
      created_at: '2026-02-01T10:00:00Z',
      customer: { id: 'c-1', email: client.email },
    };
    const body = JSON.stringify({ type: 'transaction.created', data: sale });
    const at = new Date();
    const headers = {
      'webhook-id': 'm-1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('m-1', at, body),
    };
    const send = (text: string, given: Record<string, string> = headers) =>
      call('POST', `!/inbox/${data.inbox_id}/${token}`, { body: text, headers: given });
    expect((await send(body, {})).body.errors[0].extensions.code).toBe('INVALID_TOKEN');
    expect((await send(`${body} `)).status).toBe(401);
    expect((await send(body)).status).toBe(202);
    await until(async () => (await trailOf(client.id)).meta.total === 1);
    expect((await trailOf(client.id)).data[0]).toMatchObject({
      external_id: 'pos:9',
      amount: 7.5,
      source: 'pos',
      metadata: { transaction_id: 9 },
    });
  });
});

describe('POST :ws/integrations/pos/import-transactions', () => {
  const range = { date_from: '2026-01-01', date_to: '2026-01-31', location_ids: [1] };
  const importUrl = path('pos', '/import-transactions');

  async function finished(id: string) {
    return until(async () => {
      const { data } = (await workspace.get(path('pos', `/import-jobs/${id}`))).body;
      return data.finished_at === null ? null : data;
    });
  }

  it('brings the sales of known customers in, page by page, once however often it is asked for', async () => {
    const [ada, bo] = [await newClient(workspace), await newClient(workspace)];
    await workspace.put(`:ws/clients/${bo.id}/external-identities/pos`, { external_id: '42' });
    const sale = (id: number, customer: object | null, over = {}) => ({
      id,
      type: 'purchase',
      amount: 10,
      currency: 'EUR',
      created_at: '2026-01-05T09:00:00Z',
      location_id: 1,
      customer,
      ...over,
    });
    const pages: Record<string, object> = {
      '': {
        data: [sale(1, { email: ada.email }), sale(2, { id: 42 })],
        total: 6,
        next_cursor: 'two',
      },
      two: {
        data: [
          sale(3, null),
          sale(4, { email: uniqueEmail() }),
          sale(5, { id: 42 }, { type: 'refund', amount: 4 }),
          sale(6, { id: 42 }, { amount: -1 }),
        ],
        total: 6,
        next_cursor: null,
      },
    };
    outside.respond = ({ query }) => ({ status: 200, json: pages[query.get('cursor') ?? ''] });
    await configure('pos', { config: { location_ids: [1, 2] } });
    const started = expectStatus(await workspace.post(importUrl, range), 200).body.data;
    expect(started).toEqual({
      id: expect.any(String),
      workspace_id: workspace.workspaceId,
      provider: 'pos',
      status: 'pending',
      phase: 'fetching',
      ...range,
      fetch_total: null,
      fetch_done: 0,
      processed_count: 0,
      imported_count: 0,
      error_log: [],
      date_created: expect.stringMatching(ISO),
      started_at: null,
      finished_at: null,
    });
    const job = await finished(started.id);
    expect(job).toMatchObject({
      status: 'completed',
      phase: 'processing',
      fetch_total: 6,
      fetch_done: 6,
      processed_count: 6,
      imported_count: 3,
    });
    expect(
      job.error_log.map(({ transaction_id }: { transaction_id: string }) => transaction_id),
    ).toEqual(['4', '6']);
    expect(outside.calls[0]?.query.get('date_to')).toBe('2026-01-31T23:59:59.999Z');
    expect(outside.calls[0]?.query.get('location_ids')).toBe('1');
    expect((await trailOf(ada.id)).meta.total).toBe(1);
    expect(
      (await trailOf(bo.id)).data.map((event: { event_type: string }) => event.event_type).sort(),
    ).toEqual(['purchase', 'refund']);
    const again = expectStatus(await workspace.post(importUrl, range), 200).body.data;
    expect(await finished(again.id)).toMatchObject({
      status: 'completed',
      processed_count: 6,
      imported_count: 0,
    });
    expect((await trailOf(bo.id)).meta.total).toBe(2);
    const listed = expectStatus(
      await workspace.get(path('pos', '/import-jobs'), { limit: 1 }),
      200,
    ).body;
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([again.id]);
    expect((await workspace.get(path('pos', '/import-jobs'), { limit: 101 })).status).toBe(400);
  });

  it('refuses a range or locations that make no sense, each on its field', async () => {
    await configure('pos', { config: { location_ids: [1] } });
    const refused = [
      [{ ...range, date_from: undefined }, 'date_from'],
      [{ ...range, date_to: 'soon' }, 'date_to'],
      [{ ...range, date_to: '2026-02-30' }, 'date_to'],
      [{ ...range, date_to: '2025-12-31' }, 'date_to'],
      [{ ...range, location_ids: undefined }, 'location_ids'],
      [{ ...range, location_ids: [] }, 'location_ids'],
      [{ ...range, location_ids: [1, 2] }, 'location_ids'],
      [{ ...range, location_ids: ['1'] }, 'location_ids.0'],
      [{ ...range, colour: 'red' }, 'colour'],
    ] as const;
    for (const [body, field] of refused) {
      expect(errorOf(await workspace.post(importUrl, body))).toMatchObject({
        status: 400,
        code: 'INVALID_PAYLOAD',
        details: [{ extensions: { field } }],
      });
    }
    const other = await newWorkspace();
    expect(errorOf(await other.post(importUrl, range))).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });

  it('fails when the till refuses, and says why', async () => {
    outside.respond = () => ({ status: 403 });
    await configure('pos', { config: { location_ids: [1] } });
    const { id } = expectStatus(await workspace.post(importUrl, range), 200).body.data;
    expect(await finished(id)).toMatchObject({
      status: 'failed',
      error_log: [{ transaction_id: '', message: 'answered 403' }],
    });
    // It is noted at the integration once the import has ended.
    const lastError = async () => (await workspace.get(path('pos'))).body.data.last_error;
    await until(async () => (await lastError()) === 'answered 403');
    const other = await newWorkspace();
    expect((await other.get(path('pos', `/import-jobs/${id}`))).status).toBe(404);
  });

  it('is cancelled when the integration is deleted', async () => {
    outside.respond = () => ({ status: 500 });
    await configure('pos', { config: { location_ids: [1] } });
    const { id } = expectStatus(await workspace.post(importUrl, range), 200).body.data;
    await until(() => outside.calls.length > 0);
    expectStatus(await workspace.del(path('pos')), 204);
    expect(await finished(id)).toMatchObject({ status: 'cancelled' });
  });

  it('starts one job however often the same request is repeated', async () => {
    await configure('pos', { config: { location_ids: [1] } });
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await workspace.post(importUrl, range, headers);
    const second = await workspace.post(importUrl, range, headers);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body.data.id).toBe(first.body.data.id);
  });
});
