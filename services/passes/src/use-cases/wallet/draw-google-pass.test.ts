import { viewPass } from '../../domain/wallet/view';
import { PASS_ID, sampleFacts, samplePass, sampleTemplate } from '../../testing/samples';
import { googlePassOf } from './draw-google-pass';
import type { RenderDeps } from './render';

const deps = {
  images: { addressOf: async () => null },
  publicUrl: 'https://example.com',
  clock: { now: () => new Date('2026-01-01T00:00:00Z') },
} as unknown as RenderDeps;

const pictureOf = async (changes: Parameters<typeof sampleTemplate>[0]): Promise<string> => {
  const template = sampleTemplate(changes);
  const view = viewPass(template, samplePass, sampleFacts());
  const drawn = await googlePassOf(deps, view, {
    issuerId: '33',
    template,
    pass: { id: PASS_ID },
  });
  return (drawn.class.programLogo as { sourceUri: { uri: string } }).sourceUri.uri;
};

test('the letter that stands for a template has another address once it looks otherwise, and else the same', async () => {
  const first = await pictureOf({});
  expect(await pictureOf({ location_message: 'Come in' })).toBe(first);
  const others = [{ background_color: '#123456' }, { logo_text: 'Bean' }, { name: 'Tea' }];
  const addresses = await Promise.all(others.map(pictureOf));
  expect(new Set([first, ...addresses]).size).toBe(4);
});
