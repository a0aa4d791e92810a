import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@laurel/testing';
import { type Caller, call, callerFor } from './support/api';
import {
  expectStatus,
  newClient,
  newMember,
  newUser,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { runLaurel } from './support/laurel-program';
import { newProject, newTemplate } from './support/passes';
import { buy } from './support/purchases';

jest.setTimeout(300_000);

const EXAMPLES = path.resolve(__dirname, '../examples');
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
/** What a shop has set up, as its lists show it. */
const LISTS = [
  'automations',
  'campaigns',
  'data-model',
  'distributions',
  'pass-templates',
  'projects',
  'rewards',
  'segments',
  'tiers',
  'wallet-types',
  'webhooks',
];

let folder: string;
let shop: TestWorkspace;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-clone-'));
  cpSync(path.join(EXAMPLES, 'coffee-shop'), path.join(folder, 'shop'), { recursive: true });
  shop = await newWorkspace();
  const applied = await laurel(shop, 'programme', 'apply', 'shop');
  expect(applied).toMatchObject({ code: 0, err: '' });
  await furnish(shop);
});
afterAll(() => rmSync(folder, { recursive: true }));

const laurel = (workspace: TestWorkspace, ...parameters: string[]) =>
  runLaurel(folder, workspace, parameters);

/** What the example does not have: a campaign, a rule of ids, and a picture that nothing shows. */
async function furnish(workspace: TestWorkspace): Promise<void> {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(PIXEL)]), 'dot.png');
  body.set('workspace_id', workspace.workspaceId);
  expectStatus(await call('POST', '/files', { token: workspace.token, body }), 201);
  const { logo } = expectStatus(await workspace.get(':ws/brand'), 200).body.data;
  const project = await newProject(workspace, { key: 'cards' });
  const template = await newTemplate(workspace, { project_id: project, logo });
  const made = (path: string, fields: object) =>
    workspace.post(path, fields).then((reply) => expectStatus(reply, 201).body.data);
  await made(':ws/distributions', {
    name: 'Counter',
    project_id: project,
    pass_template_id: template.id,
  });
  const [segment] = expectStatus(await workspace.get(':ws/segments'), 200).body.data;
  await made(':ws/campaigns', { name: 'Hello', segment_id: segment.id });
}

async function clone(workspace: Caller, body: object): Promise<{ id: string; name: string }> {
  const begun = expectStatus(await workspace.post(':ws/clone', body), 202).body.data;
  return until(
    async () => {
      const { body } = expectStatus(await workspace.get(`:ws/clone/${begun.id}`), 200);
      if (body.data.status === 'failed') throw new Error(body.data.problem);
      return body.data.status === 'ready' ? body.data : null;
    },
    { withinMs: 120_000, everyMs: 200, what: 'the clone to be ready' },
  );
}

const cloned = async (workspace: TestWorkspace, body: object): Promise<TestWorkspace> => ({
  ...workspace,
  ...callerFor(workspace.token, (await clone(workspace, body)).id),
});

async function everything(workspace: Caller): Promise<Record<string, Record<string, unknown>[]>> {
  const lists = LISTS.map(async (list) => {
    const { body } = expectStatus(await workspace.get(`:ws/${list}`), 200);
    const rows = body.data.tiers ?? body.data;
    return [list, rows] as const;
  });
  return Object.fromEntries(await Promise.all(lists));
}

/** Rows with each id in the place of which it is the first to stand: the same where things are the same and named alike. */
function withoutIds(rows: unknown): unknown {
  const places = new Map<string, string>();
  const named = JSON.stringify(rows).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    if (!places.has(id)) places.set(id, `#${places.size}`);
    return places.get(id)!;
  });
  return JSON.parse(named);
}

