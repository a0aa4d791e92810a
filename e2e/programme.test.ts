import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@laurel/testing';
import { call } from './support/api';
import { onOneDay } from './support/days';
import { expectStatus, newWorkspace, type TestWorkspace } from './support/factories';
import { interruptLaurel, runLaurel } from './support/laurel-program';
import { openPlatformBetween } from './support/platform-between';
import { buy } from './support/purchases';

jest.setTimeout(300_000);

const EXAMPLES = path.resolve(__dirname, '../examples');

let folder: string;
let workspace: TestWorkspace;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-shop-'));
  cpSync(EXAMPLES, folder, { recursive: true });
  cpSync(path.join(EXAMPLES, 'coffee-shop'), path.join(folder, 'shop'), { recursive: true });
  workspace = await newWorkspace();
});
afterEach(() => rmSync(folder, { recursive: true }));

const laurel = (...parameters: string[]) =>
  runLaurel(folder, workspace, ['programme', ...parameters]);
const edit = (file: string, from: string, to: string) => {
  const name = path.join(folder, 'shop', file);
  const text = readFileSync(name, 'utf8');
  expect(text).toContain(from);
  writeFileSync(name, text.replace(from, to));
};

test('a coffee shop is planned, applied, changed by hand, planned again and pulled', async () => {
  const first = await laurel('plan', 'shop');
  expect(first).toMatchObject({ code: 5, err: '' });
  expect(first.out).toContain('+ reward free-coffee  Free coffee, 50 points');

  const applied = await laurel('apply', 'shop');
  expect(applied).toMatchObject({ code: 0, err: '' });
  expect(applied.out).toMatch(/secret of webhook crm, shown this once: whsec_/);
  expect(await laurel('plan', 'shop')).toMatchObject({ code: 0, err: '' });
  const again = await laurel('apply', 'shop');
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('✓ nothing to do')]);

  const { body } = expectStatus(await workspace.get(':ws/rewards'), 200);
  const coffee = body.data.find(({ name }: { name: string }) => name === 'Free coffee');
  expectStatus(await workspace.patch(`:ws/rewards/${coffee.id}`, { cost_in_points: 45 }), 200);
  expectStatus(
    await workspace.post(':ws/rewards', {
      name: 'Stranger',
      cost_in_points: 1,
      wallet_type_id: coffee.wallet_type_id,
    }),
    200,
  );
  const drift = await laurel('plan', 'shop');
  expect(drift.code).toBe(5);
  expect(drift.out).toContain('~ reward free-coffee  cost_in_points 45 → 50');
  expect(drift.out).toContain('not in the files: reward stranger');

  const regular = { email: 'ann@example.com', loyalty_program_enabled: true };
  const { id: client_id } = expectStatus(await workspace.post(':ws/clients', regular), 201).body
    .data;
  expectStatus(await workspace.post(':ws/loyalty/points/earn', { client_id, amount: 260 }), 201);
  edit('tiers.yaml', 'total_earned: 300', 'total_earned: 250');
  await until(async () => {
    const { out } = await laurel('plan', 'shop');
    return (
      out.includes('~ tier regular  condition_values.total_earned 300 → 250') &&
      out.includes('1 member: guest → regular')
    );
  });
  edit('tiers.yaml', 'total_earned: 250', 'total_earned: 300');
  expect((await laurel('apply', 'shop', '--overwrite', 'rewards/free-coffee')).code).toBe(0);

  // Files know what they made by its key: called otherwise by hand, it is called back, not made once more.
  expectStatus(await workspace.patch(`:ws/rewards/${coffee.id}`, { name: 'Espresso' }), 200);
  expect((await laurel('plan', 'shop')).out).toContain(
    '~ reward free-coffee  name Espresso → Free coffee',
  );

  expect(await laurel('pull', 'pulled', '--adopt')).toMatchObject({ code: 0, err: '' });
  expect(await laurel('plan', 'pulled')).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(path.join(folder, 'pulled/rules.yaml'), 'utf8')).toContain(
    'reward: birthday-cake',
  );
});

