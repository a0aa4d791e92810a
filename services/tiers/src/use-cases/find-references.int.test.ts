import { newId } from '@laurel/lifecycle';
import { createHarness, type Harness } from '../testing/harness';
import { createTier } from './create-tier';
import { findReferences } from './find-references';
import { updateTier } from './update-tier';

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

test('without a tier set nothing is named', async () => {
  const { deps, workspaceId: workspace_id } = harness;
  const asked = { workspace_id, kind: 'pass_template', ids: [newId()] };
  expect(await findReferences(deps, asked)).toEqual({ references: [] });
});
