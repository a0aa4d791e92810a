import { call, type Reply } from './support/api';
import {
  expectStatus,
  inNewSession,
  newMember,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';

let workspace: TestWorkspace;
/** A colleague of the owner, in the same workspace. */
let colleague: Awaited<ReturnType<typeof newMember>>;
let projectId: string;
let templateId: string;

beforeAll(async () => {
  workspace = await newWorkspace();
  colleague = await newMember(workspace, 'admin');
  await newWalletType(workspace, { code: 'beans' });
  const project = await workspace.post(':ws/projects', { name: 'Cards' });
  projectId = expectStatus(project, 201).body.data.id;
  const template = await workspace.post(':ws/pass-templates', {
    name: 'Card',
    project_id: projectId,
  });
  templateId = expectStatus(template, 201).body.data.id;
  const set = { name: 'Regulars', conditions: [{ type: 'total_spending' }] };
  expectStatus(await workspace.post(':ws/tiers/set', set), 201);
  expectStatus(await workspace.post(':ws/mobile-app-config', {}), 201);
  expectStatus(await workspace.put(':ws/referral-program', program(1)), 200);
  expectStatus(await workspace.put(':ws/loyalty/config', {}), 201);
});

const program = (max: number) => ({
  enabled: true,
  completion_criteria: 'first_transaction',
  max_referrals_per_referrer: max,
});
const rule = {
  name: 'Earn',
  trigger_type: 'transaction',
  effects: [{ type: 'earn_points', wallet_type_code: 'beans', amount_type: 'fixed', amount: 1 }],
};
/** Makes one and says where it is. */
const made = async (place: string, one: string, body: object) => {
  const { status, body: answer } = await workspace.post(place, body);
  if (status >= 300) throw new Error(`${place}: ${JSON.stringify(answer)}`);
  return `${one}/${answer.data.id}`;
};
const named = (n: number) => ({ name: `Name ${n}` });
let codes = 0;
const newCode = (): number => {
  codes += 1;
  return codes;
};

/** Every kind of configuration with a GET of one: how one comes to be, and a change that shows. */
const KINDS: readonly (readonly [
  kind: string,
  make: () => Promise<string>,
  change: (n: number) => object,
  method?: 'PUT' | 'PATCH',
  ends?: 'stays',
])[] = [
  [
    'rewards',
    () => made(':ws/rewards', ':ws/rewards', { name: 'Coffee', cost_in_points: 5 }),
    named,
  ],
  ['rules', () => made(':ws/automations', ':ws/automations', rule), named],
  ['rules, by PUT', () => made(':ws/automations', ':ws/automations', rule), named, 'PUT'],
  ['segments', () => made(':ws/segments', '/segments', { name: 'All', filters: [] }), named],
  [
    'wallet types',
    () => made(':ws/wallet-types', ':ws/wallet-types', { code: `more_${newCode()}`, name: 'More' }),
    named,
  ],
  ['tiers', () => made(':ws/tiers', ':ws/tiers', { name: 'Guest', condition_values: {} }), named],
  ['the tier set', async () => ':ws/tiers/set', named],
  ['campaigns', () => made(':ws/campaigns', '/campaigns', { name: 'Hello' }), named],
  ['projects', () => made(':ws/projects', '/projects', { name: 'More' }), named],
  [
    'pass templates',
    () => made(':ws/pass-templates', '/pass-templates', { name: 'More', project_id: projectId }),
    named,
  ],
  [
    'distributions',
    () =>
      made(':ws/distributions', ':ws/distributions', {
        name: 'Counter',
        project_id: projectId,
        pass_template_id: templateId,
        delivery_mode: 'page',
      }),
    named,
  ],
  [
    'webhooks',
    () => made(':ws/webhooks', ':ws/webhooks', { url: 'https://a.example/', event_types: ['*'] }),
    (n) => ({ description: `Name ${n}` }),
  ],
  [
    'the config of the staff app',
    async () => ':ws/mobile-app-config',
    (n) => ({ is_enabled: n % 2 === 0 }),
  ],
  ['the referral program', async () => ':ws/referral-program', program, 'PUT'],
  [
    'settings',
    async () => ':ws/settings',
    (n) => ({ reply_to: `shop-${n}@shop.example` }),
    'PATCH',
    'stays',
  ],
  [
    'a mail',
    async () => ':ws/mails/pass/en',
    (n) => ({ subject: `Name ${n}`, text: 'Here is your card.' }),
    'PUT',
  ],
  ['the workspace itself', async () => ':ws', named, 'PATCH', 'stays'],
  [
    'app users',
    () =>
      made(':ws/mobile-app-users', ':ws/mobile-app-users', {
        email: `staff-${newCode()}@shop.example`,
      }),
    (n) => ({ first_name: `Name ${n}` }),
  ],
  [
    'the loyalty config',
    async () => ':ws/loyalty/config',
    (n) => ({ program_name: `Name ${n}` }),
    'PATCH',
    'stays',
  ],
  [
    'integrations',
    async () => {
      const config = { base_url: 'https://crm.example' };
      expectStatus(await workspace.put(':ws/integrations/crm_sync', { config }), 200);
      return ':ws/integrations/crm_sync';
    },
    (n) => ({ config: { base_url: `https://crm-${n}.example` } }),
    'PUT',
  ],
  ['the brand', async () => ':ws/brand', named, 'PUT', 'stays'],
  [
    'the config of the portal',
    async () => ':ws/portal-config',
    (n) => ({ welcome_title: `Name ${n}` }),
    'PUT',
    'stays',
  ],
];

const at = (path: string) => path.replace(/^:ws/, `/workspace/${workspace.workspaceId}`);
const tagOf = ({ headers }: Reply): string => headers.get('etag')!;
/** What an answer says of a refusal, in either form of errors. */
const toldIn = ({ body }: Reply) => body.errors?.[0].extensions ?? body.error;

const kinds = KINDS.map(([kind, make, change, method = 'PATCH', ends]) => {
  return { kind, make, change, method, isForGood: ends === 'stays' };
});
describe.each(kinds)('$kind', ({ make, change, method, isForGood }) => {
  // All kinds together ask more often than one session may.
  beforeAll(async () => {
    workspace = await inNewSession(workspace);
  });

  const ask = (path: string, ifMatch: string | undefined, n: number, verb: string = method) =>
    call(verb, at(path), {
      token: workspace.token,
      ...(verb === 'DELETE' ? {} : { body: change(n) }),
      headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch },
    });

  test('tell the version they are of, which moves with a change and with nothing else', async () => {
    const path = await make();
    const first = tagOf(expectStatus(await workspace.get(path), 200));
    expect(first).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(tagOf(await workspace.get(path))).toBe(first);
    const second = tagOf(expectStatus(await ask(path, undefined, 1), 200));
    expect(second).not.toBe(first);
    expect(tagOf(await workspace.get(path))).toBe(second);
  });

  test('are changed by those who saw them as they are, and shown to those who did not', async () => {
    const path = await make();
    const seen = tagOf(await workspace.get(path));
    expectStatus(await ask(path, seen, 2), 200);
    const before = (await workspace.get(path)).body;
    for (const verb of isForGood ? [method] : [method, 'DELETE']) {
      const refused = expectStatus(await ask(path, seen, 3, verb), 412);
      expect(toldIn(refused)).toMatchObject({
        code: 'PRECONDITION_FAILED',
        changed_at: expect.stringMatching(/^\d{4}-.*Z$/),
        changed_by: { type: 'user', email: workspace.owner.email },
      });
    }
    expect((await workspace.get(path)).body).toEqual(before);
  });

  test('of ten changes at once under one tag exactly one is made', async () => {
    const path = await make();
    const seen = tagOf(await workspace.get(path));
    const all = await Promise.all([...Array(10).keys()].map((n) => ask(path, seen, 100 + n)));
    const answers = all.map(({ status }) => status).sort();
    expect(answers).toEqual([200, ...Array(9).fill(412)]);
    const winner = all.find(({ status }) => status === 200)!;
    expect((await workspace.get(path)).body.data).toMatchObject(change(100 + all.indexOf(winner)));
  });

  test('take a list of tags, any version by *, and no weak tag', async () => {
    const path = await make();
    const tag = async () => tagOf(await workspace.get(path));
    expectStatus(await ask(path, `"x", ${await tag()},W/"y"`, 4), 200);
    expectStatus(await ask(path, '*', 5), 200);
    expectStatus(await ask(path, `W/${await tag()}`, 6), 412);
    expectStatus(await ask(path, '"x"', 7), 412);
    expectStatus(await ask(path, 'x', 8), 400);
    if (isForGood) return;
    const isEmpty = [':ws/mobile-app-config', ':ws/integrations/crm_sync'].includes(path);
    expectStatus(await ask(path, await tag(), 0, 'DELETE'), isEmpty ? 204 : 200);
    if (path === ':ws/referral-program') {
      // What is not there is of no version: only who names none may make it.
      expectStatus(await ask(path, '*', 9), 412);
      expectStatus(await ask(path, undefined, 9), 200);
    }
    if (path === ':ws/tiers/set')
      expectStatus(await workspace.post(path, { name: 'New', conditions: [] }), 201);
    if (path === ':ws/mobile-app-config') expectStatus(await workspace.post(path, {}), 201);
  });
});

