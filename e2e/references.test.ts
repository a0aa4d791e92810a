import { randomUUID } from 'node:crypto';
import type { CampaignAction, CampaignsCreateBody } from '@laurel/client';
import { actionIn, campaignIn, dataOf, rewardIn } from './support/campaigns';
import { newForm, newTemplate } from './support/enrollment';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from './support/factories';

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
  expectStatus(await workspace.post(':ws/tiers/set', { name: 'Set' }), 201);
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const made = async (path: string, body: object): Promise<string> => {
  const reply = await workspace.post(path, body);
  if (reply.status !== 200) expectStatus(reply, 201);
  return reply.body.data.id;
};

/** Something that names a thing, and how it stops doing so. */
interface User {
  used_by: { type: string; id: string; name: string };
  release: () => Promise<unknown>;
}

async function ruleWith(effect: object, conditions: object[] = []): Promise<User> {
  const name = `Rule ${randomUUID()}`;
  const body = { name, trigger_type: 'transaction', conditions, effects: [effect] };
  const id = await made(':ws/automations', body);
  const release = async () =>
    expectStatus(await workspace.patch(`:ws/automations/${id}`, { active: false }), 200);
  return { used_by: { type: 'rule', id, name }, release };
}

const asking = (condition: object) =>
  ruleWith({ type: 'send_push', title: 'Hi', body: 'Hello' }, [condition]);

type Doing = [type: CampaignAction['action_type'], config: Record<string, unknown>];

async function campaignWith(
  audience: Partial<CampaignsCreateBody>,
  ...[type, config]: Doing
): Promise<User> {
  const name = `Campaign ${randomUUID()}`;
  const { id } = await campaignIn(workspace, { name, ...audience });
  await actionIn(workspace, id, type, config);
  const body = { scheduled_at: inAnHour() };
  expectStatus(await workspace.post(`/campaigns/${id}/schedule`, body), 200);
  const release = async () =>
    expectStatus(await workspace.post(`/campaigns/${id}/unschedule`), 200);
  return { used_by: { type: 'campaign', id, name }, release };
}

const doing = async (...action: Doing) =>
  campaignWith({ manual_client_ids: [(await newClient(workspace)).id] }, ...action);

async function segmentWith(filter_type: string, filter_config: object): Promise<User> {
  const name = `Segment ${randomUUID()}`;
  const id = await made(':ws/segments', { name, filters: [{ filter_type, filter_config }] });
  const release = async () => expectStatus(await workspace.del(`/segments/${id}`), 200);
  return { used_by: { type: 'segment', id, name }, release };
}

async function tierWith(fields: object): Promise<User> {
  // Another test may have deleted the set.
  await workspace.post(':ws/tiers/set', { name: 'Set' });
  const name = `Tier ${randomUUID()}`;
  const tier = { name, kind: 'exclusive', color: '#FFD700', condition_values: {}, ...fields };
  const id = await made(':ws/tiers', tier);
  const release = async () =>
    expectStatus(await workspace.patch(`:ws/tiers/${id}`, { pass_template_id: null }), 200);
  return { used_by: { type: 'tier', id, name }, release };
}

/** Deleting is refused with all of them, and with those that are left, until none is. */
async function expectHeldBy(path: string, users: User[]): Promise<void> {
  for (const [released, { release }] of users.entries()) {
    const refused = expectStatus(await workspace.del(path), 409).body;
    const { code, used_by } = refused.error ?? refused.errors[0].extensions;
    expect(code).toBe('CONFLICT');
    const left = users.slice(released).map((user) => user.used_by);
    expect(new Set(used_by)).toEqual(new Set(left));
    expect(used_by).toHaveLength(left.length);
    await release();
  }
  expectStatus(await workspace.del(path), 200);
}

