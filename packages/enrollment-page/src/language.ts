import { de } from './words/de.ts';
import { en, type Words } from './words/en.ts';
import { es } from './words/es.ts';
import { fr } from './words/fr.ts';
import { pl } from './words/pl.ts';

export const LANGUAGES: Readonly<Record<string, Words>> = { en, de, fr, es, pl };

export interface Language {
  /** What the page is marked with, e.g. pl. */
  code: string;
  /** A sentence; `{name}` stands for a parameter. */
  say(key: keyof Words, params?: Readonly<Record<string, string>>): string;
}

/** The language of a locale as far as the form speaks it, else English. */
export function createLanguage(locale: string): Language {
  const wanted = locale.slice(0, 2).toLowerCase();
  const code = wanted in LANGUAGES ? wanted : 'en';
  const words = LANGUAGES[code] ?? en;
  return {
    code,
    say: (key, params = {}) =>
      words[key].replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole),
  };
}
