import { platform } from '@laurel/errors';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { createRule } from './create-rule';
import { createLastingRule, updateLastingRule } from './keep-references';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const REWARD = newId();
const giving = (reward_id = REWARD): api.RuleFields => ({
  name: 'Coffee',
  trigger_type: 'transaction',
  effects: [{ type: 'give_reward', reward_id }] as never,
});

/** The service among rewards that are there for so many questions. */
const depsWithReward = (questions: number): Deps => {
  let left = questions;
  const GetRewards = async ({ ids }: { ids: string[] }) => {
    left -= 1;
    return { rewards: left < 0 ? [] : ids.map((id) => ({ id }) as never) };
  };
  return { ...harness.deps, rewards: { ...harness.deps.rewards, GetRewards } };
};
const rules = () => harness.deps.rules.list(harness.workspaceId);
const missing = { code: 'INVALID_PAYLOAD', problems: [{ field: 'effects.0.reward_id' }] };
const creating = (deps: Deps) =>
  createLastingRule(deps, { workspace_id: harness.workspaceId, fields: giving() });

test('a rule whose reward is deleted while it is made is refused and not there, also under a key', async () => {
  await expect(creating(depsWithReward(1))).rejects.toMatchObject(missing);
  const context = systemContext({ operationId: newId(), operationKept: true });
  const asCaller = runInContext(context, () => creating(depsWithReward(1)));
  await expect(asCaller).rejects.toMatchObject(missing);
  expect(await rules()).toEqual([]);
});

test('a rule whose reward stays is made, and a repeat of that is no second look', async () => {
  const context = systemContext({ operationId: newId(), operationKept: true });
  const { id } = await runInContext(context, () => creating(depsWithReward(2)));
  harness.clock.advanceMs(60_000);
  const GetRewards = async ({ ids }: { ids: string[] }) => ({
    rewards: asked++ === 0 ? ids.map((one) => ({ id: one }) as never) : [],
  });
  let asked = 0;
  const later = { ...harness.deps, rewards: { ...harness.deps.rewards, GetRewards } };
  expect((await runInContext(context, () => creating(later))).id).toBe(id);
  expect((await rules()).map((rule) => [rule.id, rule.active])).toEqual([[id, true]]);
});

test('a rule that is switched on while its reward is deleted is switched off again', async () => {
  const fields = { ...giving(), active: false };
  const request = { workspace_id: harness.workspaceId, fields };
  const { id } = await createRule(depsWithReward(1), request);
  const switchingOn = { workspace_id: harness.workspaceId, id, fields: { active: true } };
  await expect(updateLastingRule(depsWithReward(1), switchingOn)).rejects.toMatchObject(missing);
  expect((await rules()).map(({ active }) => active)).toEqual([false]);
});

test('a rule that is switched on under a condition, too', async () => {
  const fields = { ...giving(), active: false };
  const request = { workspace_id: harness.workspaceId, fields };
  const { id } = await createRule(depsWithReward(1), request);
  const { etag } = await harness.readRule(id);
  const switchingOn = { workspace_id: harness.workspaceId, id, fields: { active: true } };
  const changed = runInContext(systemContext({ condition: [etag!] }), () =>
    updateLastingRule(depsWithReward(1), switchingOn),
  );
  await expect(changed).rejects.toMatchObject(missing);
  expect((await rules()).map(({ active }) => active)).toEqual([false]);
});

test('what a change leaves alone is not looked at again: a rule with a dead reward can be renamed and switched off', async () => {
  const { id } = await creating(depsWithReward(2));
  const changed = (fields: api.RuleFields) =>
    updateLastingRule(depsWithReward(0), { workspace_id: harness.workspaceId, id, fields });
  expect(await changed({ name: 'Tea' })).toMatchObject({ name: 'Tea', active: true });
  expect(await changed({ active: false })).toMatchObject({ name: 'Tea', active: false });
});

test('a rule that was written is answered as such, though it is unknown whether its reward is still there', async () => {
  const GetRewards = async ({ ids }: { ids: string[] }) => {
    asked += 1;
    if (asked > 1) throw platform.serviceUnavailable();
    return { rewards: ids.map((id) => ({ id }) as never) };
  };
  let asked = 0;
  const deps = { ...harness.deps, rewards: { ...harness.deps.rewards, GetRewards } };
  expect(await creating(deps)).toMatchObject({ active: true });
  expect(await rules()).toHaveLength(1);
});