describe('what something in use names is not deleted, and the refusal says by what it is used', () => {
  test('a wallet type', async () => {
    const code = `w${Date.now()}`;
    const id = await made(':ws/wallet-types', { code: 'first', name: 'First' });
    const second = await made(':ws/wallet-types', { code, name: 'Stamps' });
    expect(id).not.toBe(second);
    const over = { wallet_type_code: code, operator: 'gt', value: 5 };
    const balance = { wallet_type_code: code, balance: 'active', operator: '_gt', value: 5 };
    await expectHeldBy(`:ws/wallet-types/${second}`, [
      await ruleWith({
        type: 'earn_points',
        wallet_type_code: code,
        amount_type: 'fixed',
        amount: 5,
      }),
      await asking({ type: 'wallet_balance', ...over }),
      await asking({ type: 'expression', expression: `wallet.${code}.active > 5.0` }),
      await segmentWith('wallet_balance', balance),
    ]);
  });

  test('a reward', async () => {
    const reward_id = await rewardIn(workspace);
    await expectHeldBy(`:ws/rewards/${reward_id}`, [
      await ruleWith({ type: 'give_reward', reward_id }),
      await doing('give_reward', { reward_ids: [await rewardIn(workspace), reward_id] }),
    ]);
  });

  test('a tier, alone and with its whole set', async () => {
    const tier = { name: 'Gold', kind: 'exclusive', color: '#FFD700', condition_values: {} };
    const tier_id = await made(':ws/tiers', tier);
    const kept = await made(':ws/tiers', { ...tier, name: 'Silver' });
    const users = [
      await ruleWith({ type: 'assign_tier', tier_id }),
      await asking({ type: 'tier', tier_id }),
      await doing('assign_tier', { tier_id }),
      await segmentWith('tier', { tier_ids: [tier_id] }),
    ];
    expectStatus(await workspace.del(':ws/tiers/set'), 409);
    await expectHeldBy(`:ws/tiers/${tier_id}`, users);
    await expectHeldBy(':ws/tiers/set', [await asking({ type: 'tier', tier_id: kept })]);
  });

  test('a segment', async () => {
    const segment_id = await made(':ws/segments', { name: 'Everybody' });
    const update = { custom_field_updates: { vip: true } };
    await expectHeldBy(`/segments/${segment_id}`, [
      await segmentWith('segment', { segment_id }),
      await asking({ type: 'segment', segment_id }),
      await campaignWith({ segment_id }, 'custom_field_update', update),
    ]);
  });

  test('a pass template: not deleted, nor migrated away, nor taken along by its project', async () => {
    const { projectId, templateId } = await newTemplate(workspace);
    const target = await newTemplate(workspace);
    const users = [
      await ruleWith({ type: 'switch_template', template_id: templateId }),
      await doing('template_switch', { target_template_id: templateId }),
      await segmentWith('pass', { has_pass: true, pass_template_ids: [templateId] }),
      await tierWith({ pass_template_id: templateId }),
    ];
    expectStatus(await workspace.del(`/projects/${projectId}`), 409);
    const migration = { target_template_id: target.templateId };
    const path = `/templates/${templateId}/migrate-and-delete`;
    const refused = expectStatus(await workspace.post(path, migration), 409).body.errors[0];
    expect(refused.extensions.used_by).toHaveLength(users.length);
    await expectHeldBy(`/pass-templates/${templateId}`, users);
  });

  test('a webhook, in the form of errors that webhooks have', async () => {
    const url = 'https://example.com/hook';
    const webhook_id = await made(':ws/webhooks', { url, event_types: ['*'] });
    await expectHeldBy(`:ws/webhooks/${webhook_id}`, [
      await ruleWith({ type: 'call_webhook', webhook_id }),
    ]);
  });

  test('a distribution, nor the project that it belongs to', async () => {
    const { id, projectId } = await newForm({}, workspace);
    const body = { enabled: true, completion_criteria: 'pass_install', distribution_id: id };
    const program = expectStatus(await workspace.put(':ws/referral-program', body), 200).body.data;
    const release = async () => expectStatus(await workspace.del(':ws/referral-program'), 200);
    expectStatus(await workspace.del(`/projects/${projectId}`), 409);
    const used_by = { type: 'referral_program', id: program.id, name: expect.any(String) };
    await expectHeldBy(`:ws/distributions/${id}`, [{ used_by, release }]);
  });
});

test('inactive rules, drafts and what has run keep nothing from being deleted', async () => {
  const reward_id = await rewardIn(workspace);
  await (await ruleWith({ type: 'give_reward', reward_id })).release();
  const { id } = await campaignIn(workspace, {
    manual_client_ids: [(await newClient(workspace)).id],
  });
  await actionIn(workspace, id, 'give_reward', { reward_ids: [reward_id] });
  expectStatus(await workspace.del(`:ws/rewards/${reward_id}`), 200);
  expect((await dataOf(workspace, `/campaigns/${id}`)).status).toBe('draft');
});

test('another workspace is neither asked nor named', async () => {
  const reward_id = await rewardIn(workspace);
  const rule = await ruleWith({ type: 'give_reward', reward_id });
  const stranger = await newWorkspace();
  expectStatus(await stranger.del(`:ws/rewards/${reward_id}`), 404);
  await rule.release();
  expectStatus(await workspace.del(`:ws/rewards/${reward_id}`), 200);
});
