import sharp from 'sharp';
import { Harness } from '../../testing/wallet-harness';
import { getTemplateIcon } from './get-template-icon';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

test.each(['jpeg', 'webp', 'gif', 'png'] as const)(
  'the picture of a template is a PNG, whatever it is kept as (%s)',
  async (format) => {
    const { id } = await harness.newTemplate({ icon: 'https://example.com/icon' });
    const kept = await sharp({
      create: { width: 8, height: 4, channels: 3, background: '#c02040' },
    })
      [format]()
      .toBuffer();
    const images = { ...harness.deps.images, load: async () => kept };
    const { png } = await getTemplateIcon({ ...harness.deps, images }, { id });
    const { format: shown, width, height } = await sharp(png).metadata();
    expect([shown, width, height]).toEqual(['png', 8, 4]);
    if (format === 'png') expect(png).toEqual(kept);
  },
);
