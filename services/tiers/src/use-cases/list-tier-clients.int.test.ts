import { newId } from '@laurel/lifecycle';
import type { passes } from '@laurel/rpc';
import { createHarness, type Harness } from '../testing/harness';
import { createTier } from './create-tier';
import { listTierClients } from './list-tier-clients';
import { updateTier } from './update-tier';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

test('clients are listed by a template that is being migrated away, which no tier comes to name', async () => {
  const { gold } = await harness.levels();
  const { workspaceId: workspace_id, made } = harness;
  const [templateId, clientId] = [newId(), newId()];
  await harness.take(made.client(clientId), made.client(newId()));
  await harness.take(made.pass({ passId: newId(), clientId, templateId }));
  const GetTemplates = async ({ ids, with_migrating }: passes.IdsRequest) =>
    ({ templates: with_migrating ? ids.map((id) => ({ id })) : [] }) as never;
  const deps = { ...harness.deps, passTemplates: { GetTemplates } };
  const named = { workspace_id, pass_template_id: templateId };

  const page = { limit: 10, offset: 0, custom_fields: [] };
  const { clients, total } = await listTierClients(deps, { ...named, ...page });
  expect([clients.map(({ client_id }) => client_id), total]).toEqual([[clientId], 1]);
  const unknown = { httpStatus: 400, problems: [{ field: 'pass_template_id' }] };
  await expect(createTier(deps, { ...named, name: 'Amber' })).rejects.toMatchObject(unknown);
  await expect(updateTier(deps, { ...named, id: gold.id })).rejects.toMatchObject(unknown);
});
