import { EnrollmentError } from './api.ts';
import { element } from './dom.ts';
import type { Language } from './language.ts';

export type Heading = 'h1' | 'h2';

interface GoneOptions {
  language: Language;
  heading: Heading;
  why: Why;
}

/** Why there is no form to fill in: it is closed, may not be used here, does not exist, is away, or its link or the card has ended. */
export type Why = 'closed' | 'refused' | 'missing' | 'away' | 'ended' | 'over';

export function whyOf(error: unknown): Why {
  if (!(error instanceof EnrollmentError)) return 'away';
  const { status, isForeign } = error;
  if (status === 403) return isForeign ? 'refused' : 'closed';
  return status === 0 || status === 429 || status >= 500 ? 'away' : 'missing';
}

export function showGone(root: HTMLElement, { language, heading, why }: GoneOptions): void {
  const title = element(heading, { tabindex: '-1' }, language.say(`${why}.title`));
  const text = element('p', {}, language.say(`${why}.text`));
  root.lang = language.code;
  show(root, element('div', { class: 'gone' }, title, text));
}

/** The focus takes those to the change who cannot see it. */
export function show(root: HTMLElement, content: HTMLElement): void {
  root.replaceChildren(content);
  content.querySelector<HTMLElement>('h1, h2')?.focus();
}