test('a change names who made the one before, whichever member asks', async () => {
  const path = await made(':ws/rewards', ':ws/rewards', { name: 'Tea', cost_in_points: 5 });
  const seen = tagOf(await workspace.get(path));
  expectStatus(await colleague.patch(path, { name: 'Green tea' }), 200);
  const refused = await call('PATCH', at(path), {
    token: workspace.token,
    body: { name: 'Black tea' },
    headers: { 'If-Match': seen },
  });
  expect(toldIn(expectStatus(refused, 412))).toMatchObject({
    reason: 'changed_meanwhile',
    changed_by: { id: colleague.user.id, email: colleague.user.email },
  });
});

test('a row that was deleted and made anew under the same path is of another version', async () => {
  const seen = tagOf(await workspace.get(':ws/referral-program'));
  expectStatus(await workspace.del(':ws/referral-program'), 200);
  expectStatus(await workspace.put(':ws/referral-program', program(1)), 200);
  const refused = await call('PUT', at(':ws/referral-program'), {
    token: workspace.token,
    body: program(2),
    headers: { 'If-Match': seen },
  });
  expectStatus(refused, 412);
});

test('an action of the staff app is changed under the tag of the config that it is part of', async () => {
  const config = await workspace.get(':ws/mobile-app-config');
  const [action] = config.body.data.actions;
  const change = (name: string, ifMatch: string) =>
    call('PATCH', `/mobile-app-actions/${action.id}`, {
      token: workspace.token,
      body: { name },
      headers: { 'If-Match': ifMatch },
    });
  const changed = expectStatus(await change('First', tagOf(config)), 200);
  expectStatus(await change('Second', tagOf(config)), 412);
  expectStatus(await change('Third', tagOf(changed)), 200);
});

