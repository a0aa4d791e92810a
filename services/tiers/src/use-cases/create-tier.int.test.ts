import { newId } from '@laurel/lifecycle';
import { underOneKey } from '@laurel/testing';
import { createHarness, type Harness } from '../testing/harness';
import { createTier } from './create-tier';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

test('the repeat of a tier is answered as the first time, though its pass template is gone by then', async () => {
  await harness.levels();
  const pass_template_id = newId();
  let templates = [{ id: pass_template_id }];
  const GetTemplates = async () => ({ templates }) as never;
  const deps = { ...harness.deps, passTemplates: { GetTemplates } };
  const request = { workspace_id: harness.workspaceId, name: 'Platinum', pass_template_id };
  const make = underOneKey(() => createTier(deps, request));
  const first = await make();
  templates = [];
  expect(await make()).toEqual(first);
  await expect(createTier(deps, request)).rejects.toMatchObject({ httpStatus: 400 });
});
