import { newId } from '@laurel/lifecycle';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { viewPass } from '../../domain/wallet/view';
import { zipOf } from '../../outside/apple/zip';
import { letterIcon } from '../../outside/draw/letter-icon';
import { PASS_ID, sampleFacts, samplePass, sampleTemplate } from '../../testing/samples';
import { appleFiles, type RenderDeps } from './render';

const issue = {
  passTypeIdentifier: 'pass.com.example',
  teamIdentifier: 'ABCDE12345',
  serialNumber: PASS_ID,
  authenticationToken: 'a-token-of-a-pass',
  webServiceUrl: 'https://example.com/apple',
};
/** A picture per address, each its own. */
const deps = {
  images: {
    idOf: async (_workspaceId: string, source: string) => source,
    load: (_workspaceId: string, source: string) =>
      letterIcon(source.slice(-1), { background: '#ffffff', foreground: '#000000' }),
  },
} as unknown as RenderDeps;

function draw(
  changes: Parameters<typeof sampleTemplate>[0],
  workspaceId = newId(),
  { images }: Pick<RenderDeps, 'images'> = deps,
) {
  const view = viewPass(sampleTemplate(changes), samplePass, sampleFacts());
  return appleFiles({ ...deps, images }, { view, issue, workspaceId });
}
const digestOf = async (...design: Parameters<typeof draw>) => (await draw(...design)).digest;

test.each(['logo', 'cover_image'] as const)(
  'a %s of another look is another pass to its phones, the same one is none',
  async (picture) => {
    const [a, b] = ['https://example.com/a', 'https://example.com/b'];
    const first = await digestOf({ [picture]: a });
    expect(await digestOf({ [picture]: b })).not.toBe(first);
    expect(await digestOf({ [picture]: a })).toBe(first);
  },
);

test('a picture that was fetched anew from its address shows at once; the same one is drawn once for all', async () => {
  const logo = 'https://example.com/a';
  let file = 'file from before';
  const drawn: string[] = [];
  const images: RenderDeps['images'] = {
    ...deps.images,
    idOf: async () => file,
    load: (workspaceId, source) => {
      drawn.push(source);
      return deps.images.load(workspaceId, source);
    },
  };
  const workspaceId = newId();
  const digest = async () => (await draw({ logo }, workspaceId, { images })).digest;
  const first = await digest();
  expect(await digest()).toBe(first);
  file = 'file of today';
  expect(await digest()).not.toBe(first);
  expect(drawn).toEqual(['file from before', 'file of today']);
});

test.each([
  ['LOYALTY', 'strip@2x.png', '750x288'],
  ['OFFER', 'strip@2x.png', '750x288'],
  ['EVENT_TICKET', 'strip@2x.png', '750x196'],
  ['GENERIC', 'thumbnail@2x.png', '180x180'],
] as const)(
  'the cover image of a %s is %s in the size of its place',
  async (pass_type, name, size) => {
    const { files } = await draw({ pass_type, cover_image: 'https://example.com/a' });
    const contents = unzipSync(zipOf(files.map(({ entry }) => entry)));
    const { width, height } = await sharp(contents[name]!).metadata();
    expect(`${width}x${height}`).toBe(size);
  },
);