test('buttons of the staff app are added and moved by those who saw them as they are', async () => {
  const under = (path: string, body: object, ifMatch: string) =>
    call('POST', at(`:ws/mobile-app-config/actions${path}`), {
      token: workspace.token,
      body,
      headers: { 'If-Match': ifMatch },
    });
  const seen = tagOf(await workspace.get(':ws/mobile-app-config'));
  const button = { name: 'Purchase', action_type: 'add_transaction' };
  const added = expectStatus(await under('', button, seen), 201);
  expect(added.body.data).not.toHaveProperty('etag');
  expectStatus(await under('', button, seen), 412);
  const { actions } = (await workspace.get(':ws/mobile-app-config')).body.data;
  const action_ids = actions.map(({ id }: { id: string }) => id).reverse();
  expectStatus(await under('/reorder', { action_ids }, seen), 412);
  const moved = expectStatus(await under('/reorder', { action_ids }, tagOf(added)), 200);
  expect(tagOf(await workspace.get(':ws/mobile-app-config'))).toBe(tagOf(moved));
});

test('a campaign goes out as its sender saw it, and its actions are part of that', async () => {
  const segment = expectStatus(
    await workspace.post(':ws/segments', { name: 'Everybody', filters: [] }),
    201,
  ).body.data;
  const plan = { name: 'Hello', segment_id: segment.id };
  const place = await made(':ws/campaigns', '/campaigns', plan);
  const under = (verb: string, path: string, ifMatch: string, body?: object) =>
    call(verb, path, {
      token: workspace.token,
      ...(body ? { body } : {}),
      headers: { 'If-Match': ifMatch },
    });
  const seen = tagOf(await workspace.get(place));
  const said = (notification_message: string) => ({ action_config: { notification_message } });
  const message = { action_type: 'push_notification', ...said('Hello') };
  const added = expectStatus(await under('POST', `${place}/actions`, seen, message), 200);
  const action = `/campaign-actions/${added.body.data.id}`;
  const changed = expectStatus(await under('PATCH', action, tagOf(added), said('Hi')), 200);
  const action_ids = [added.body.data.id];
  const order = (tag: string) => under('POST', `${place}/actions/reorder`, tag, { action_ids });
  const ordered = expectStatus(await order(tagOf(changed)), 200);
  expect(tagOf(await workspace.get(place))).toBe(tagOf(ordered));
  for (const { body } of [added, changed, ordered])
    expect(JSON.stringify(body)).not.toContain('etag');

  const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
  expectStatus(await under('POST', `${place}/actions`, seen, message), 412);
  expectStatus(await under('PATCH', action, seen, said('Hey')), 412);
  expectStatus(await under('DELETE', action, seen), 412);
  expectStatus(await order(seen), 412);
  expectStatus(await under('POST', `${place}/schedule`, seen, { scheduled_at }), 412);
  expectStatus(await under('POST', `${place}/launch`, seen), 412);
  const at = { scheduled_at };
  const scheduled = expectStatus(await under('POST', `${place}/schedule`, tagOf(ordered), at), 200);
  expectStatus(await under('POST', `${place}/unschedule`, tagOf(ordered)), 412);
  const draft = expectStatus(await under('POST', `${place}/unschedule`, tagOf(scheduled)), 200);
  const left = expectStatus(await under('DELETE', action, tagOf(draft)), 200);
  expect(left.body).toEqual({ success: true, message: expect.any(String) });
});

