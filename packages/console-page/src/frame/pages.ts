import type { WordKey } from '../language';

/** What stands in the navigation, with the letter that goes there after `g`. */
export const PAGES: readonly { to: string; word: WordKey; letter: string; also?: string[] }[] = [
  { to: '/', word: 'nav.overview', letter: 'o' },
  { to: '/customers', word: 'nav.customers', letter: 'c' },
  { to: '/rewards', word: 'nav.rewards', letter: 'r' },
  { to: '/rules', word: 'nav.rules', letter: 'u' },
  { to: '/tiers', word: 'nav.tiers', letter: 't' },
  { to: '/campaigns', word: 'nav.campaigns', letter: 'm', also: ['/segments'] },
  { to: '/cards', word: 'nav.cards', letter: 'a', also: ['/forms'] },
  { to: '/till', word: 'nav.till', letter: 'l' },
  { to: '/connections', word: 'nav.connections', letter: 'n' },
  { to: '/settings', word: 'nav.settings', letter: 's' },
];
