import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { type ReferenceHolder, referenceDirectory } from '@laurel/rpc';
import { underOneKey } from '@laurel/testing';
import { Harness } from '../testing/harness';
import { createReward } from './create-reward';
import { deleteReward } from './delete-reward';
import { importCoupons } from './import-coupons';
import { updateReward } from './update-reward';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const rule = { type: 'rule', id: 'r', name: 'Coffee for all' };

test.each<[string, ReferenceHolder['FindReferences'], object]>([
  [
    'a rule gives it',
    async () => ({ references: [rule] }),
    { httpStatus: 409, problems: [{ extensions: { used_by: [rule] } }] },
  ],
  [
    'automations cannot say whether a rule gives it',
    () => Promise.reject(platform.serviceUnavailable()),
    { httpStatus: 503 },
  ],
])('a reward stays with its coupons while %s', async (_why, FindReferences, refusal) => {
  const { id } = await harness.newReward();
  const row = { workspace_id: harness.workspaceId, id };
  await importCoupons(harness.deps, {
    workspace_id: harness.workspaceId,
    reward_id: id,
    codes: ['A', 'B'],
  });
  const events = harness.store.connection.collection('outbox');
  const before = await events.countDocuments({});
  const campaigns = { FindReferences: async () => ({ references: [] }) };
  const references = referenceDirectory({ automations: { FindReferences }, campaigns });
  await expect(deleteReward({ ...harness.deps, references }, row)).rejects.toMatchObject(refusal);
  expect(await harness.deps.rewards.reservationsOf(harness.workspaceId, id)).not.toBeNull();
  expect(await harness.store.connection.collection('coupons').countDocuments({})).toBe(2);
  expect(await events.countDocuments({})).toBe(before);
  const redeemed = { ...harness.deps, references };
  redeemed.redemptions = { ...redeemed.redemptions, isRedeemed: async () => true };
  await expect(deleteReward(redeemed, row)).rejects.toMatchObject(refusal);
  await deleteReward(harness.deps, row);
  expect(await harness.deps.rewards.reservationsOf(harness.workspaceId, id)).toBeNull();
});

test('the repeat of what was done to a reward is answered as the first time, though what it names, or it itself, is gone', async () => {
  const { workspaceId: workspace_id, deps, knownTiers } = harness;
  const tierId = newId();
  knownTiers.add(tierId);
  const fields = { name: 'Coffee', cost_in_points: 5, visibility_tiers: [tierId] };
  const create = underOneKey(() => createReward(deps, { workspace_id, ...fields } as never));
  const made = await create();
  const row = { workspace_id, id: made.id };
  const change = underOneKey(() => updateReward(deps, { ...row, ...fields } as never));
  const changed = await change();
  knownTiers.delete(tierId);
  expect(await create()).toEqual(made);
  expect(await change()).toEqual(changed);
  await expect(updateReward(deps, { ...row, ...fields } as never)).rejects.toMatchObject({
    problems: [{ field: 'visibility_tiers.0' }],
  });
  const remove = underOneKey(() => deleteReward(deps, row));
  expect([await remove(), await remove()]).toEqual([{}, {}]);
  await expect(deleteReward(deps, row)).rejects.toMatchObject({ httpStatus: 404 });
});

test('of changes of one reward at once under keys of their own each is made, and none is refused as late', async () => {
  const { id } = await harness.newReward();
  const row = { workspace_id: harness.workspaceId, id };
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  const changes = names.map((name) =>
    underOneKey(() => updateReward(harness.deps, { ...row, name } as never)),
  );
  const told = await Promise.all(changes.map((change) => change()));
  expect(told.map(({ name }) => name)).toEqual(names);
});

test('a reward stays whose only attempt becomes a redemption while it is looked for either', async () => {
  const { id } = await harness.newReward();
  const row = { workspace_id: harness.workspaceId, id };
  const { deps } = harness;
  let looks = 0;
  const isDoneByNow = () => {
    looks += 1;
    return looks > 1;
  };
  const asked = { ...deps };
  asked.attempts = { ...deps.attempts, isAnyOf: async () => !isDoneByNow() };
  asked.redemptions = { ...deps.redemptions, isRedeemed: async () => isDoneByNow() };
  await expect(deleteReward(asked, row)).rejects.toMatchObject({ httpStatus: 409 });
  expect(await deps.rewards.reservationsOf(harness.workspaceId, id)).not.toBeNull();
});

describe('codes that are imported while their reward is deleted', () => {
  const importing = (deps: typeof harness.deps, id: string) =>
    importCoupons(deps, {
      workspace_id: harness.workspaceId,
      reward_id: id,
      codes: ['CODE-1', 'CODE-2'],
    });
  const removing = (id: string) =>
    deleteReward(harness.deps, { workspace_id: harness.workspaceId, id });
  const codesThere = () => harness.store.connection.collection('coupons').countDocuments({});
  afterEach(async () => {
    const { id } = await harness.newReward();
    expect(await importing(harness.deps, id)).toEqual({ imported: 2, duplicates: 0 });
  });

  test('are refused where it went before, and free for another one', async () => {
    const { deps } = harness;
    const { id } = await harness.newReward();
    const rewards = { ...deps.rewards };
    rewards.holdForImport = async (...asked) => {
      await removing(id);
      return deps.rewards.holdForImport(...asked);
    };
    await expect(importing({ ...deps, rewards }, id)).rejects.toMatchObject({ httpStatus: 404 });
    expect(await codesThere()).toBe(0);
  });

  /** Time enough for a deletion that nothing keeps from the row; one that waits there is waited for no longer. */
  const lookedAt = async (id: string, times: number) => {
    const { deps, workspaceId } = harness;
    for (let count = 0; count < times; count += 1) await deps.rewards.find(workspaceId, id);
  };

  test.each([0, 1])(
    'go with it where it goes afterwards, as the %i before them',
    async (earlier) => {
      const { deps, workspaceId: workspace_id } = harness;
      const { id } = await harness.newReward();
      const codes = Array.from({ length: earlier }, (_, at) => `FIRST-${at}`);
      if (earlier > 0) await importCoupons(deps, { workspace_id, reward_id: id, codes });
      const coupons = { ...deps.coupons };
      let removal: Promise<unknown> | undefined;
      coupons.takenKeys = async (...asked) => {
        const taken = await deps.coupons.takenKeys(...asked);
        removal ??= removing(id);
        await Promise.race([removal, lookedAt(id, 50)]);
        return taken;
      };
      expect(await importing({ ...deps, coupons }, id)).toEqual({ imported: 2, duplicates: 0 });
      await removal;
      expect(await codesThere()).toBe(0);
    },
  );
});
