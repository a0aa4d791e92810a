import { createLanguage, type Language as LanguageOf } from '@laurel/page-kit';
import type { Words } from './words/en';

const WORDS: Readonly<Record<string, () => Promise<Words>>> = {
  en: async () => (await import('./words/en')).en,
  de: async () => (await import('./words/de')).de,
  fr: async () => (await import('./words/fr')).fr,
  es: async () => (await import('./words/es')).es,
  pl: async () => (await import('./words/pl')).pl,
};

export const LANGUAGES: readonly string[] = Object.keys(WORDS);
export type WordKey = keyof Words;
export type Language = LanguageOf<WordKey>;

/** @param locale in one of the languages, with a region or without */
export async function loadLanguage(locale: string): Promise<Language> {
  return createLanguage(locale, await WORDS[locale.slice(0, 2).toLowerCase()]!());
}