test('what was changed by hand is named with its author, left alone, and taken over or back', async () => {
  expect((await laurel('apply', 'shop')).code).toBe(0);
  const managed = expectStatus(await workspace.get(':ws/programmes/coffee-shop'), 200).body.data;
  expect(managed.managed.map(({ kind }: { kind: string }) => kind)).toContain('rules');

  const rewards = expectStatus(await workspace.get(':ws/rewards?key=free-coffee'), 200).body.data;
  const coffee = `:ws/rewards/${rewards[0].id}`;
  expectStatus(await workspace.patch(coffee, { cost_in_points: 45 }), 200);
  expectStatus(await workspace.patch(coffee, { description: 'No file speaks of it' }), 200);
  edit('rewards.yaml', 'cost_in_points: 220', 'cost_in_points: 230');

  const drift = await laurel('plan', 'shop');
  expect(drift.out).toContain('~ reward bag-of-beans  cost_in_points 220 → 230');
  expect(drift.out).toMatch(/! reward free-coffee {2}cost_in_points changed by hand, .+@.+, 20/);
  expect(drift.out.match(/^!/gm)).toHaveLength(1);

  const refused = await laurel('apply', 'shop');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('rewards/free-coffee') });
  expect((await workspace.get(coffee)).body.data.cost_in_points).toBe(45);

  expect((await laurel('pull', 'shop', '--only', 'rewards/free-coffee')).code).toBe(0);
  expect(readFileSync(path.join(folder, 'shop/rewards.yaml'), 'utf8')).toContain('45');
  expect((await laurel('apply', 'shop')).code).toBe(0);

  expectStatus(await workspace.patch(coffee, { cost_in_points: 40 }), 200);
  expect((await laurel('apply', 'shop')).code).toBe(1);
  const taken = await laurel('apply', 'shop', '--overwrite', 'rewards/free-coffee');
  expect(taken).toMatchObject({ code: 0, err: '' });
  expect((await workspace.get(coffee)).body.data.cost_in_points).toBe(45);
  expect((await laurel('plan', 'shop')).code).toBe(0);
});

test('what files own is noted by an apply that saw it as it is, and by no other', async () => {
  const path = `/workspace/${workspace.workspaceId}/programmes/mine`;
  const note = (key: string, headers: Record<string, string>) =>
    call('PUT', path, {
      token: workspace.token,
      body: { managed: [{ kind: 'rewards', key, fields: { name: 'a'.repeat(32) } }] },
      headers,
    });
  const first = expectStatus(await note('one', {}), 200).headers.get('etag')!;
  const second = expectStatus(await note('two', { 'If-Match': first }), 200).headers.get('etag')!;
  expect(second).not.toBe(first);
  expectStatus(await note('three', { 'If-Match': first }), 412);
  const { data } = (await workspace.get(':ws/programmes/mine')).body;
  expect(data.managed.map(({ key }: { key: string }) => key)).toEqual(['two']);
  const briefly = await call('PUT', path, {
    token: workspace.token,
    body: { changed: [{ kind: 'rewards', key: 'four', fields: {} }] },
    headers: { Prefer: 'return=minimal' },
  });
  const told = expectStatus(briefly, 200).body.data.managed;
  expect(told.map(({ key }: { key: string }) => key)).toEqual(['four']);
  const taken = expectStatus(
    await workspace.put(':ws/programmes/other', {
      managed: [{ kind: 'rewards', key: 'two', fields: {} }],
    }),
    409,
  );
  expect(taken.body.errors[0].extensions.reason).toBe('managed_elsewhere');
  expectStatus(await workspace.get(':ws/programmes/unknown'), 404);
});

test('what was deleted by hand is not made anew unasked', async () => {
  expect((await laurel('apply', 'shop')).code).toBe(0);
  const { data } = (await workspace.get(':ws/automations?key=double-tuesday')).body;
  expectStatus(await workspace.del(`:ws/automations/${data[0].id}`), 200);
  expect((await laurel('plan', 'shop')).out).toContain('! rule double-tuesday  deleted by hand');
  expect((await laurel('apply', 'shop')).code).toBe(1);
  expect((await laurel('apply', 'shop', '--overwrite', 'rules/double-tuesday')).code).toBe(0);
  expect((await workspace.get(':ws/automations?key=double-tuesday')).body.data).toHaveLength(1);
});

