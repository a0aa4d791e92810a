import sharp from 'sharp';
import { createHarness, type Harness } from '../../testing/harness';
import { getAsset } from './get-asset';
import { storeFile } from './store-file';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.drop());

const FOUR: readonly number[] = [10, 20, 30, 40];

async function newFile(): Promise<string> {
  const create = { width: 80, height: 80, channels: 3 as const, background: 'red' };
  const content = await sharp({ create }).png().toBuffer();
  const { workspaceId: workspace_id } = harness;
  return (await storeFile(harness.deps, { workspace_id, filename: 'a.png', content })).id;
}

test('a hundred visitors at once get the same few pictures, each of which is read and drawn once', async () => {
  const id = await newFile();
  const open = jest.spyOn(harness.deps.files, 'open');
  const asked = Array.from({ length: 100 }, (_, at) => FOUR[at % FOUR.length]!);
  const pictures = await Promise.all(asked.map((width) => getAsset(harness.deps, { id, width })));
  expect(open).toHaveBeenCalledTimes(FOUR.length);
  open.mockRestore();
  const widths = pictures.map(async ({ content }) => (await sharp(content).metadata()).width);
  expect(await Promise.all(widths)).toEqual(asked);
});
