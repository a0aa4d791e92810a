import { useEffect, useRef } from 'react';
import { useGo } from '../parts/go';
import { PAGES } from './pages';

/** How long `g` waits for its letter. */
const LETTER_MS = 1_500;

/** What lies over the page is closed first: it asks about what is typed in it, and leaving the page would not. */
const isCovered = (): boolean => document.querySelector('[role=dialog]') !== null;

/** Single letters rest while a field has the focus. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Ctrl K finds, `g` and a letter goes, `/` filters, `c` creates, `?` lists; all of it can be clicked as well. */
export function useKeys({ onFind, onList }: { onFind(): void; onList(): void }): void {
  const go = useGo();
  const waitsSince = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isCovered()) onFind();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || isCovered()) return;
      if (Date.now() - waitsSince.current < LETTER_MS) {
        waitsSince.current = 0;
        const page = PAGES.find(({ letter }) => letter === event.key);
        if (page) go(page.to);
        return;
      }
      if (event.key === 'g') waitsSince.current = Date.now();
      else if (event.key === '?') onList();
      else if (event.key === '/' || event.key === 'c') {
        const marked = event.key === '/' ? '[data-key="/"]' : '[data-key="c"]';
        const found = document.querySelector<HTMLElement>(marked);
        if (!found) return;
        event.preventDefault();
        if (event.key === '/') found.focus();
        else found.click();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