test('what files no longer name is switched off, or deleted with leave, and what others use is not', async () => {
  expect((await laurel('apply', 'shop')).code).toBe(0);
  const rewards = path.join(folder, 'shop/rewards.yaml');
  const all = readFileSync(rewards, 'utf8');
  const withoutBag = all.replace(/^ {2}bag-of-beans:[\s\S]*?(?=^ {2}\w)/m, '');
  expect(withoutBag).not.toContain('bag-of-beans');
  writeFileSync(rewards, withoutBag);
  const planned = await laurel('plan', 'shop');
  expect(planned.code).toBe(5);
  expect(planned.out).toContain('- reward bag-of-beans  no longer in the files: is switched off');
  expect(await laurel('apply', 'shop')).toMatchObject({ code: 0, err: '' });
  const [bag] = (await workspace.get(':ws/rewards?key=bag-of-beans')).body.data;
  expect(bag.active).toBe(false);
  // From then on it is the console's.
  const { out } = await laurel('plan', 'shop');
  expect(out).toContain('not in the files: reward bag-of-beans');

  const rules = path.join(folder, 'shop/rules.yaml');
  const kept = readFileSync(rules, 'utf8').replace(/^ {2}double-tuesday:[\s\S]*?(?=^ {2}\w)/m, '');
  writeFileSync(rules, `on_removal: delete\n${kept}`);
  const unasked = await laurel('apply', 'shop');
  expect([unasked.code, unasked.err]).toEqual([1, expect.stringContaining('--delete')]);
  expect((await workspace.get(':ws/automations?key=double-tuesday')).body.data).toHaveLength(1);
  expect(await laurel('apply', 'shop', '--delete')).toMatchObject({ code: 0, err: '' });
  expect((await workspace.get(':ws/automations?key=double-tuesday')).body.data).toEqual([]);
  expect((await laurel('plan', 'shop')).code).toBe(0);

  writeFileSync(rewards, withoutBag.replace(/^ {2}birthday-cake:.*$/m, ''));
  const used = await laurel('apply', 'shop', '--delete');
  expect([used.code, used.err]).toEqual([
    1,
    expect.stringContaining('used by rule "Cake on your birthday"'),
  ]);
  // It is still theirs, and still to go.
  expect((await laurel('plan', 'shop')).out).toContain('- reward birthday-cake');
});

test('cards, forms and campaigns stand in files too, also where tier and card name each other', async () => {
  rmSync(path.join(folder, 'shop/forms.yaml'));
  writeFileSync(
    path.join(folder, 'shop/cards.yaml'),
    `projects: { shop: { name: Corner Coffee } }
pass_templates:
  card: { project: shop, name: Bean card, background_color: "#3E2723" }
  gold: { project: shop, name: Gold card, tier: regular, front_fields: [{ label: Since, value: always }] }
distributions:
  counter: { project: shop, pass_template: card, name: Counter, delivery_mode: page, page_enabled: true }
campaigns:
  spring:
    name: Spring
    segment: sleepy
    actions: [{ action_type: push_notification, action_config: { notification_message: Spring is here } }]
`,
  );
  edit('tiers.yaml', 'pass_template: regulars-card', 'pass_template: gold');
  expect(await laurel('apply', 'shop')).toMatchObject({ code: 0, err: '' });
  expect(await laurel('plan', 'shop')).toMatchObject({ code: 0, err: '' });
  const [gold] = (await workspace.get(':ws/pass-templates?key=gold')).body.data;
  const [regular] = (await workspace.get(':ws/tiers?key=regular')).body.data;
  expect([regular.pass_template_id, gold.tier_id]).toEqual([gold.id, regular.id]);

  expect(await laurel('pull', 'pulled')).toMatchObject({ code: 0, err: '' });
  expect(await laurel('plan', 'pulled')).toMatchObject({ code: 0, err: '' });
  edit('cards.yaml', 'Spring is here', 'Spring is over');
  expect(await laurel('apply', 'shop')).toMatchObject({ code: 0, err: '' });
  const [spring] = (await workspace.get(':ws/campaigns?key=spring')).body.data;
  const { data: actions } = (await workspace.get(`/campaigns/${spring.id}/actions`)).body;
  expect(actions.map((one: { action_config: object }) => one.action_config)).toEqual([
    { notification_message: 'Spring is over' },
  ]);
});

