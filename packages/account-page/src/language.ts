import { type Language as LanguageOf, languagesOf } from '@laurel/page-kit';
import type { Words } from './words/en';

export type WordKey = keyof Words;
export type Language = LanguageOf<WordKey>;

export const LANGUAGES = languagesOf<WordKey>({
  en: async () => (await import('./words/en')).en,
  de: async () => (await import('./words/de')).de,
  fr: async () => (await import('./words/fr')).fr,
  es: async () => (await import('./words/es')).es,
  pl: async () => (await import('./words/pl')).pl,
});
