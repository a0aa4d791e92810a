import { element } from './dom.ts';

/** How long a button says that it has copied. */
const SAID_MS = 2_000;

/** A button beside each block that somebody would type; what a program answers is not typed. */
export function addCopyButtons(page: Document): void {
  for (const block of page.querySelectorAll<HTMLElement>('pre:not(.is-output, .is-text)')) {
    const button = element('button', { type: 'button', className: 'copy' }, 'Copy');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, SAID_MS);
    });
    const frame = element('div', { className: 'block' });
    block.replaceWith(frame);
    frame.append(block, button);
  }
}
