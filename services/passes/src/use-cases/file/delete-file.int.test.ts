import sharp from 'sharp';
import { createHarness, type Harness } from '../../testing/harness';
import { createTemplate } from '../template/create-template';
import { updateTemplate } from '../template/update-template';
import { deleteFile } from './delete-file';
import { storeFile } from './store-file';

const ROUNDS = 10;

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

async function stored(): Promise<string> {
  const content = await sharp({ create: { width: 8, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const request = { workspace_id: harness.workspaceId, filename: 'a.png', content };
  return (await storeFile(harness.deps, request)).id;
}

/** Which of the two went through, when both are done. */
async function atOnce(id: string, taken: Promise<unknown>): Promise<boolean[]> {
  const deletion = deleteFile(harness.deps, { workspace_id: harness.workspaceId, id });
  const ends = await Promise.allSettled([deletion, taken]);
  return ends.map(({ status }) => status === 'fulfilled');
}

test('a file that is deleted while a template takes it up is either gone or shown, never both', async () => {
  const { deps, workspaceId: workspace_id } = harness;
  const { id: project_id } = await harness.project();
  const fields = { name: 'Card' };
  const { template } = await createTemplate(deps, { workspace_id, project_id, fields });
  for (let round = 0; round < ROUNDS; round += 1) {
    const [made, changed] = [await stored(), await stored()];
    const create = { workspace_id, project_id, fields: { ...fields, logo: made } };
    const update = { workspace_id, id: template!.id, fields: { logo: changed } };
    expect(await atOnce(made, createTemplate(deps, create))).not.toEqual([true, true]);
    expect(await atOnce(changed, updateTemplate(deps, update))).not.toEqual([true, true]);
  }
});
