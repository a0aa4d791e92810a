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

/** What stands in a row where something stood in another: the way to it from the row, the last step first. */
function counterpart(row: Element, way: Place): Element | undefined {
  let found: Element | undefined = row;
  for (const [, at] of [...way].reverse()) found = found?.children[at];
  return found?.matches(FOCUSABLE) ? found : undefined;
}

/**
 * What can be worked on nearest to a place whose element is gone: the same in what took its place or stood before it, such as
 * the button that deletes the next row, else the first of it, else what is around it.
 */
function nearest(place: Place): HTMLElement | null {
  const depth = place.findIndex(([parent]) => parent.isConnected);
  if (depth < 0) return null;
  const [parent, at] = place[depth]!;
  const way = place.slice(0, depth);
  for (const one of [parent.children[at], parent.children[at - 1]]) {
    if (!one) continue;
    const found = counterpart(one, way) ?? one.querySelector(FOCUSABLE);
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