test('where the platform says no it stops, says what is done, and goes on once the file is mended', async () => {
  edit('rules.yaml', 'floor(event.amount)', 'floor(event.nonsense');
  const stopped = await laurel('apply', 'shop');
  expect(stopped.code).toBe(1);
  expect(stopped.out).toMatch(/✗ \d+ of \d+ done\n {2}stopped at rule \S+ of rules\.yaml/);
  expect(stopped.out).toMatch(/secret of webhook crm, shown this once: whsec_/);
  expect(stopped.err).toContain('effects.0.amount_expression');
  edit('rules.yaml', 'floor(event.nonsense', 'floor(event.amount)');
  const left = JSON.parse((await laurel('plan', 'shop', '--json')).out);
  const open = left.steps.filter(({ action }: { action: string }) => action !== 'keep');
  expect(new Set(open.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['rules']));
  expect((await laurel('apply', 'shop')).code).toBe(0);
  expect((await laurel('plan', 'shop')).code).toBe(0);
});

/** Applies a programme, and makes a member of it. @returns their id */
async function joins(name: string): Promise<string> {
  expect(await laurel('apply', name)).toMatchObject({ code: 0, err: '' });
  expect(await laurel('plan', name)).toMatchObject({ code: 0, err: '' });
  const member = { email: 'ann@example.com', loyalty_program_enabled: true };
  return expectStatus(await workspace.post(':ws/clients', member), 201).body.data.id;
}

test('the fashion store’s points wait until goods can no longer come back', async () => {
  const id = await joins('fashion-store');
  await buy(workspace, id, { amount: 49.9 });
  await until(async () => {
    const { body } = await workspace.get(`:ws/clients/${id}/wallets`);
    expect(body.data).toEqual([
      expect.objectContaining({
        wallet: expect.objectContaining({ pending_balance: 49, active_balance: 0 }),
      }),
    ]);
    return true;
  });
});

test('the gym counts members who come twice a day once', () =>
  onOneDay(async () => {
    workspace = await newWorkspace();
    const client_id = await joins('gym');
    for (const external_id of ['first', 'second'])
      expectStatus(
        await workspace.post(':ws/custom-events', {
          client_id,
          event_type: 'check_in',
          external_id,
        }),
        201,
      );
    await until(async () => {
      const { body } = expectStatus(await workspace.get(':ws/automations'), 200);
      const rule = body.data.find(({ key }: { key: string }) => key === 'visit');
      const { data } = (
        await workspace.get(`:ws/automations/executions?automation_rule_id=${rule.id}`)
      ).body;
      return rule.usage.points === 1 && data.length === 2;
    });
  }, 'America/New_York'));

test('what was planned is applied only while it is what would happen', async () => {
  const { plan } = JSON.parse((await laurel('plan', 'shop', '--json')).out);
  expectStatus(await workspace.patch(':ws/settings', { default_locale: 'en-IE' }), 200);
  const moved = await laurel('apply', 'shop', '--as-planned', plan);
  expect(moved).toMatchObject({ code: 1, err: expect.stringContaining('plan again') });
  expect((await workspace.get(':ws/rewards')).body.data).toEqual([]);
  const again = JSON.parse((await laurel('plan', 'shop', '--json')).out).plan;
  expect((await laurel('apply', 'shop', '--as-planned', again)).code).toBe(0);
});

