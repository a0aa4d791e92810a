import { sayError, usePortal } from '../portal-context.ts';
import type { Loaded } from '../use-loaded.ts';
import { html, type VNode } from '../vendor/preact.js';

/** What was fetched; until then its outline, and instead of it, when it could not be, a way to try again. */
export function Section<T>({
  of: { value, error, reload },
  show,
}: {
  of: Loaded<T>;
  show: (value: T) => VNode | VNode[] | null;
}): VNode | VNode[] | null {
  const { language } = usePortal();
  if (value !== null) return show(value);
  if (error === null)
    return html`<div class="card skeleton" aria-busy="true">
      <span class="sr-only">${language.say('loading')}</span>
    </div>`;
  return html`<div class="card trouble" role="alert">
    <p>${sayError(language, error)}</p>
    <button type="button" class="button quiet" onClick=${reload}>${language.say('retry')}</button>
  </div>`;
}
