/**
 * A button at work takes no second click. It is not disabled meanwhile: that would take the focus from it, and a keyboard
 * would begin at the top of the page.
 */
export const isBusy = (button: HTMLButtonElement): boolean => button.hasAttribute('aria-disabled');

export function setBusy(button: HTMLButtonElement, busy: boolean): void {
  if (busy) button.setAttribute('aria-disabled', 'true');
  else button.removeAttribute('aria-disabled');
}
