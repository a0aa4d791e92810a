import { useEffect, useState } from 'react';

/** Sent to a form, so that what is no number goes with the other changes: no state knows of it. */
export const TAKEN_BACK = 'laurel:taken-back';

/** What marks a field whose text is no number. */
export const NO_NUMBER = 'data-no-number';

const HELD = `[${NO_NUMBER}]:not(aside *)`;

/** Whether the page says something that is no number: what is foretold from its state would be foretold of another number. */
export function useHoldsNoNumber(): boolean {
  const [holds, setHolds] = useState(false);
  useEffect(() => {
    const watch = new MutationObserver(() => setHolds(document.querySelector(HELD) !== null));
    const what = { subtree: true, childList: true, attributeFilter: [NO_NUMBER] };
    watch.observe(document.body, what);
    return () => watch.disconnect();
  }, []);
  return holds;
}

/**
 * Whether a field below says something that is no number, which gets the focus: what is sent would leave it out, and be
 * judged without it. What stands aside is only tried.
 */
export function holdsNoNumber(within: Element | null | undefined): boolean {
  const wrong = within?.querySelector<HTMLElement>(HELD);
  wrong?.focus();
  return Boolean(wrong);
}
