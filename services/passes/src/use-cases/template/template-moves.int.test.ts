import { Harness } from '../../testing/enrollment-harness';
import { distributionBelongings } from '../distribution/belongings';
import { createProject } from '../project/create-project';
import { deleteProject } from '../project/delete-project';
import { updateTemplate } from './update-template';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

test('forms follow their template into another project: they give it out, and stay when the one before is deleted', async () => {
  const { workspaceId: workspace_id } = harness;
  const deps = { ...harness.deps, belongings: [distributionBelongings(harness.deps)] };
  const form = await harness.newDistribution();
  const { id: project_id } = await createProject(deps, { workspace_id, name: 'Elsewhere' });
  await updateTemplate(deps, { workspace_id, id: form.pass_template_id, project_id });
  await deleteProject(deps, { workspace_id, id: form.project_id });
  const { pass_id } = await harness.submit({
    door: { distribution_id: form.id },
    email: 'follows@mail.example',
  });
  const pass = await deps.passes.find(workspace_id, pass_id!);
  expect(pass).toMatchObject({ project_id, pass_template_id: form.pass_template_id });
});
