import { createLanguage, type Language } from './language.ts';
import { formStyle } from './style.ts';

/** What the gateway writes into a page: what it is to show, or why there is nothing. */
type Given<Shown> = ({ status: 200; locale: string } & Shown) | { status: number; locale: string };

/** Makes the page speak the language that it was given, and says what it is to show and where. */
export function openPage<Shown extends object>(): {
  given: Given<Shown>;
  language: Language;
  root: HTMLElement;
} {
  const given = JSON.parse(document.getElementById('enrollment')!.textContent!) as Given<Shown>;
  const language = createLanguage(given.locale);
  document.documentElement.lang = language.code;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, formStyle()];
  return { given, language, root: document.getElementById('app')! };
}