test('a plan that was kept is done as it was seen, or not at all, and holds no secret', async () => {
  expect((await laurel('apply', 'shop')).code).toBe(0);
  edit('rewards.yaml', 'cost_in_points: 220', 'cost_in_points: 230');
  edit('webhooks.yaml', 'Customer relations', 'What the shop keeps');
  expect(await laurel('plan', 'shop', '--out', 'plan.json')).toMatchObject({ code: 5, err: '' });
  const text = readFileSync(path.join(folder, 'plan.json'), 'utf8');
  expect(text).toContain('${env:CRM_HOOK_URL}');
  expect(text).not.toContain('crm.example.com');
  expect(text).not.toContain(workspace.token);

  // What no file speaks of is not in the plan's words, but it is another version of what it changes.
  const [bag] = (await workspace.get(':ws/rewards?key=bag-of-beans')).body.data;
  expectStatus(await workspace.patch(`:ws/rewards/${bag.id}`, { description: 'Whole' }), 200);
  const moved = await laurel('apply', 'plan.json');
  expect(moved).toMatchObject({
    code: 1,
    err: expect.stringContaining('the ground moved, plan again: somebody changed rewards/bag-of'),
  });
  expect((await workspace.get(`:ws/rewards/${bag.id}`)).body.data.cost_in_points).toBe(220);

  expect((await laurel('plan', 'shop', '--out', 'plan.json')).code).toBe(5);
  rmSync(path.join(folder, 'shop'), { recursive: true });
  expect(await laurel('apply', 'plan.json')).toMatchObject({ code: 0, err: '' });
  expect((await workspace.get(`:ws/rewards/${bag.id}`)).body.data.cost_in_points).toBe(230);
  expect((await laurel('apply', 'plan.json')).err).toContain('the ground moved, plan again');
  const elsewhere = await newWorkspace();
  expect(await laurel('apply', 'plan.json', '--workspace', elsewhere.workspaceId)).toMatchObject({
    code: 2,
    err: expect.stringContaining('is a plan for the workspace'),
  });
});

test('of two applies at once one is done as a whole, and the other says so and does nothing', async () => {
  expect((await laurel('apply', 'shop')).code).toBe(0);
  const prices = { 'one.json': 51, 'two.json': 52 };
  let before = 50;
  for (const [file, price] of Object.entries(prices)) {
    edit('rewards.yaml', `cost_in_points: ${before}`, `cost_in_points: ${price}`);
    edit('tiers.yaml', before === 50 ? '300' : '301', before === 50 ? '301' : '302');
    expect((await laurel('plan', 'shop', '--out', file)).code).toBe(5);
    before = price;
  }
  const ended = await Promise.all(Object.keys(prices).map((file) => laurel('apply', file)));
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
  const told = ended.find(({ code }) => code === 1)!;
  expect(told.err).toContain('the ground moved, plan again');
  expect(told.out).not.toContain('done');
  const [coffee] = (await workspace.get(':ws/rewards?key=free-coffee')).body.data;
  const [regular] = (await workspace.get(':ws/tiers?key=regular')).body.data;
  const won = ended[0]!.code === 0 ? [51, 301] : [52, 302];
  expect([coffee.cost_in_points, regular.condition_values.total_earned]).toEqual(won);
});

