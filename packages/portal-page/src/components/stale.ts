import { isClosed, sayError, usePortal } from '../portal-context.ts';
import { rememberFocus } from '../remember-focus.ts';
import type { Loaded } from '../use-loaded.ts';
import { useWorking } from '../use-working.ts';
import { html, type VNode } from '../vendor/preact.js';

/**
 * Says of what stands there since before that it could not be fetched anew, and offers to try again; nothing while all of
 * it is of now. One for a view, since without a network all of its parts fail.
 */
export function Stale({ of }: { of: readonly Loaded<unknown>[] }): VNode | null {
  const { language } = usePortal();
  const { say, momentHere } = language;
  const [isWorking, during] = useWorking();
  const old = of.filter(({ value, error }) => value !== null && error !== null);
  const [first] = [...old].sort((a, b) => Number(a.cameAt) - Number(b.cameAt));
  if (!first) return null;
  const retry = () => {
    // The button goes once it has helped.
    rememberFocus()();
    return during(async () => void (await Promise.all(old.map(({ reload }) => reload()))));
  };
  const said = isClosed(first.error)
    ? sayError(language, first.error)
    : say('stale', { when: momentHere(first.cameAt!) });
  return html`<div class="notice stale" role="alert">
    <p>${said}</p>
    <button type="button" class="button quiet small" aria-disabled=${isWorking} onClick=${retry}>
      ${say(isWorking ? 'loading' : 'retry')}
    </button>
  </div>`;
}
