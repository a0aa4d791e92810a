import { type Language as LanguageOf, languageOf, languagesOf } from '@laurel/page-kit/language';
import type { Words } from './words/en';

export type WordKey = keyof Words;
export type Language = LanguageOf<WordKey>;
export type Say = Language['say'];

export const LANGUAGES = languagesOf<WordKey>({
  en: async () => (await import('./words/en')).en,
  de: async () => (await import('./words/de')).de,
  fr: async () => (await import('./words/fr')).fr,
  es: async () => (await import('./words/es')).es,
  pl: async () => (await import('./words/pl')).pl,
});

const KEPT = 'laurel-console-language';

/** What was chosen in this browser before. */
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

/** A language that was chosen, as the browser speaks it: English of Britain stays that, and so do its dates. */
export const localeOf = (code: string, wanted: readonly string[]): string =>
  languageOf([...wanted, code], [code]);

/** How each language calls itself. */
export const languageName = (code: string): string =>
  new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
