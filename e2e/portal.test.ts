import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import { call, gateways } from './support/api';
import { newTemplate } from './support/enrollment';
import {
  expectStatus,
  newClient,
  newMember,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { answer, newCustomer, newPortal, openSession, portalCaller } from './support/portal';

const NOT_ENABLED = [404, { error: 'portal not enabled' }];
const INVALID = [401, { error: 'invalid token' }];

const PUBLIC_FIELDS = {
  is_enabled: true,
  logo_url: null,
  primary_color: expect.stringMatching(/^#[0-9A-F]{6}$/),
  background_color: expect.stringMatching(/^#[0-9A-F]{6}$/),
  welcome_title: null,
  welcome_subtitle: null,
  show_tier: true,
  show_rewards: true,
  show_redemption_history: true,
  show_referral: true,
  cta_label: null,
  custom_css: null,
  privacy_url: null,
  terms_url: null,
};
const publicConfig = (workspace: TestWorkspace, overrides: object = {}) => ({
  workspace_id: workspace.workspaceId,
  workspace_name: 'Coffee Corner',
  workspace_slug: workspace.slug,
  ...PUBLIC_FIELDS,
  ...overrides,
});

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newPortal();
  await newWalletType(workspace);
});

describe(':ws/portal-config', () => {
  test('is switched off, with every default, before anybody set it', async () => {
    const fresh = await newWorkspace();
    const { status, body } = await fresh.get(':ws/portal-config');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { ...publicConfig(fresh, { is_enabled: false }), login_mode: 'link' },
    });
  });

  test('keeps what a PUT leaves out, and empties what it says is null', async () => {
    const own = await newWorkspace();
    const everything = {
      is_enabled: true,
      logo_url: 'https://shop.example/logo.png',
      primary_color: '#AA0011',
      background_color: '#001122',
      welcome_title: 'Hello',
      welcome_subtitle: 'Nice to see you',
      show_tier: false,
      show_rewards: false,
      show_redemption_history: false,
      show_referral: false,
      cta_label: 'Order',
      custom_css: '.card { border-radius: 0 }',
      privacy_url: 'https://shop.example/privacy',
      terms_url: 'https://shop.example/terms',
      login_mode: 'code',
    };
    const set = expectStatus(await own.put(':ws/portal-config', everything), 200);
    expect(set.body.data).toMatchObject(everything);
    expectStatus(await own.put(':ws/portal-config', { welcome_title: null, show_tier: true }), 200);
    const { body } = await own.get(':ws/portal-config');
    expect(body.data).toEqual({
      ...publicConfig(own),
      ...everything,
      welcome_title: null,
      show_tier: true,
    });
  });

  test.each([
    ['primary_color', 'red'],
    ['background_color', '#FFF'],
    ['welcome_title', 'x'.repeat(256)],
    ['welcome_subtitle', 'x'.repeat(501)],
    ['cta_label', 'x'.repeat(101)],
    ['custom_css', 'x'.repeat(20_001)],
    ['login_mode', 'password'],
    ['logo_url', 'javascript:alert(1)'],
    ['privacy_url', 'javascript:alert(1)'],
    ['terms_url', 'shop.example/terms'],
    ['is_enabled', 'yes'],
    ['show_tier', 1],
    ['workspace_id', randomUUID()],
  ])('refuses a %s that is none', async (field, value) => {
    const { status, body } = await workspace.put(':ws/portal-config', { [field]: value });
    expect([status, body.errors[0].extensions]).toEqual([400, { code: 'INVALID_PAYLOAD', field }]);
  });

  test('takes out of custom_css what loads or runs anything', async () => {
    const own = await newWorkspace();
    const custom_css =
      '@import url(https://evil.example/x.css); .card { color: red; background: url(https://evil.example) } b { width: expression(alert(1)); content: "</style>" }';
    const { body } = expectStatus(await own.put(':ws/portal-config', { custom_css }), 200);
    expect(body.data.custom_css).toContain('color:red');
    expect(body.data.custom_css).not.toMatch(/@import|evil|expression|<\/style/);
    expect((await own.get(':ws/portal-config')).body.data.custom_css).toBe(body.data.custom_css);
  });

  test('is for members of any role, and no others', async () => {
    const own = await newWorkspace();
    const member = await newMember(own);
    expectStatus(await member.put(':ws/portal-config', { cta_label: 'Go' }), 200);
    const path = `/workspace/${own.workspaceId}/portal-config`;
    for (const method of ['GET', 'PUT']) {
      const stranger = await call(method, path, { token: workspace.token });
      expect([stranger.status, stranger.body.errors[0].extensions.code]).toEqual([
        403,
        'FORBIDDEN',
      ]);
    }
  });
});