test('while somebody applies a programme no other does, not even the first time, and nothing is made twice', async () => {
  const turn = { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', seconds: 60 };
  expectStatus(await workspace.put(':ws/programmes/coffee-shop', { turn }), 200);
  const told = await laurel('apply', 'shop');
  expect(told).toMatchObject({
    code: 1,
    err: expect.stringMatching(/plan again: .+@.+ is applying this programme, until 20/),
  });
  expect((await workspace.get(':ws/rewards')).body.data).toEqual([]);
  const ended = { turn: { ...turn, seconds: 0 } };
  expectStatus(await workspace.put(':ws/programmes/coffee-shop', ended), 200);

  const together = await Promise.all([laurel('apply', 'shop'), laurel('apply', 'shop')]);
  expect(together.map(({ code }) => code)).toContain(0);
  for (const { code, err } of together) if (code !== 0) expect(err).toContain('the ground moved');
  expect((await laurel('plan', 'shop')).code).toBe(0);
  const { body } = await workspace.get(':ws/rewards');
  const keys = body.data.map(({ key }: { key: string }) => key);
  expect(keys.sort()).toEqual(['bag-of-beans', 'birthday-cake', 'free-coffee']);
  expect((await workspace.get(':ws/webhooks')).body.data).toHaveLength(1);
  const noted = (await workspace.get(':ws/programmes/coffee-shop')).body.data;
  expect(noted.turn).toBeNull();
});

test('an apply that looked while another one was at work sees all of it, and takes nothing of it for decisions by hand', async () => {
  let other: Awaited<ReturnType<typeof laurel>> | undefined;
  // The list of rewards is as it was before the other began, whatever is read after it as the other left it.
  const between = await openPlatformBetween(async (path) => {
    if (other || !path.endsWith('/rewards')) return;
    other = await laurel('apply', 'shop');
  });
  const late = await laurel('apply', 'shop', '--url', between.url);
  await between.stop();
  expect(other).toMatchObject({ code: 0, err: '' });
  expect(late).toMatchObject({ code: 0, err: '' });
  expect(late.out).toContain('✓ nothing to do');
});

test('an apply that is interrupted says what is done and keeps no other out: the same command goes on at once', async () => {
  // What it asks passes through this process: it cannot have ended before it is interrupted from here.
  const between = await openPlatformBetween(async () => undefined);
  const apply = ['programme', 'apply', 'shop', '--url', between.url];
  const stopped = await interruptLaurel(folder, workspace, apply);
  await between.stop();
  expect(stopped).toMatchObject({
    code: 1,
    out: expect.stringMatching(/✗ \d+ of \d+ done/),
    err: expect.stringContaining('interrupted; the same command goes on from there'),
  });
  expect((await workspace.get(':ws/programmes/coffee-shop')).body.data.turn).toBeNull();
  expect(await laurel('apply', 'shop')).toMatchObject({ code: 0, err: '' });
  expect(await laurel('plan', 'shop')).toMatchObject({ code: 0, err: '' });
});

test('what files call otherwise stays itself, and the line may go once it is applied', async () => {
  expect((await laurel('apply', 'shop')).code).toBe(0);
  const [coffee] = (await workspace.get(':ws/rewards?key=free-coffee')).body.data;
  edit('rewards.yaml', '  free-coffee:', '  coffee-for-free:');
  const scenarios = path.join(folder, 'shop/scenarios.yaml');
  rmSync(scenarios);
  writeFileSync(
    path.join(folder, 'shop/moved.yaml'),
    'moved: { rewards: { free-coffee: coffee-for-free } }\n',
  );
  const planned = await laurel('plan', 'shop');
  expect(planned.out).toContain('~ reward coffee-for-free  key free-coffee → coffee-for-free');
  expect(planned.out).toContain('0 new, 1 to change');
  expect(await laurel('apply', 'shop')).toMatchObject({ code: 0, err: '' });
  const moved = (await workspace.get(':ws/rewards?key=coffee-for-free')).body.data;
  expect(moved.map(({ id }: { id: string }) => id)).toEqual([coffee.id]);
  expect((await laurel('plan', 'shop')).code).toBe(0);
  rmSync(path.join(folder, 'shop/moved.yaml'));
  expect((await laurel('plan', 'shop')).code).toBe(0);

  // It is still theirs: the plan names what is changed by hand, under the new key.
  expectStatus(await workspace.patch(`:ws/rewards/${coffee.id}`, { cost_in_points: 45 }), 200);
  expect((await laurel('plan', 'shop')).out).toContain('! reward coffee-for-free  cost_in_points');
});

test('secrets that are shown once go to a file where one is named, and a rotated one is no drift', async () => {
  const applied = await laurel('apply', 'shop', '--secrets-out', 'secrets.jsonl');
  expect(applied).toMatchObject({ code: 0, err: '' });
  expect(applied.out).toContain('secret of webhook crm is in secrets.jsonl');
  expect(applied.out).not.toContain('whsec_');
  const secrets = path.join(folder, 'secrets.jsonl');
  expect(statSync(secrets).mode & 0o777).toBe(0o600);
  const kept = readFileSync(secrets, 'utf8');
  const [form, webhook] = kept
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const secret = expect.stringMatching(/^whsec_/);
  expect(webhook).toEqual({ kind: 'webhooks', key: 'crm', secret });
  expect(form).toMatchObject({ kind: 'distributions', key: 'website' });
  expectStatus(await call('GET', `/embed/distribution/${form.secret}/config`), 200);
  edit('rewards.yaml', 'cost_in_points: 220', 'cost_in_points: 230');
  const again = await laurel('apply', 'shop', '--secrets-out', 'secrets.jsonl');
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('is there already') });
  expect(readFileSync(secrets, 'utf8')).toBe(kept);
  edit('rewards.yaml', 'cost_in_points: 230', 'cost_in_points: 220');

  const [crm] = (await workspace.get(':ws/webhooks?key=crm')).body.data;
  expectStatus(await workspace.post(`:ws/webhooks/${crm.id}/rotate-secret`, {}), 200);
  expect((await laurel('plan', 'shop')).code).toBe(0);
});

