import { type RefObject, useEffect } from 'react';

/** Where an element stands, from itself outwards: each parent with the place in it. */
type Place = readonly (readonly [parent: Element, at: number])[];

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

function placeOf(element: Element, within: Element): Place {
  const place: (readonly [Element, number])[] = [];
  for (let at = element; at !== within && at.parentElement; at = at.parentElement)
    place.push([at.parentElement, [...at.parentElement.children].indexOf(at)]);
  return place;
}

/** What can be worked on nearest to a place whose element is gone: what took it, what stood before it, what is around it. */
function nearest(place: Place): HTMLElement | null {
  const left = place.find(([parent]) => parent.isConnected);
  if (!left) return null;
  const [parent, at] = left;
  for (const one of [parent.children[at], parent.children[at - 1]]) {
    const found = one?.matches(FOCUSABLE) ? one : one?.querySelector(FOCUSABLE);
    if (found) return found as HTMLElement;
  }
  return parent.closest<HTMLElement>('[tabindex]');
}

/**
 * Keeps the focus where the member works when what had it goes, as a row that is deleted, or rests for a while, as a button
 * that is busy. Browsers begin at the top of the page then, and screen readers say nothing.
 */
export function useKeptFocus(within: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const area = within.current!;
    let last: HTMLElement | null = null;
    let place: Place = [];
    const note = ({ target }: FocusEvent) => {
      last = target as HTMLElement;
      place = placeOf(last, area);
    };
    const forget = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) last = null;
    };
    // A click beside everything takes the focus, and means to.
    const release = () => {
      last = null;
    };
    const watch = new MutationObserver(() => {
      if (!last || document.activeElement !== document.body) return;
      if (!last.isConnected) nearest(place)?.focus({ preventScroll: true });
      else if (!last.matches(':disabled')) last.focus({ preventScroll: true });
    });
    area.addEventListener('focusin', note);
    area.addEventListener('focusout', forget);
    document.addEventListener('pointerdown', release, true);
    watch.observe(area, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      area.removeEventListener('focusin', note);
      area.removeEventListener('focusout', forget);
      document.removeEventListener('pointerdown', release, true);
      watch.disconnect();
    };
  }, []);
}
