/**
 * Notes where the keyboard is. What is returned brings it back there, or to the heading of what it was in, else of the page,
 * where the button that had it is gone: what it was for may be used up, also by an answer that comes later.
 */
export function rememberFocus(): () => void {
  const had = document.activeElement;
  const row = had?.closest('li');
  const heading = () =>
    (row?.isConnected && row.querySelector<HTMLElement>('[tabindex="-1"]')) ||
    document.querySelector<HTMLElement>('main h1');
  return () => {
    if (!(had instanceof HTMLElement && had.isConnected)) return heading()?.focus();
    had.focus();
    whenGone(had, () => heading()?.focus());
  };
}

/** Does it once an element is gone that had the focus until then. */
function whenGone(element: HTMLElement, work: () => void): void {
  const stop = () => {
    watch.disconnect();
    document.removeEventListener('focusin', stop);
    document.removeEventListener('pointerdown', stop, true);
  };
  const watch = new MutationObserver(() => {
    if (element.isConnected) return;
    stop();
    if (document.activeElement === document.body) work();
  });
  watch.observe(document.body, { subtree: true, childList: true });
  // A visitor who goes on elsewhere is not called back.
  document.addEventListener('focusin', stop);
  document.addEventListener('pointerdown', stop, true);
}
