import { createLanguage, type Language as LanguageOf } from '@laurel/page-kit/language';
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
export type Say = Language['say'];

const KEPT = 'laurel-console-language';

/** What whoever sits here chose before. */
export function keptLocale(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export function keepLocale(locale: string): void {
  try {
    localStorage.setItem(KEPT, locale);
  } catch {
    // Then it is asked of the browser again next time.
  }
}

/** @param locale in one of the languages, with a region or without */
export async function loadLanguage(locale: string): Promise<Language> {
  document.documentElement.lang = locale;
  return createLanguage(locale, await WORDS[locale.slice(0, 2).toLowerCase()]!());
}

/** How each language calls itself. */
export const languageName = (code: string): string =>
  new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
