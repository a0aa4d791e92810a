import { platform } from '@laurel/errors';
import { type ReferenceHolder, referenceDirectory } from '@laurel/rpc';
import { Harness } from '../testing/harness';
import { deleteReward } from './delete-reward';
import { importCoupons } from './import-coupons';

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
    'nobody can say whether a rule gives it',
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
