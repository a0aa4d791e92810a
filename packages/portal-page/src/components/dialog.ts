import { usePortal } from '../portal-context.ts';
import { rememberFocus } from '../remember-focus.ts';
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
    const goBack = rememberFocus();
    dialog?.showModal();
    return () => {
      dialog?.close();
      goBack();
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