describe('a clone of a workspace', () => {
  test('has everything that was set up, names its own things, and leaves the source as it was', async () => {
    const before = await everything(shop);
    const copy = await cloned(shop, { name: 'Second shop' });
    const [source, made] = [await everything(shop), await everything(copy)];
    expect(source).toEqual(before);
    const webhook = (row: object) => ({ ...row, active: false });
    source.webhooks = source.webhooks!.map(webhook);
    const form = (row: object) => ({ ...row, api_token_prefix: null });
    source.distributions = source.distributions!.map(form);
    expect(withoutIds(made)).toEqual(withoutIds(source));
    expect(source.automations!.length).toBeGreaterThan(3);
    const ids = new Set(JSON.stringify(source).match(/"id":"[0-9a-f-]{36}"/g));
    const shared = JSON.stringify(made)
      .match(/"id":"[0-9a-f-]{36}"/g)!
      .filter((id) => ids.has(id));
    expect(shared).toEqual([]);
  });

  test('looks like its source, with pictures of its own', async () => {
    const copy = await cloned(shop, { name: 'Look' });
    const [of, its] = await Promise.all(
      [shop, copy].map(async (each) => expectStatus(await each.get(':ws/brand'), 200).body.data),
    );
    expect(its.logo).not.toBe(of.logo);
    expect(its.logo).toEqual(expect.any(String));
    const [template, ...others] = expectStatus(await copy.get(':ws/pass-templates'), 200).body.data;
    expect(template.logo).toBe(its.logo);
    const shown = [its, template, ...others]
      .flatMap(({ logo, icon }) => [logo, icon])
      .filter(Boolean);
    const files = expectStatus(await copy.get(':ws/files'), 200).body.data;
    expect(new Set(files.map(({ id }: { id: string }) => id))).toEqual(new Set(shown));
  });

  test('pays the same points for the same purchase, and gives the same tier', async () => {
    const copy = await cloned(shop, { name: 'Same points', sandbox: true });
    const client = await newClient(copy, { loyalty_program_enabled: true });
    expect(expectStatus(await copy.get(':ws/clients'), 200).body.data).toHaveLength(1);
    await buy(copy, client.id, { amount: 301 });
    await until(async () => {
      const { body } = expectStatus(await copy.get(`:ws/clients/${client.id}/wallets`), 200);
      return body.data[0]?.wallet.active_balance >= 301;
    });
    await until(async () => {
      const { body } = expectStatus(await copy.get(`:ws/clients/${client.id}/tier`), 200);
      return JSON.stringify(body.data).includes('Regular');
    });
    const { body } = expectStatus(await shop.get(':ws/clients'), 200);
    expect(body.data).toEqual([]);
  });

  test('plans no change by the files of its source, and its webhook is switched on with a secret of its own', async () => {
    const copy = await cloned(shop, { name: 'By files' });
    const planned = await laurel(copy, 'programme', 'plan', 'shop');
    expect(planned.out).toContain('0 new, 0 to change');
    const [hook] = expectStatus(await copy.get(':ws/webhooks'), 200).body.data;
    expect(hook.active).toBe(false);
    const on = await copy.patch(`:ws/webhooks/${hook.id}`, { active: true });
    expect(expectStatus(on, 200).body.data.active).toBe(true);
    const rotated = await copy.post(`:ws/webhooks/${hook.id}/rotate-secret`, {});
    expect(expectStatus(rotated, 200).body.secret).toMatch(/^whsec_/);
  });

  test('is its maker’s, who is the only one in it, and both logs tell of it', async () => {
    const colleague = await newMember(shop);
    const begun = await clone(shop, { name: 'Mine' });
    const copy = callerFor(shop.token, begun.id);
    const { members } = expectStatus(await copy.get(':ws/members'), 200).body;
    expect(members).toMatchObject([{ role: 'admin' }]);
    expectStatus(await callerFor(colleague.token, begun.id).get(':ws'), 403);
    const [own] = expectStatus(await copy.get(':ws/audit-log'), 200).body.data;
    expect(own).toMatchObject({ action: 'workspaces.clone', entity_id: shop.workspaceId });
    await until(async () => {
      const { body } = expectStatus(await shop.get(':ws/audit-log'), 200);
      return body.data.some((row: { entity_id: string }) => row.entity_id === begun.id);
    });
  });
});

test('members go along with what they have earned and hold, in the same tier, and none can be recognized', async () => {
  const source = await newWorkspace();
  expect(await laurel(source, 'programme', 'apply', 'shop')).toMatchObject({ code: 0, err: '' });
  const anna = {
    first_name: 'Anna',
    email: `anna-${source.workspaceId}@example.com`,
    phone: '+48501234567',
    birth_date: '1990-05-05',
    loyalty_program_enabled: true,
  };
  const client = await newClient(source, anna);
  const book = (how: string, amount: number) =>
    source.post(`:ws/loyalty/points/${how}`, { client_id: client.id, amount });
  expectStatus(await book('earn', 400), 201);
  expectStatus(await book('spend', 150.5), 201);
  const said = await laurel(source, 'clone', 'With members', '--members', '10', '--json');
  expect(said).toMatchObject({ code: 0, err: '' });
  const made = JSON.parse(said.out);
  expect(made).toMatchObject({ name: 'With members', status: 'ready', members_copied: 1 });
  const copy = callerFor(source.token, made.id);
  const [member, ...others] = expectStatus(await copy.get(':ws/clients'), 200).body.data;
  expect(others).toEqual([]);
  expect(member.id).not.toBe(client.id);
  expect(member).toMatchObject({ first_name: 'Member', email: null, phone: null });
  const text = JSON.stringify([
    member,
    expectStatus(await copy.get(':ws/loyalty/points/ledger'), 200).body,
  ]);
  for (const personal of ['Anna', anna.email, anna.phone, anna.birth_date, client.id])
    expect(text).not.toContain(personal);
  const wallets = expectStatus(await copy.get(`:ws/clients/${member.id}/wallets`), 200).body.data;
  expect(wallets[0].wallet).toMatchObject({ active_balance: 249.5, total_earned: 400 });
  const chain = expectStatus(await copy.post(':ws/loyalty/points/verify'), 200).body.data;
  expect(chain).toMatchObject({ valid: true, entries_checked: 2 });
  await until(async () => {
    const { body } = expectStatus(await copy.get(`:ws/clients/${member.id}/tier`), 200);
    return JSON.stringify(body.data).includes('Regular');
  });
  const executions = expectStatus(await copy.get(':ws/automations/executions'), 200).body.data;
  expect(executions).toEqual([]);
});

