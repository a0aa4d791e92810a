import { element } from '../dom.ts';

/**
 * A button below the heading of each operation. The form, and the document that it is made of, come with the first click,
 * as most readers only read.
 */
export function addTryButtons(reference: Element): void {
  for (const heading of reference.querySelectorAll<HTMLElement>('h2[id*="."]')) {
    const button = element(
      'button',
      { type: 'button', className: 'button button-quiet' },
      'Try it',
    );
    button.setAttribute('aria-label', `Try it: ${heading.textContent}`);
    button.addEventListener('click', async () => {
      button.disabled = true;
      try {
        const { makeForm } = await import('./form.ts');
        const form = await makeForm(heading.id);
        button.replaceWith(form);
        form.querySelector<HTMLElement>('input, textarea, button')?.focus();
      } catch {
        button.disabled = false;
        button.textContent = 'No answer. Try again';
      }
    });
    heading.after(button);
  }
}
