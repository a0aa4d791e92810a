import { usePortal } from '../portal-context.ts';
import { html, useEffect, useState, type VNode } from '../vendor/preact.js';
import { Icon } from './icons.ts';

/** A browser that lets no page copy: the text stands beside the button. */
const notAllowed = (): undefined => undefined;

const SHOWN_MS = 2_000;

/**
 * Copies a text and says so on itself: a message elsewhere would be hidden behind a dialog. Where pages may
 * not write to the clipboard the text stands beside it, to be copied by hand.
 */
export function CopyButton({ text, label }: { text: string; label?: string }): VNode {
  const { say } = usePortal().language;
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => navigator.clipboard?.writeText(text).then(() => setCopied(true), notAllowed);
  const icon = html`<${Icon} name=${isCopied ? 'check' : 'copy'} />`;
  const words = say(isCopied ? 'copied' : 'copy');
  if (label === undefined)
    return html`<button type="button" class="button quiet" onClick=${copy}>
      ${icon}<span aria-live="polite">${words}</span>
    </button>`;
  return html`<button type="button" class="icon-button" onClick=${copy}>
    ${icon}<span class="sr-only" aria-live="polite">${`${words}: ${label}`}</span>
  </button>`;
}