test('pictures are uploaded once, are pulled with the cards that show them, and make the same cards elsewhere', async () => {
  expect(await laurel('apply', 'shop')).toMatchObject({ code: 0, err: '' });
  const filesNow = async () => (await workspace.get(':ws/files')).body.data as { id: string }[];
  const ids = (await filesNow()).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  const [card] = (await workspace.get(':ws/pass-templates?key=card')).body.data;
  expect(ids).toEqual(expect.arrayContaining([card.logo, card.icon]));
  expect(await laurel('apply', 'shop')).toMatchObject({
    code: 0,
    out: expect.stringContaining('✓ nothing to do'),
  });
  expect(await filesNow()).toHaveLength(2);

  expect(await laurel('pull', 'pulled')).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(path.join(folder, 'pulled/brand.yaml'), 'utf8')).toContain('./pictures/');
  expect(await laurel('plan', 'pulled')).toMatchObject({ code: 0, err: '' });
  workspace = await newWorkspace();
  expect(await laurel('apply', 'pulled')).toMatchObject({ code: 0, err: '' });
  expect(await filesNow()).toHaveLength(2);
  expect(await laurel('plan', 'pulled')).toMatchObject({ code: 0, err: '' });
});

test.each(['coffee-shop', 'fashion-store', 'gym'])('the scenarios of the %s hold', async (name) => {
  const junit = path.join(folder, 'scenarios.xml');
  const tried = await laurel('test', name, '--junit', junit);
  expect(tried.out).toContain('scenarios hold');
  expect(tried).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(junit, 'utf8')).toContain('failures="0"');
});

/** The next Monday of the other season: examples name moments in UTC, and go by the clocks of their shop. */
function mondayOfOtherSeason(timeZone: string): string {
  const zone = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offsetOn = (day: Date) =>
    zone.formatToParts(day).find(({ type }) => type === 'timeZoneName')!.value;
  const [coming, ...later] = Array.from({ length: 53 }, (_, week) => {
    const day = new Date();
    day.setUTCHours(12);
    day.setUTCDate(day.getUTCDate() + 8 - (day.getUTCDay() || 7) + 7 * week);
    return day;
  });
  const other = later.find((day) => offsetOn(day) !== offsetOn(coming!));
  return other!.toISOString().slice(0, 10);
}

test('the scenarios of the gym hold whatever its clocks are set to', async () => {
  const monday = mondayOfOtherSeason('America/New_York');
  const file = path.join(folder, 'gym/scenarios.yaml');
  const [head, ...scenarios] = readFileSync(file, 'utf8').split(/^(?= {2}\S)/m);
  // The others name no moment: they are tried above.
  const ofMondays = scenarios.filter((one) => one.includes('next monday'));
  const dated = ofMondays.map((one) =>
    one.replace(/next monday (\d\d:\d\d)/, `'${monday}T$1:00Z'`),
  );
  expect(dated.join('').match(/T\d\d:\d\d:00Z/g)).toHaveLength(3);
  writeFileSync(file, [head, ...dated].join(''));
  const tried = await laurel('test', 'gym');
  expect(tried).toMatchObject({ code: 0, out: expect.stringContaining('3 scenarios hold') });
});

