/** Told to a form, so that what is no number goes with the other changes: no state knows of it. */
export const TAKEN_BACK = 'laurel:taken-back';

/** What marks a field whose text is no number. */
export const NO_NUMBER = 'data-no-number';

/**
 * Whether a field below says something that is no number, which gets the focus: what is sent would leave it out, and be
 * judged without it. What stands aside is only tried.
 */
export function holdsNoNumber(within: Element | null | undefined): boolean {
  const wrong = within?.querySelector<HTMLElement>(`[${NO_NUMBER}]:not(aside *)`);
  wrong?.focus();
  return Boolean(wrong);
}
