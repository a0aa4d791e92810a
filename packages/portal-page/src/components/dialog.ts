import { usePortal } from '../portal-context.ts';
import { type ComponentChildren, html, useEffect, useRef, type VNode } from '../vendor/preact.js';
import { Icon } from './icons.ts';

/** A modal dialog of the browser's own: it keeps the focus, closes on Escape and gives the focus back. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children?: ComponentChildren;
}): VNode {
  const { say } = usePortal().language;
  const element = useRef<HTMLDialogElement | null>(null);
  useEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // The button that opened it may be gone by now: the reward may be used up.
      const isThere = opener instanceof HTMLElement && opener.isConnected;
      (isThere ? opener : document.querySelector<HTMLElement>('main h1'))?.focus();
    };
  }, []);
  return html`<dialog
    ref=${element}
    class="dialog"
    aria-labelledby="dialog-title"
    onCancel=${(event: Event) => {
      event.preventDefault();
      onClose();
    }}
    onClick=${(event: MouseEvent) => event.target === element.current && onClose()}
  >
    <div class="dialog-body">
      <header class="dialog-head">
        <h2 id="dialog-title">${title}</h2>
        <button type="button" class="icon-button" aria-label=${say('close')} onClick=${onClose}>
          <${Icon} name="close" />
        </button>
      </header>
      ${children}
    </div>
  </dialog>`;
}
