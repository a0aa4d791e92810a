import { wrongGaps } from '@laurel/page-kit/testing/gaps';
import { de } from './words/de';
import { en } from './words/en';
import { es } from './words/es';
import { fr } from './words/fr';
import { pl } from './words/pl';

test.each(Object.entries({ de, es, fr, pl }))(
  '%s leaves the gaps that English leaves',
  (_, words) => {
    expect(wrongGaps(words, en)).toEqual([]);
  },
);
