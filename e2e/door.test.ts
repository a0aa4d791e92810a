import { randomBytes, randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { call, gateways, newAddress } from './support/api';
import { answers, newForm, submit } from './support/enrollment';
import { expectStatus, newWorkspace, type TestWorkspace } from './support/factories';

const MIB = 1024 * 1024;
/** RATE_LIMIT_WRONG_CREDENTIAL_PER_MINUTE as it is unless set. */
const WRONG_MAX = 60;
const unsigned = {
  signature: 'a',
  protocolVersion: 'none',
  signedMessage: '{}',
  intermediateSigningKey: { signedKey: '{}', signatures: ['a'] },
};
const hex = () => randomBytes(32).toString('hex');

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const fieldOf = (body: { errors: { extensions: { field?: string } }[] }) =>
  body.errors[0]?.extensions.field;

describe('wrong credentials', () => {
  /** Everything from one address, through one gateway: another learns of the limit with its first guess. */
  const from = (headers: Record<string, string>) => ({ headers, gateway: gateways()[0] });

  test.each([
    ['API tokens', (at: object) => call('GET', '/user/me', { token: hex(), ...at })],
    ['session tokens', (at: object) => call('GET', '/user/me', { token: `a.${hex()}.c`, ...at })],
    [
      'inbox tokens',
      (at: object) => call('POST', `!/inbox/${randomUUID()}/${hex()}`, { body: {}, ...at }),
    ],
    [
      'cards that are asked for without a token',
      (at: object) => call('GET', `!/apple/v1/passes/pass.local.laurel/${randomUUID()}`, at),
    ],
    [
      'messages that Google did not sign',
      (at: object) => call('POST', '!/google/v1/callbacks', { body: unsigned, ...at }),
    ],
  ])(
    'of one address, here %s, are answered as wrong sixty times a minute, then 429',
    async (_kind, guess) => {
      const here = from({ 'X-Forwarded-For': newAddress() });
      const statuses: number[] = [];
      for (let attempt = 0; attempt <= WRONG_MAX; attempt += 1)
        statuses.push((await guess(here)).status);
      expect(statuses.slice(0, WRONG_MAX)).not.toContain(429);
      expect(statuses.at(-1)).toBe(429);
      const refused = await guess(here);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.body.errors[0].extensions.code).toBe('RATE_LIMITED');
      // Who is signed in goes on working beside the one who guesses.
      expect((await call('GET', '/user/me', { token: workspace.token, ...here })).status).toBe(200);
      expect((await guess(from({ 'X-Forwarded-For': newAddress() }))).status).not.toBe(429);
    },
  );

  test('of one network of IPv6 are one address', async () => {
    const network = `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`;
    const host = () => ({
      'X-Forwarded-For': `${network}:1:2:3:${randomBytes(2).toString('hex')}`,
    });
    const statuses: number[] = [];
    for (let attempt = 0; attempt <= WRONG_MAX; attempt += 1)
      statuses.push((await call('GET', '/user/me', { token: hex(), ...from(host()) })).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

test('a workspace or member that is named by no UUID is refused in a sentence, whatever it is', async () => {
  const { token, workspaceId } = workspace;
  const bodies: unknown[] = [{ toString: 1 }, { valueOf: 1 }, [workspaceId], 7];
  for (const workspace_id of bodies)
    expectStatus(
      await call('POST', '/events/aggregate', { token, body: { workspace_id, function: 'count' } }),
      400,
    );
  const spelt = `${workspaceId.slice(0, 9)}${workspaceId.slice(9).replaceAll('-', '')}`;
  expectStatus(await call('GET', `/workspace/${spelt}/clients`, { token }), 400);
  for (const id of [`{${workspaceId}}`, `(${workspaceId})`, spelt])
    expectStatus(
      await call('DELETE', `/workspace/${encodeURIComponent(id)}/members/${randomUUID()}`, {
        token,
      }),
      400,
    );
});

test('an upload over its bound is 413 whatever says its length, and another request works at once', async () => {
  for (const size of [5 * MIB + 1, 12 * MIB]) {
    const form = new FormData();
    form.set('workspace_id', workspace.workspaceId);
    form.set('file', new Blob([Buffer.alloc(size, 1)]), 'a.png');
    const reply = await call('POST', '/files', { token: workspace.token, body: form });
    expect(reply.status).toBe(413);
    expectStatus(await workspace.get(':ws/clients'), 200);
  }
});

test('an import over 50 MiB is 413, and the earn right after it is made', async () => {
  const form = new FormData();
  form.set('file', new Blob([Buffer.alloc(53 * MIB, 'a')]), 'clients.csv');
  const reply = await call('POST', `/workspace/${workspace.workspaceId}/clients/import`, {
    token: workspace.token,
    body: form,
  });
  expect([reply.status, reply.headers.get('connection')]).toEqual([413, 'close']);
  expectStatus(await workspace.post(':ws/clients', { first_name: 'Ada' }), 201);
});

describe('texts that cannot be kept', () => {
  test.each([
    [':ws/clients', 'search'],
    [':ws/clients/export', 'search'],
    [':ws/clients/search', 'q'],
    [':ws/mobile-app-users', 'search'],
    [':ws/referrals', 'search'],
    [':ws/tiers/clients', 'search'],
  ])('GET %s with a null character is 400 with %s', async (path, field) => {
    const reply = expectStatus(await workspace.get(path, { [field]: 'a\0b' }), 400);
    expect(fieldOf(reply.body)).toBe(field);
  });

  test('a segment with one in its filter is refused, not stored', async () => {
    const filter_config = { field: 'first_name', operator: '_contains', value: 'a\0b' };
    const body = { name: 'Poison', filters: [{ filter_type: 'client_field', filter_config }] };
    const reply = expectStatus(await workspace.post(':ws/segments', body), 400);
    expect(fieldOf(reply.body)).toBe('filters.0.filter_config.value');
  });

  test.each([
    ['a workspace', 'patch', ':ws', 'name'],
    ['a client', 'post', ':ws/clients', 'first_name'],
    ['a reward', 'post', ':ws/rewards', 'name'],
    ['a segment', 'post', ':ws/segments', 'name'],
    ['a project', 'post', ':ws/projects', 'name'],
    ['a campaign', 'post', ':ws/campaigns', 'name'],
  ] as const)('the name of %s is one line', async (_what, method, path, field) => {
    const reply = await workspace[method](path, { [field]: 'Evil\r\nBcc: x' });
    expectStatus(reply, 400);
    expect(reply.body.errors.map((error: never) => fieldOf({ errors: [error] }))).toContain(field);
  });

  test('a row of an import with such a name is an error of the row', async () => {
    const rows = [{ first_name: 'Ada' }, { first_name: 'Urgent!\nClick' }, { last_name: 'a\0' }];
    const body = rows.map((row) => JSON.stringify(row)).join('\n');
    const started = await call('POST', `/workspace/${workspace.workspaceId}/clients/import`, {
      token: workspace.token,
      headers: { 'Content-Type': 'application/x-ndjson' },
      body,
    });
    const { id } = expectStatus(started, 202).body.data;
    const done = await until(async () => {
      const { data } = (await workspace.get(`:ws/client-import-jobs/${id}`)).body;
      return data.status === 'completed' ? data : null;
    });
    expect(done).toMatchObject({ created: 1, failed: 2 });
    expect(done.errors.map(({ row }: { row: number }) => row)).toEqual([2, 3]);
  });
});

test('a form with nothing in its fields is 400', async () => {
  const body = { form_fields_config: [null, null, null] };
  expectStatus(await workspace.post(':ws/distributions', body), 400);
});

test('the image of a reward is a file of the workspace', async () => {
  const body = { name: 'Coffee', cost_in_points: 1, image: randomUUID() };
  expect(fieldOf(expectStatus(await workspace.post(':ws/rewards', body), 400).body)).toBe('image');
  const script = { ...body, image: ' javascript:alert(1)' };
  expect(fieldOf(expectStatus(await workspace.post(':ws/rewards', script), 400).body)).toBe(
    'image',
  );
  const { id } = expectStatus(await workspace.post(':ws/rewards', { ...body, image: null }), 200)
    .body.data;
  expectStatus(await workspace.patch(`:ws/rewards/${id}`, { image: randomUUID() }), 400);
});

test('an enrollment that is repeated under its key is answered without the token', async () => {
  const form = await newForm({}, workspace);
  const headers = { 'Idempotency-Key': randomUUID(), 'X-Forwarded-For': newAddress() };
  const body = answers();
  const first = expectStatus(await submit(form, body, headers), 200);
  expect(first.body.data.client_token).toEqual(expect.any(String));
  const repeat = expectStatus(await submit(form, body, headers), 200);
  expect(repeat.headers.get('idempotency-replayed')).toBe('true');
  expect(repeat.body).toEqual({ ...first.body, data: { ...first.body.data, client_token: null } });
});

test('the small request that stopped a gateway is answered in a sentence', async () => {
  const intermediateSigningKey = { signedKey: 'd', signatures: Array(100_000).fill(0) };
  const body = { signature: 'a', protocolVersion: 'b', signedMessage: 'c', intermediateSigningKey };
  const reply = await call('POST', '!/google/v1/callbacks', { body });
  expect([reply.status, reply.body.errors.length]).toEqual([400, 1]);
  expect(reply.bytes.length).toBeLessThan(1_000);
});

test.each([
  [':ws/passes', 'project_id'],
  [':ws/passes', 'pass_template_id'],
  [':ws/distributions', 'project_id'],
  [':ws/pushes', 'pass_id'],
  [':ws/events', 'client_id'],
  [':ws/loyalty/points/ledger', 'client_id'],
  [':ws/referrals', 'referrer_client_id'],
  [':ws/rewards/redemptions', 'reward_id'],
  [':ws/tiers/clients', 'tier_id'],
  [':ws/clients', 'tier_id'],
  [':ws/clients/export', 'tier_id'],
  [':ws/automations/executions', 'automation_rule_id'],
  [':ws/mobile-app-activity', 'user_id'],
])(
  'a list, here %s, of a %s that the workspace does not have is 400 with the field',
  async (path, field) => {
    const reply = await workspace.get(`${path}?${field}=${randomUUID()}`);
    expect([reply.status, fieldOf(reply.body)]).toEqual([400, field]);
  },
);
