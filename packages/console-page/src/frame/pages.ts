import type { WordKey } from '../language';

interface NavigationEntry {
  to: string;
  word: WordKey;
  /** Goes there after `g`. */
  letter: string;
  /** Further addresses that belong to it. */
  also?: string[];
  /** The lines of its picture, on a square of 24. */
  icon: string;
}

/** What stands in the navigation. */
export const PAGES: readonly NavigationEntry[] = [
  { to: '/', word: 'nav.overview', letter: 'o', icon: 'M4 20V10m6 10V4m6 16v-7m6 7H2' },
  {
    to: '/customers',
    word: 'nav.customers',
    letter: 'c',
    icon: 'M16 20v-1.5a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4V20m6.5-9a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M21 20v-1.5a4 4 0 0 0-3-3.9M15.5 4.2a3.5 3.5 0 0 1 0 6.7',
  },
  {
    to: '/rewards',
    word: 'nav.rewards',
    letter: 'r',
    icon: 'M4 12v8h16v-8M3 8h18v4H3zm9 0v12m0-12s-1-4.5-3.7-4.5a2.2 2.2 0 0 0 0 4.5zm0 0s1-4.5 3.7-4.5a2.2 2.2 0 0 1 0 4.5z',
  },
  { to: '/rules', word: 'nav.rules', letter: 'u', icon: 'M13 2.5 4 14h7l-1 7.5L19 10h-7z' },
  { to: '/tiers', word: 'nav.tiers', letter: 't', icon: 'M3 20h5v-5h5v-5h5V5h4' },
  {
    to: '/campaigns',
    word: 'nav.campaigns',
    letter: 'm',
    also: ['/segments'],
    icon: 'M3 10v4h4l9 4.5v-13L7 10zm16-1a4 4 0 0 1 0 6M7 14v5.5h3v-4',
  },
  {
    to: '/cards',
    word: 'nav.cards',
    letter: 'a',
    also: ['/forms'],
    icon: 'M5 5.5h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2zM3 10h18M7 14.5h4',
  },
  {
    to: '/till',
    word: 'nav.till',
    letter: 'l',
    icon: 'M8 2.5h8a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2zm2.5 16h3',
  },
  {
    to: '/connections',
    word: 'nav.connections',
    letter: 'n',
    icon: 'M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0zm6 9v4',
  },
  {
    to: '/settings',
    word: 'nav.settings',
    letter: 's',
    icon: 'M4 6h9m4 0h3M4 12h3m4 0h9M4 18h9m4 0h3M15 4v4m-6 2v4m6 2v4',
  },
];

/** What stands within a page, and is looked for by its own name. */
export const PARTS: readonly { to: string; tab?: string; word: WordKey }[] = [
  { to: '/segments', word: 'segments.title' },
  { to: '/forms', word: 'forms.title' },
  { to: '/rules', tab: 'friends', word: 'friends.title' },
  { to: '/connections', word: 'webhooks.title' },
  { to: '/settings', tab: 'brand', word: 'settings.brand' },
  { to: '/settings', tab: 'currencies', word: 'settings.currencies' },
  { to: '/settings', tab: 'fields', word: 'settings.fields' },
  { to: '/settings', tab: 'mails', word: 'settings.mails' },
  { to: '/settings', tab: 'portal', word: 'settings.portal' },
  { to: '/settings', tab: 'wallets', word: 'settings.wallets' },
  { to: '/settings', tab: 'team', word: 'settings.team' },
];
