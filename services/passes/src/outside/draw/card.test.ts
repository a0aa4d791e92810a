import { viewPass } from '../../domain/wallet/view';
import { sampleFacts, samplePass, sampleTemplate } from '../../testing/samples';
import { drawCard } from './card';
import { letterIcon } from './letter-icon';

test.each(['GENERIC', 'LOYALTY', 'EVENT_TICKET'] as const)(
  'the picture of a card shows the cover image of a %s, as the card itself does',
  async (pass_type) => {
    const colours = { background: '#aa0011', foreground: '#ffffff' };
    const [icon, cover] = await Promise.all(
      ['I', 'C'].map((letter) => letterIcon(letter, colours)),
    );
    const template = sampleTemplate({ pass_type, cover_image: 'https://example.com/a' });
    const view = viewPass(template, samplePass, sampleFacts());
    const draw = (shown: Buffer | null) =>
      drawCard(view, { icon: icon!, logo: null, cover: shown }, 'apple');
    expect((await draw(cover!)).equals(await draw(null))).toBe(false);
  },
);
