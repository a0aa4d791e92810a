import { LANGUAGES } from '@laurel/contract';
import { wordings } from './wordings';

test('consent is asked for in every language, in words of its own that say how long it holds', () => {
  const words = LANGUAGES.map((language) => wordings[language].consent);
  expect(new Set(words).size).toBe(LANGUAGES.length);
  // One sentence asks, the other says that it can be withdrawn.
  for (const one of words) expect(one).toMatch(/^\S.+\. \S.+\.$/);
});