test('a scenario that does not hold comes with what is and with the rules that ran, and nothing is left behind', async () => {
  const file = path.join(folder, 'shop/scenarios.yaml');
  writeFileSync(
    file,
    'scenarios: { a coffee is worth five: { given: { now: next wednesday 09:00 }, when: [{ purchase: 4.5 }], then: { beans: 5 } } }\n',
  );
  const tried = await laurel('test', 'shop');
  expect(tried.code).toBe(1);
  expect(tried.out).toContain('beans: expected 5, is 4');
  expect(tried.out).toContain('rule earn: success, 4 points');
  const { body } = await call('GET', '/workspaces', { token: workspace.token });
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([workspace.workspaceId]);
  writeFileSync(file, 'scenarios: { a typo: { then: { been: 5 } } }\n');
  expect(await laurel('test', 'shop')).toMatchObject({
    code: 2,
    err: expect.stringContaining('the files have no wallet type been'),
  });
});

test('what rules of files would do is said before they are applied: changed, left out, not there yet, and by another moment', async () => {
  expect((await laurel('apply', 'shop')).code).toBe(0);
  const anna = { email: 'anna@example.com', first_name: 'Anna', loyalty_program_enabled: true };
  const { id } = expectStatus(await workspace.post(':ws/clients', anna), 201).body.data;
  const simulated = async (...more: string[]) => {
    const { code, out, err } = await laurel('simulate', 'shop', anna.email, ...more);
    expect([code, err]).toEqual([0, '']);
    return out;
  };
  const tuesday = ['--purchase', '4.50', '--at', '2027-03-02T10:00:00Z'];
  expect(await simulated(...tuesday)).toContain('2 rules fire, 8 points');
  expect(await simulated('--purchase', '4.50', '--at', '2027-03-03T10:00:00Z', '--all')).toContain(
    '1 rule fires, 4 points',
  );

  edit(
    'rules.yaml',
    'amount_expression: floor(event.amount)',
    'amount_expression: 3 * floor(event.amount)',
  );
  const named = 'name: Double beans on Tuesdays\n    active: false';
  edit('rules.yaml', 'name: Double beans on Tuesdays', named);
  const changed = await simulated(...tuesday, '--all');
  expect(changed).toContain('✓ earn  earn 12 beans');
  expect(changed).toContain('- double-tuesday  the rule is switched off');
  const { body } = expectStatus(await workspace.get(':ws/automations?key=earn'), 200);
  expect(JSON.stringify(body.data)).not.toContain('3 * floor');

  const rules = path.join(folder, 'shop/rules.yaml');
  const text = readFileSync(rules, 'utf8');
  const gone = text.slice(text.indexOf('  double-tuesday:'), text.indexOf('  birthday:'));
  edit('rules.yaml', gone, '');
  expect(await simulated(...tuesday, '--all')).not.toContain('double-tuesday');

  edit(
    'rewards.yaml',
    'rewards:',
    'rewards:\n  tote-bag: { name: Tote bag, cost_in_points: 100, wallet_type: beans }',
  );
  edit(
    'rules.yaml',
    'rules:',
    `rules:
  tote:
    name: A bag for the first one
    trigger_type: custom_event
    trigger_config: { event_types: [visited] }
    effects: [{ type: give_reward, reward: tote-bag }]`,
  );
  expect(await simulated('--custom', 'visited')).toContain(
    '? tote  refers to rewards/tote-bag, which apply makes first',
  );
  expect((await laurel('apply', 'shop')).code).toBe(0);
  expect(await simulated('--custom', 'visited')).toContain('✓ tote  ');

  const answer = JSON.parse(await simulated(...tuesday, '--json'));
  expect(answer).toMatchObject({ matched: [{ key: 'earn', points: 12 }], left_out: [] });
  await buy(workspace, id, { amount: 4.5 });
  await until(async () => {
    const rows = await workspace.laurel.points.listWalletsForClient(id);
    return rows.some(({ wallet }) => wallet?.active_balance === answer.total_points);
  });
  expect(await laurel('simulate', 'shop', anna.email)).toMatchObject({
    code: 2,
    err: expect.stringContaining('say one of --purchase, --custom and --event'),
  });
});