describe('GET /public/loyalty/portal-config', () => {
  const read = (query: Record<string, string>) =>
    call('GET', '/public/loyalty/portal-config', { query });

  test('shows anybody how the portal looks', async () => {
    const { status, body } = await read({ workspace_slug: workspace.slug });
    expect([status, body]).toEqual([200, { data: publicConfig(workspace) }]);
  });

  test('is 404 without a workspace, and while the portal is off', async () => {
    expect(answer(await read({ workspace_slug: `no-${randomUUID()}` }))).toEqual([
      404,
      { error: 'workspace not found' },
    ]);
    expect(answer(await read({ workspace_slug: (await newWorkspace()).slug }))).toEqual(
      NOT_ENABLED,
    );
  });

  test('needs the slug', async () => {
    expect(answer(await read({}))).toEqual([400, { error: 'workspace_slug is required' }]);
  });
});

describe('POST /public/loyalty/session', () => {
  test('signs an active client in for 30 days', async () => {
    const client = await newClient(workspace, { first_name: 'Ann', last_name: 'Lee' });
    const { status, body } = await openSession(workspace, client.id.toUpperCase());
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        token: expect.any(String),
        client: { id: client.id, first_name: 'Ann', last_name: 'Lee', email: client.email },
        workspace: {
          id: workspace.workspaceId,
          slug: workspace.slug,
          name: 'Coffee Corner',
          default_locale: 'en',
        },
        portal: publicConfig(workspace),
      },
    });
    const claims = JSON.parse(
      Buffer.from(body.data.token.split('.')[1], 'base64url').toString('utf8'),
    );
    expect(claims).toMatchObject({
      type: 'client_access',
      sub: client.id,
      ws: workspace.workspaceId,
    });
    expect(claims.exp - claims.iat).toBe(30 * 86_400);
  });

  test('is ended by its client on the next request, while the others go on', async () => {
    const client = await newClient(workspace);
    const enter = async () => (await openSession(workspace, client.id)).body.data.token as string;
    const me = (token: string) =>
      call('GET', '/public/loyalty/me', { headers: { 'x-client-token': token } });
    const [left, kept] = [await enter(), await enter()];
    expectStatus(await me(left), 200);
    const headers = { 'x-client-token': left };
    const reply = expectStatus(await call('POST', '/public/loyalty/logout', { headers }), 200);
    expect(reply.body).toEqual({ message: expect.any(String) });
    for (let gateway = 0; gateway < 2; gateway += 1)
      expect(answer(await me(left))).toEqual([401, { error: 'invalid token' }]);
    expect(answer(await call('POST', '/public/loyalty/logout', { headers }))[0]).toBe(401);
    expectStatus(await me(kept), 200);
    expectStatus(await me(await enter()), 200);
  });

  test('ends with all others when the way to sign in becomes another one', async () => {
    const shop = await newWorkspace();
    expectStatus(await shop.put(':ws/portal-config', { is_enabled: true }), 200);
    const client = await newClient(shop);
    const { token } = (await openSession(shop, client.id)).body.data;
    const me = () => call('GET', '/public/loyalty/me', { headers: { 'x-client-token': token } });
    expectStatus(await me(), 200);
    expectStatus(await shop.put(':ws/portal-config', { cta_label: 'Order' }), 200);
    expectStatus(await me(), 200);
    expectStatus(await shop.put(':ws/portal-config', { login_mode: 'code' }), 200);
    expect(answer(await me())).toEqual([401, { error: 'invalid token' }]);
  });

  test('does not tell a foreign client, an inactive one and none apart', async () => {
    const foreign = await newClient(await newWorkspace());
    const inactive = await newClient(workspace, { status: 'inactive' });
    const anonymized = await newClient(workspace);
    expectStatus(await workspace.post(`:ws/clients/${anonymized.id}/anonymize`), 200);
    for (const id of [foreign.id, inactive.id, anonymized.id, randomUUID()]) {
      expect(answer(await openSession(workspace, id))).toEqual([404, { error: 'not_found' }]);
    }
  });

  test('is 404 where there is no workspace or its portal is off', async () => {
    const off = await newWorkspace();
    const client = await newClient(off);
    expect(answer(await openSession(off, client.id))).toEqual(NOT_ENABLED);
    const nowhere = { ...off, slug: `no-${randomUUID()}` };
    expect(answer(await openSession(nowhere, client.id))).toEqual([
      404,
      { error: 'workspace not found' },
    ]);
  });

  test.each([
    ['nothing', {}],
    ['no client', { workspace_slug: 'x' }],
    ['no workspace', { client_id: randomUUID() }],
    ['a client that is no UUID', { workspace_slug: 'x', client_id: '42' }],
    ['both ways at once', { workspace_slug: 'x', client_id: randomUUID(), link_token: 'x' }],
  ])('is 400 with %s', async (_what, body) => {
    const reply = await call('POST', '/public/loyalty/session', { body });
    expect(answer(reply)).toEqual([400, { error: expect.any(String) }]);
  });

  test('takes no link that was not sealed here', async () => {
    const body = { workspace_slug: workspace.slug, link_token: 'x'.repeat(80) };
    expect(answer(await call('POST', '/public/loyalty/session', { body }))).toEqual(INVALID);
  });

  test('asks for more than an id where codes are the way in', async () => {
    const own = await newPortal({ login_mode: 'code' });
    const client = await newClient(own);
    const { status, body } = await openSession(own, client.id);
    expect([status, body]).toEqual([403, { error: expect.stringContaining('code') }]);
  });

  test('is limited to 20 a minute from one address', async () => {
    const address = { 'X-Forwarded-For': '10.99.1.1' };
    const body = { workspace_slug: workspace.slug, client_id: randomUUID() };
    const replies = await Promise.all(
      Array.from({ length: 22 }, () =>
        call('POST', '/public/loyalty/session', { body, headers: address }),
      ),
    );
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    expect(refused[0]!.body).toEqual({ error: expect.any(String) });
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

const TOKEN_ROUTES: [string, string][] = [
  ['GET', '/me'],
  ['POST', '/marketing-consent'],
  ['POST', '/erase'],
  ['GET', '/rewards'],
  ['GET', `/rewards/${randomUUID()}`],
  ['POST', `/rewards/${randomUUID()}/redeem`],
  ['POST', '/logout'],
  ['GET', '/balance'],
  ['GET', '/statement'],
  ['GET', '/passes'],
  ['GET', '/redemptions'],
  ['GET', '/tier'],
  ['GET', '/referral'],
];

describe('x-client-token', () => {
  const send = (method: string, path: string, options: object = {}) =>
    call(method, `/public/loyalty${path}`, {
      ...(method === 'POST' ? { body: {} } : {}),
      ...options,
    });

  test.each(TOKEN_ROUTES)('%s %s needs one, in the header', async (method, path) => {
    const { token } = await newCustomer(workspace);
    const required = [401, { error: 'token required' }];
    expect(answer(await send(method, path))).toEqual(required);
    expect(answer(await send(method, path, { query: { token } }))).toEqual(required);
    expect(answer(await send(method, path, { query: { 'x-client-token': token } }))).toEqual(
      required,
    );
    expect(answer(await send(method, path, { token }))).toEqual(required);
  });

  test.each(TOKEN_ROUTES)('%s %s takes no other token for one', async (method, path) => {
    for (const token of ['noise', workspace.token]) {
      const reply = await send(method, path, { headers: { 'x-client-token': token } });
      expect(answer(reply)).toEqual(INVALID);
    }
  });

  test('opens nothing of the members', async () => {
    const { token } = await newCustomer(workspace);
    const asBearer = await call('GET', `/workspace/${workspace.workspaceId}/clients`, { token });
    expect([asBearer.status, asBearer.body.errors[0].extensions.code]).toEqual([
      401,
      'INVALID_TOKEN',
    ]);
  });

  const everyGateway = (token: string) =>
    Promise.all(gateways().map((gateway) => portalCaller(token, gateway).get('/me')));

  test.each([
    ['anonymized', (id: string) => workspace.post(`:ws/clients/${id}/anonymize`)],
    ['deleted', (id: string) => workspace.del(`:ws/clients/${id}`)],
    ['made inactive', (id: string) => workspace.patch(`:ws/clients/${id}`, { status: 'inactive' })],
  ])('is worth nothing once its client was %s, on every gateway', async (_how, end) => {
    const customer = await newCustomer(workspace);
    for (const reply of await everyGateway(customer.token)) expect(reply.status).toBe(200);
    expectStatus(await end(customer.id), 200);
    for (const reply of await everyGateway(customer.token)) expect(answer(reply)).toEqual(INVALID);
  });

  test('is worth nothing while the portal is off, and something again after', async () => {
    const own = await newPortal();
    const customer = await newCustomer(own);
    for (const reply of await everyGateway(customer.token)) expect(reply.status).toBe(200);
    expectStatus(await own.put(':ws/portal-config', { is_enabled: false }), 200);
    for (const reply of await everyGateway(customer.token))
      expect(answer(reply)).toEqual(NOT_ENABLED);
    expectStatus(await own.put(':ws/portal-config', { is_enabled: true }), 200);
    for (const reply of await everyGateway(customer.token)) expect(reply.status).toBe(200);
  });

  test('is worth nothing once the workspace was deleted', async () => {
    const own = await newPortal();
    const customer = await newCustomer(own);
    expectStatus(await customer.get('/me'), 200);
    expectStatus(await own.del(':ws', { confirm_slug: own.slug }), 200);
    for (const reply of await everyGateway(customer.token))
      expect(answer(reply)).toEqual([403, { error: expect.any(String) }]);
  });
});

describe('GET /public/loyalty/me', () => {
  test('shows the client, and nothing that is not theirs to see', async () => {
    const customer = await newCustomer(workspace, {
      first_name: 'Ann',
      custom_fields: { city: 'Gdańsk' },
      marketing_consent: true,
    });
    expect(answer(await customer.get('/me'))).toEqual([
      200,
      {
        data: {
          id: customer.id,
          first_name: 'Ann',
          last_name: null,
          email: customer.email,
          custom_fields: { city: 'Gdańsk' },
          workspace_id: workspace.workspaceId,
          marketing_consent: true,
        },
      },
    ]);
  });
});

describe('POST /public/loyalty/marketing-consent', () => {
  const stored = async (id: string) =>
    expectStatus(await workspace.get(`:ws/clients/${id}`), 200).body.data;

  test('stamps the time and that it came from the portal', async () => {
    const customer = await newCustomer(workspace);
    const before = Date.now();
    expect(answer(await customer.post('/marketing-consent', { consent: true }))).toEqual([
      200,
      { data: { marketing_consent: true } },
    ]);
    const client = await stored(customer.id);
    expect([client.marketing_consent, client.marketing_consent_source]).toEqual([true, 'portal']);
    expect(Date.parse(client.marketing_consent_at)).toBeGreaterThanOrEqual(before - 1_000);
  });

  test('changes nothing when it says what holds already', async () => {
    const customer = await newCustomer(workspace, {
      marketing_consent: true,
      marketing_consent_text: 'I agree',
    });
    const first = await stored(customer.id);
    expectStatus(await customer.post('/marketing-consent', { consent: true }), 200);
    expect(await stored(customer.id)).toEqual(first);
    expectStatus(await customer.post('/marketing-consent', { consent: false }), 200);
    const withdrawn = await stored(customer.id);
    expect([withdrawn.marketing_consent, withdrawn.marketing_consent_source]).toEqual([
      false,
      'portal',
    ]);
  });

  test.each([[{}], [{ consent: 'yes' }], [{ consent: null }], [{ consent: true, extra: 1 }]])(
    'refuses %j',
    async (body) => {
      const customer = await newCustomer(workspace);
      const reply = await customer.post('/marketing-consent', body);
      expect(answer(reply)).toEqual([400, { error: expect.any(String) }]);
    },
  );
});

describe('POST /public/loyalty/erase', () => {
  const FAILED = [400, { error: 'verification_failed' }];
  const ERASED = [200, { data: { success: true } }];

  test('anonymizes a client who repeats their address, in any case', async () => {
    const customer = await newCustomer(workspace, {
      first_name: 'Ann',
      phone: '+48501234567',
      marketing_consent: true,
    });
    const email = `  ${customer.email.toUpperCase()} `;
    expect(answer(await customer.post('/erase', { email }))).toEqual(ERASED);
    const { body } = await workspace.get(`:ws/clients/${customer.id}`);
    expect(body.data).toMatchObject({
      status: 'anonymized',
      first_name: null,
      email: null,
      phone: null,
      marketing_consent: false,
      marketing_consent_source: 'anonymize',
      loyalty_program_enabled: false,
    });
    expect(answer(await customer.get('/me'))).toEqual(INVALID);
    expect(answer(await customer.post('/erase', { email }))).toEqual(INVALID);
  });

  test('asks for the phone where there is no address, whatever its spaces and dashes', async () => {
    const customer = await newCustomer(workspace, { email: null, phone: '+48 502-234-567' });
    expect(answer(await customer.post('/erase', { phone: '+48502234568' }))).toEqual(FAILED);
    expect(answer(await customer.post('/erase', { confirm_erase: true }))).toEqual(FAILED);
    expect(answer(await customer.post('/erase', { phone: '+4850-2234 567' }))).toEqual(ERASED);
  });

  test('takes a plain yes where neither is stored, and only there', async () => {
    const nobody = await newCustomer(workspace, { email: null });
    expect(answer(await nobody.post('/erase'))).toEqual(FAILED);
    expect(answer(await nobody.post('/erase', { confirm_erase: false }))).toEqual(FAILED);
    expect(answer(await nobody.post('/erase', { confirm_erase: true }))).toEqual(ERASED);
    const somebody = await newCustomer(workspace);
    const wrong = { email: 'else@example.com', phone: '1', confirm_erase: true };
    expect(answer(await somebody.post('/erase', wrong))).toEqual(FAILED);
    expect(answer(await somebody.post('/erase', {}))).toEqual(FAILED);
    expectStatus(await somebody.get('/me'), 200);
  });

  test('says so when the client is no more', async () => {
    const customer = await newCustomer(workspace);
    expectStatus(await workspace.del(`:ws/clients/${customer.id}`), 200);
    const reply = await customer.post('/erase', { email: customer.email });
    expect(answer(reply)).toEqual([404, { error: 'Client not found' }]);
  });

  test('is limited to 5 a minute from one address', async () => {
    const customer = await newCustomer(workspace);
    const address = { 'X-Forwarded-For': '10.99.2.2' };
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const reply = await customer.post('/erase', { email: 'x@example.com' }, address);
      statuses.push(reply.status);
      if (reply.status === 429) {
        expect(reply.body).toEqual({ error: expect.any(String) });
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });
});

describe('GET /public/loyalty/balance', () => {
  test('shows every active wallet, or the one of a type', async () => {
    const own = await newPortal();
    const points = await newWalletType(own, {
      name: 'Beans',
      unit_singular_name: 'bean',
      unit_plural_name: 'beans',
    });
    const stars = await newWalletType(own, { name: 'Stars', pending_days: 3 });
    const customer = await newCustomer(own);
    for (const wallet_type_code of [points.code, stars.code]) {
      const body = { client_id: customer.id, amount: 2.5, wallet_type_code };
      expectStatus(await own.post(':ws/loyalty/points/earn', body), 201);
    }
    const beans = {
      wallet_type_id: points.id,
      wallet_type_code: points.code,
      wallet_type_name: 'Beans',
      active_balance: 2.5,
      pending_balance: 0,
      unit_singular_name: 'bean',
      unit_plural_name: 'beans',
    };
    const starry = {
      wallet_type_id: stars.id,
      wallet_type_code: stars.code,
      wallet_type_name: 'Stars',
      active_balance: 0,
      pending_balance: 2.5,
      unit_singular_name: null,
      unit_plural_name: null,
    };
    expect(answer(await customer.get('/balance'))).toEqual([200, { data: [beans, starry] }]);
    expect(answer(await customer.get('/balance', { wallet_type_code: stars.code }))).toEqual([
      200,
      { data: [starry] },
    ]);
  });

  test('refuses a code that the workspace does not have, as the statement does, and shows no balance of a type that is switched off', async () => {
    const own = await newPortal();
    await newWalletType(own);
    const off = await newWalletType(own, { name: 'Old stars', active: false });
    const customer = await newCustomer(own);
    for (const path of ['/balance', '/statement'])
      expect(answer(await customer.get(path, { wallet_type_code: 'none' }))).toEqual([
        400,
        { error: 'there is no such wallet type in the workspace' },
      ]);
    const none = await customer.get('/balance', { wallet_type_code: off.code });
    expect(answer(none)).toEqual([200, { data: [] }]);
  });
});

describe('GET /public/loyalty/statement', () => {
  const MOVEMENT = {
    id: expect.any(String),
    type: expect.any(String),
    status: 'active',
    description: null,
    expires_at: null,
    created_at: expect.stringMatching(/Z$/),
  };

  test('tells what came and went with the balance after it, and what goes when, of one wallet', async () => {
    const own = await newPortal();
    const points = await newWalletType(own);
    const stars = await newWalletType(own, { name: 'Stars' });
    const [customer, other] = [await newCustomer(own), await newCustomer(own)];
    const earn = (client_id: string, amount: number, more: object = {}) =>
      own.post(':ws/loyalty/points/earn', { client_id, amount, ...more });
    const birthday = { description: 'Birthday', expiry_days: 10, metadata: { by: 'till 3' } };
    expectStatus(await earn(customer.id, 10.5, birthday), 201);
    expectStatus(await earn(customer.id, 4), 201);
    const spend = { client_id: customer.id, amount: 2.25 };
    expectStatus(await own.post(':ws/loyalty/points/spend', spend), 201);
    expectStatus(await earn(customer.id, 1, { wallet_type_code: stars.code }), 201);
    expectStatus(await earn(other.id, 99), 201);

    const { body } = expectStatus(await customer.get('/statement'), 200);
    const here = { ...MOVEMENT, wallet_type_code: points.code };
    const expires_at = expect.stringMatching(/Z$/);
    expect(body.data).toEqual([
      { ...here, type: 'spend', amount: -2.25, balance_after: 12.25 },
      { ...here, type: 'earn', amount: 4, balance_after: 14.5 },
      {
        ...here,
        type: 'earn',
        amount: 10.5,
        balance_after: 10.5,
        description: 'Birthday',
        expires_at,
      },
    ]);
    // Spending takes the oldest first.
    expect(body.meta).toEqual({
      total_count: 3,
      returned_count: 3,
      next_cursor: null,
      expiring: [{ amount: 8.25, expires_at }],
    });

    const first = expectStatus(await customer.get('/statement', { limit: 2 }), 200).body;
    expect(first.data).toEqual(body.data.slice(0, 2));
    const cursor = first.meta.next_cursor;
    const rest = expectStatus(await customer.get('/statement', { limit: 2, cursor }), 200).body;
    expect([rest.data, rest.meta.next_cursor]).toEqual([body.data.slice(2), null]);

    const named = await customer.get('/statement', { wallet_type_code: stars.code });
    expect(named.body.data).toEqual([expect.objectContaining({ amount: 1, balance_after: 1 })]);
    expect(named.body.meta.expiring).toEqual([]);
  });

  test.each([
    ['limit', 0],
    ['limit', 101],
    ['cursor', 'x'],
  ])('refuses a %s of %s', async (name, value) => {
    const customer = await newCustomer(workspace);
    const reply = await customer.get('/statement', { [name]: value });
    expect(answer(reply)).toEqual([400, { error: expect.any(String) }]);
  });
});

describe('GET /public/loyalty/passes', () => {
  test('leads to the client’s own cards again, and not to one that was voided', async () => {
    const own = await newPortal();
    const customer = await newCustomer(own);
    const other = await newCustomer(own);
    const cardOf = async (client_id: string) => {
      const { projectId: project_id, templateId: pass_template_id } = await newTemplate(own);
      const body = { project_id, pass_template_id, client_id };
      return expectStatus(await own.post(':ws/passes', body), 201).body.data;
    };
    const [card, voided] = [await cardOf(customer.id), await cardOf(customer.id)];
    await cardOf(other.id);
    expectStatus(await own.post(`/passes/${voided.id}/void`, {}), 200);
    expect(answer(await customer.get('/passes'))).toEqual([
      200,
      {
        data: [
          {
            id: card.id,
            name: 'Coffee',
            barcode_value: card.barcode_value,
            apple_pass_url: card.apple_pass_url,
            google_pass_url: card.google_pass_url,
          },
        ],
      },
    ]);
  });
});

describe('GET /public/loyalty/tier', () => {
  test('is null twice without a tier set', async () => {
    const customer = await newCustomer(workspace);
    expect(answer(await customer.get('/tier'))).toEqual([
      200,
      { data: { tier_set: null, progress: null } },
    ]);
  });

  test('shows of the set what a member may see, and the way to the next tier', async () => {
    const own = await newPortal();
    await newWalletType(own);
    const set = { name: 'Club', conditions: [{ type: 'total_earned' }] };
    expectStatus(await own.post(':ws/tiers/set', set), 201);
    const tier = (name: string, sort_order: number, total_earned: number) =>
      own.post(':ws/tiers', { name, sort_order, condition_values: { total_earned } });
    expectStatus(await tier('Bronze', 0, 0), 201);
    expectStatus(await tier('Gold', 1, 100), 201);
    const customer = await newCustomer(own);
    expectStatus(
      await own.post(':ws/loyalty/points/earn', { client_id: customer.id, amount: 25 }),
      201,
    );
    const shown = await until(
      async () => {
        const { body } = expectStatus(await customer.get('/tier'), 200);
        return body.data.progress?.current_tier && body.data.progress.metric_value === 25
          ? body.data
          : null;
      },
      { what: 'the tier to follow the points' },
    );
    const member = (name: string, sort_order: number, total_earned: number) => ({
      id: expect.any(String),
      name,
      description: null,
      sort_order,
      kind: 'auto',
      condition_values: { total_earned },
      benefits: [],
      color: null,
      icon: null,
    });
    // Nothing of what staff set up behind a tier: pushes, cards, fields.
    const [bronze, gold] = [member('Bronze', 0, 0), member('Gold', 1, 100)];
    expect(shown).toEqual({
      tier_set: {
        id: expect.any(String),
        name: 'Club',
        active: true,
        conditions: [{ type: 'total_earned' }],
        tiers: [bronze, gold],
      },
      progress: {
        current_tier: bronze,
        next_tier: gold,
        progress_to_next: 0.25,
        metric: 'total_earned',
        currency: null,
        metric_value: 25,
        metric_target: 100,
      },
    });
  });
});

describe('GET /public/loyalty/referral', () => {
  test('is only { enabled: false } without a programme, and while it is switched off', async () => {
    const own = await newPortal();
    const customer = await newCustomer(own);
    const OFF = [200, { data: { enabled: false } }];
    expect(answer(await customer.get('/referral'))).toEqual(OFF);
    const program = { enabled: false, completion_criteria: 'first_transaction' };
    expectStatus(await own.put(':ws/referral-program', program), 200);
    expect(answer(await customer.get('/referral'))).toEqual(OFF);
  });

  test('gives the client one code for good, and counts what it brought', async () => {
    const own = await newPortal();
    const program = { enabled: true, completion_criteria: 'first_transaction' };
    expectStatus(await own.put(':ws/referral-program', program), 200);
    const customer = await newCustomer(own);
    const { status, body } = await customer.get('/referral');
    expect([status, body]).toEqual([
      200,
      {
        data: {
          enabled: true,
          code: expect.stringMatching(/^[ABCDEFGHJKMNPQRSTUVWXYZ23456789]{8}$/),
          share_url: null,
          stats: { pending: 0, completed: 0, expired: 0, cancelled: 0 },
        },
      },
    ]);
    expect((await customer.get('/referral')).body).toEqual(body);
    const outsider = await newCustomer(own, { loyalty_program_enabled: false });
    expect((await outsider.get('/referral')).body.data).toMatchObject({
      enabled: true,
      code: null,
    });
  });
});
