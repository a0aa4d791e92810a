import { newId } from '@laurel/lifecycle';
import { Harness } from '../testing/harness';
import { findReferences } from './find-references';
import { updateReward } from './update-reward';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const named = async (kind: string, ids: string[], of = harness.workspaceId) => {
  const asked = { workspace_id: of, kind, ids: [newId(), ...ids] };
  return (await findReferences(harness.deps, asked)).references;
};
const change = (id: string, changes: object) =>
  harness.asCaller(() =>
    updateReward(harness.deps, { workspace_id: harness.workspaceId, id, ...changes }),
  );

test('a reward names the wallet type that pays for it, and the tiers and segments that it is for, while it is active', async () => {
  const [tier, other, segment] = [newId(), newId(), newId()];
  for (const id of [tier, other]) harness.knownTiers.add(id);
  harness.knownSegments.add(segment);
  const wanted = { visibility_tiers: [other, tier], visibility_segments: [segment] };
  const { id } = await harness.newReward({ name: 'Lunch', ...wanted });
  await harness.newReward({ name: 'For all', wallet_type_id: null });
  const { walletTypeId } = harness.ledger;
  const own = [{ type: 'reward', id, name: 'Lunch' }];
  expect(await named('wallet_type', ['points', walletTypeId])).toEqual(own);
  expect(await named('tier', [tier])).toEqual(own);
  expect(await named('segment', [segment])).toEqual(own);
  expect(await named('segment', [tier])).toEqual([]);
  expect(await named('reward', [id, tier])).toEqual([]);
  expect(await named('tier', [tier], newId())).toEqual([]);
  await change(id, { active: false });
  for (const kind of ['wallet_type', 'tier', 'segment'])
    expect(await named(kind, [walletTypeId, tier, segment])).toEqual([]);
});

test('a reward whose tier has gone while it was off is not switched on with it, and is without', async () => {
  const tier = newId();
  harness.knownTiers.add(tier);
  const { id } = await harness.newReward({ visibility_tiers: [tier] });
  await change(id, { active: false });
  harness.knownTiers.delete(tier);
  await change(id, { name: 'Renamed' });
  await expect(change(id, { active: true })).rejects.toMatchObject({
    code: 'INVALID_PAYLOAD',
    problems: [{ field: 'visibility_tiers.0' }],
  });
  const without = { active: true, visibility_tiers: [] };
  expect(await change(id, without)).toMatchObject({ active: true, visibility_tiers: [] });
});