test('what has happened stays in the source: nothing is used up, sent, given out or due in a clone', async () => {
  const source = await newWorkspace();
  const made = async (path: string, fields: object) => {
    const reply = await source.post(path, fields);
    return expectStatus(reply, path === ':ws/rewards' ? 200 : 201).body.data;
  };
  const { id: wallet_type_id } = await newWalletType(source, { is_default: true });
  const reward = await made(':ws/rewards', {
    name: 'First one',
    cost_in_points: 10,
    wallet_type_id,
    usage_limit: 1,
  });
  const richIn = async (workspace: Caller): Promise<string> => {
    const { id: client_id } = await newClient(workspace, { loyalty_program_enabled: true });
    const earned = { client_id, amount: 100 };
    expectStatus(await workspace.post(':ws/loyalty/points/earn', earned), 201);
    return client_id;
  };
  const redeem = async (workspace: Caller, reward_id: string) =>
    workspace.post(':ws/rewards/redeem', { reward_id, client_id: await richIn(workspace) });
  expectStatus(await redeem(source, reward.id), 200);
  expectStatus(await redeem(source, reward.id), 400);
  const manual_client_ids = [await richIn(source)];
  const campaign = await made(':ws/campaigns', { name: 'Listed', manual_client_ids });
  const template = await newTemplate(source, {});
  const form = await made(':ws/distributions', {
    name: 'Embedded',
    project_id: template.project_id,
    pass_template_id: template.id,
  });
  expectStatus(await source.post(`:ws/distributions/${form.id}/api-token/rotate`), 200);
  const roles = async (workspace: Caller) => (await workspace.get(':ws/roles')).body.data;
  const [admin] = await roles(source);
  const app = await made(':ws/mobile-app-config', { allowed_role_ids: [admin.id] });

  const copy = await cloned(source, { name: 'Fresh' });
  const first = async (list: string) => (await copy.get(`:ws/${list}`)).body.data[0];
  expectStatus(await redeem(copy, (await first('rewards')).id), 200);
  expect(await first('campaigns')).toMatchObject({
    name: campaign.name,
    status: 'draft',
    manual_client_ids: [],
  });
  expect(await first('distributions')).toMatchObject({
    name: form.name,
    pass_template_id: (await first('pass-templates')).id,
    api_token_prefix: null,
  });
  const its = expectStatus(await copy.get(':ws/mobile-app-config'), 200).body.data;
  expect(its.allowed_role_ids).toEqual([(await roles(copy))[0].id]);
  expect(its.id).not.toBe(app.id);
  const idsOf = ({ actions }: { actions: { id: string }[] }) => actions.map(({ id }) => id);
  expect(idsOf(its)).toHaveLength(idsOf(app).length);
  for (const id of idsOf(its)) expect(idsOf(app)).not.toContain(id);
});

describe('cloning', () => {
  test('is refused to strangers and to members without the permission, and no others see how far it is', async () => {
    const [stranger, member] = await Promise.all([newUser(), newMember(shop)]);
    const foreign = callerFor(stranger.token, shop.workspaceId);
    expectStatus(await foreign.post(':ws/clone', { name: 'Taken' }), 403);
    expectStatus(await member.post(':ws/clone', { name: 'Taken' }), 403);
    const { id } = await clone(shop, { name: 'Seen by one' });
    const other = await newWorkspace();
    expectStatus(await other.get(`:ws/clone/${id}`), 404);
    expectStatus(await foreign.get(`:ws/clone/${id}`), 403);
  });

  test('never brings members who can be recognized', async () => {
    const refused = await shop.post(':ws/clone', { name: 'Real', members: 3, anonymised: false });
    expectStatus(refused, 400);
    expect(refused.text).toContain('anonymised must be true');
  });

  test('is done once for one Idempotency-Key, and one at a time of one source', async () => {
    const source = await newWorkspace();
    const key = { 'Idempotency-Key': `clone-${source.workspaceId}` };
    const twice = [
      await source.post(':ws/clone', { name: 'Once' }, key),
      await source.post(':ws/clone', { name: 'Once' }, key),
    ].map((reply) => expectStatus(reply, 202).body.data.id);
    expect(twice[0]).toBe(twice[1]);
    const many = await Promise.all(
      Array.from({ length: 4 }, () => source.post(':ws/clone', { name: 'Many' })),
    );
    for (const { status } of many) expect([202, 409]).toContain(status);
    expect(many.some(({ status }) => status === 409)).toBe(true);
  });
});
