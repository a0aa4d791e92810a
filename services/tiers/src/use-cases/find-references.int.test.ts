import { newId } from '@laurel/lifecycle';
import { createHarness, type Harness } from '../testing/harness';
import { createTier } from './create-tier';
import { createTierSet } from './create-tier-set';
import { findReferences } from './find-references';
import { updateTier } from './update-tier';
import { updateTierSet } from './update-tier-set';

const STARS = { type: 'total_earned', wallet_type_code: 'stars' };

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

test('a tier names the template that it puts on passes, for as long as it does and in its workspace alone', async () => {
  await harness.levels();
  const { workspaceId: workspace_id } = harness;
  const pass_template_id = newId();
  const GetTemplates = async () => ({ templates: [{ id: pass_template_id }] }) as never;
  const deps = { ...harness.deps, passTemplates: { GetTemplates } };
  const { id, name } = await createTier(deps, { workspace_id, name: 'Amber', pass_template_id });
  const named = async (kind: string, ids: string[], of = workspace_id) =>
    (await findReferences(deps, { workspace_id: of, kind, ids })).references;
  const tier = { type: 'tier', id, name };
  expect(await named('pass_template', [newId(), pass_template_id])).toEqual([tier]);
  expect(await named('pass_template', [newId()])).toEqual([]);
  expect(await named('segment', [pass_template_id])).toEqual([]);
  expect(await named('pass_template', [pass_template_id], newId())).toEqual([]);
  await updateTier(deps, { workspace_id, id, pass_template_id: null });
  expect(await named('pass_template', [pass_template_id])).toEqual([]);
});

test('the tier set names the wallet types whose points it counts, while it is in force', async () => {
  const { workspaceId: workspace_id } = harness;
  const ListWalletTypes = async () => ({ wallet_types: [{ code: 'stars' } as never] });
  const deps = { ...harness.deps, ledger: { ListWalletTypes } };
  const set = await createTierSet(deps, { workspace_id, name: 'Levels' });
  const change = (fields: object) => updateTierSet(deps, { workspace_id, ...fields });
  const named = async (kind: string, ids: string[], of = workspace_id) =>
    (await findReferences(deps, { workspace_id: of, kind, ids })).references;
  const own = [{ type: 'tier_set', id: set.id, name: 'Levels' }];
  expect(await named('wallet_type', ['stars'])).toEqual([]);
  const conditions = { items: [{ type: 'transaction_count' }, STARS] };
  await change({ conditions });
  expect(await named('wallet_type', [newId(), 'stars'])).toEqual(own);
  expect(await named('wallet_type', ['points'])).toEqual([]);
  expect(await named('tier', ['stars'])).toEqual([]);
  expect(await named('wallet_type', ['stars'], newId())).toEqual([]);
  await change({ active: false });
  expect(await named('wallet_type', ['stars'])).toEqual([]);
});

test('without a tier set nothing is named', async () => {
  const { deps, workspaceId: workspace_id } = harness;
  const asked = { workspace_id, kind: 'pass_template', ids: [newId()] };
  expect(await findReferences(deps, asked)).toEqual({ references: [] });
});
