import { wrongGaps } from '@laurel/page-kit/testing/gaps';
import { takePairing } from './pairing-link';
import { de } from './words/de';
import { en } from './words/en';
import { es } from './words/es';
import { fr } from './words/fr';
import { pl } from './words/pl';

test('a pairing code leaves the address at once, and only a code is one', () => {
  const replaceState = jest.fn();
  const take = (hash: string) => takePairing({ hash, pathname: '/till/' }, { replaceState });
  expect(take('#pair=lisa%40example.com:075830')).toEqual({
    identifier: 'lisa@example.com',
    code: '075830',
  });
  expect(replaceState).toHaveBeenCalledWith(null, '', '/till/');
  expect(take('#pair=lisa')).toBeNull();
  // Mangled by what passed it on.
  expect(take('#pair=lisa%E0%A4:075830')).toBeNull();
  expect(take('')).toBeNull();
  expect(replaceState).toHaveBeenCalledTimes(3);
});

test.each(Object.entries({ de, fr, es, pl }))(
  '%s leaves the gaps that English leaves',
  (_, words) => {
    expect(wrongGaps(words, en)).toEqual([]);
  },
);
