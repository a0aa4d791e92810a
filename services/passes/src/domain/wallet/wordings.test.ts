import { LANGUAGES } from '@laurel/contract';
import { cardWordings } from './wordings';

const { benefits, ...english } = cardWordings.en;

test('every line of a card has a name of its own in every language', () => {
  for (const language of LANGUAGES) {
    const { benefits: ofTier, ...words } = cardWordings[language];
    const labels = [...Object.values(words), ofTier(null)];
    for (const label of labels) expect(label).toMatch(/^\p{Lu}.+/u);
    expect(new Set(labels).size).toBe(Object.keys(english).length + 1);
  }
});

test('no language speaks in the words of another, but for what an app is called', () => {
  const said = LANGUAGES.flatMap((language) => {
    const { app: _app, benefits: ofTier, ...words } = cardWordings[language];
    return [...Object.values(words), ofTier(null)];
  });
  expect(new Set(said).size).toBe(said.length);
});

test('benefits are those of the tier by its name, where there is one', () => {
  for (const language of LANGUAGES) {
    const { benefits: ofTier } = cardWordings[language];
    expect(ofTier('Gold')).toContain('Gold');
    expect(ofTier('Gold').replace('Gold', '').length).toBeGreaterThan(3);
  }
  expect(benefits(null)).toBe('Your benefits');
});
