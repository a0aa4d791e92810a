import { sayError, usePortal } from '../portal-context.ts';
import { useWorking } from '../use-working.ts';
import { html, type VNode } from '../vendor/preact.js';

/** Brings the next page of a list, and says that it is on its way: on a slow network a tap without a sign is tapped again. */
export function MoreButton({ onMore }: { onMore: () => Promise<void> }): VNode {
  const { language, notify } = usePortal();
  const { say } = language;
  const [isWorking, during] = useWorking();
  const more = () => onMore().catch((error: unknown) => notify(sayError(language, error)));
  return html`<button
    type="button"
    class="button quiet wide"
    aria-disabled=${isWorking}
    onClick=${() => during(more)}
  >
    ${say(isWorking ? 'loading' : 'more')}
  </button>`;
}
