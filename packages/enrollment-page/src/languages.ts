import { element } from './dom.ts';
import { createLanguage, LANGUAGES, type Language } from './language.ts';

/** The portal of the same origin looks there, too. */
const KEPT = 'laurel.language';

/** The language that the visitor chose on a page of ours; null where they never did, or the browser keeps nothing. */
export function chosenLanguage(): string | null {
  try {
    const chosen = localStorage.getItem(KEPT);
    return chosen !== null && chosen in LANGUAGES ? chosen : null;
  } catch {
    return null;
  }
}

function keep(code: string): void {
  try {
    localStorage.setItem(KEPT, code);
  } catch {
    // It holds for this page alone, then.
  }
}

/** A list of the languages, from which the page is shown again in another one. */
export function createChoice(
  language: Language,
  onChosen: (language: Language) => void,
): HTMLElement {
  const options = Object.keys(LANGUAGES).map((code) =>
    element('option', { value: code, lang: code, selected: code === language.code }, nameOf(code)),
  );
  const list = element('select', { 'aria-label': language.say('language') }, ...options);
  list.addEventListener('change', () => {
    keep(list.value);
    onChosen(createLanguage(list.value));
  });
  return element('p', { class: 'languages' }, list);
}

/** As the language calls itself, for a reader of no other. */
const nameOf = (code: string): string =>
  new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
