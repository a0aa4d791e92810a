import { SPOKEN } from './language.ts';

/** The sign-up form of the same origin looks there, too. */
const KEPT = 'laurel.language';

/** The languages of the page, each as it calls itself, for a reader of no other. */
export const languages = (): { code: string; name: string }[] =>
  SPOKEN.map((code) => ({
    code,
    name: new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code,
  }));

/** The locale to speak: what the visitor chose on a page of ours, else what the page was given. */
export function chosenLocale(given: string): string {
  try {
    const chosen = localStorage.getItem(KEPT);
    const isOther = chosen !== null && SPOKEN.includes(chosen) && !given.startsWith(chosen);
    return isOther ? chosen : given;
  } catch {
    return given;
  }
}

/** Speaks another language from now on; the session stays. */
export function chooseLanguage(code: string): void {
  try {
    localStorage.setItem(KEPT, code);
    location.reload();
  } catch {
    // A browser that keeps nothing would come back in the same language.
  }
}