test('the code of an embedded form is made anew only by one who saw the form as it is', async () => {
  const path = await made(':ws/distributions', ':ws/distributions', {
    name: 'Embedded',
    project_id: projectId,
    pass_template_id: templateId,
    delivery_mode: 'embed',
  });
  const seen = tagOf(await workspace.get(path));
  const rotate = (ifMatch: string) =>
    call('POST', at(`${path}/api-token/rotate`), {
      token: workspace.token,
      headers: { 'If-Match': ifMatch },
    });
  const made1 = expectStatus(await rotate(seen), 200);
  expect(made1.body.data).not.toHaveProperty('etag');
  expect(tagOf(await workspace.get(path))).toBe(tagOf(made1));
  expectStatus(await rotate(seen), 412);
  expectStatus(await rotate(tagOf(made1)), 200);
});

test('the name of a workspace is of the version of its settings, beside which it is shown', async () => {
  const seen = tagOf(await workspace.get(':ws'));
  expect(tagOf(await workspace.get(':ws/settings'))).toBe(seen);
  expectStatus(await workspace.patch(':ws/settings', { timezone: 'Europe/Warsaw' }), 200);
  const { headers, body } = await workspace.get(':ws');
  expect(body.data).toMatchObject({ timezone: 'Europe/Warsaw' });
  expect(headers.get('etag')).not.toBe(seen);
  const under = (path: string, change: object, ifMatch: string) =>
    call('PATCH', at(path), {
      token: workspace.token,
      body: change,
      headers: { 'If-Match': ifMatch },
    });
  const refused = await under(':ws', { name: 'Corner' }, seen);
  expect(toldIn(expectStatus(refused, 412))).toMatchObject({
    changed_by: { email: workspace.owner.email },
  });
  const renamed = expectStatus(await under(':ws', { name: 'Corner' }, headers.get('etag')!), 200);
  expectStatus(await under(':ws/settings', { timezone: 'UTC' }, headers.get('etag')!), 412);
  expectStatus(await under(':ws/settings', { timezone: 'UTC' }, tagOf(renamed)), 200);
});

test('an app user is of another version once a phone is paired, which shows', async () => {
  const email = `pairs-${newCode()}@shop.example`;
  const path = await made(':ws/mobile-app-users', ':ws/mobile-app-users', { email });
  const seen = tagOf(await workspace.get(path));
  const sent = await workspace.post(`${path}/send-pairing-code`, { delivery_method: 'none' });
  expect(tagOf(await workspace.get(path))).toBe(seen);
  const pairing = { identifier: email, code: expectStatus(sent, 200).body.code };
  expectStatus(await call('POST', '/mobile-app/auth/pair', { body: pairing }), 200);
  const paired = await workspace.get(path);
  expect(paired.body.data).toMatchObject({ status: 'paired' });
  expect(tagOf(paired)).not.toBe(seen);
  const suspended = (ifMatch: string) =>
    call('PATCH', at(path), {
      token: workspace.token,
      body: { status: 'suspended' },
      headers: { 'If-Match': ifMatch },
    });
  expectStatus(await suspended(seen), 412);
  expectStatus(await suspended(tagOf(paired)), 200);
});

test('who holds the tag of a row is shown what moved beside it all the same', async () => {
  const path = await made(':ws/webhooks', ':ws/webhooks', {
    url: 'https://a.example/',
    event_types: ['*'],
  });
  const seen = await workspace.get(path);
  const again = await call('GET', at(path), {
    token: workspace.token,
    headers: { 'If-None-Match': tagOf(seen) },
  });
  expect(expectStatus(again, 200).body).toEqual(seen.body);
});

test.each([
  [':ws/rewards', { name: 'Bun', cost_in_points: 5 }],
  [':ws/tiers', { name: 'Friend', condition_values: {} }],
  [':ws/segments', { name: 'All', filters: [] }],
  [':ws/webhooks', { url: 'https://b.example/', event_types: ['*'] }],
])('no answer of %s has a tag in it, whether it lists or makes', async (path, body) => {
  const made = await workspace.post(path, body);
  expect([200, 201]).toContain(made.status);
  expect(made.body.data).not.toHaveProperty('etag');
  const rows: { id: string }[] = expectStatus(await workspace.get(path), 200).body.data;
  expect(rows.map(({ id }) => id)).toContain(made.body.data.id);
  for (const row of rows) expect(row).not.toHaveProperty('etag');
});
