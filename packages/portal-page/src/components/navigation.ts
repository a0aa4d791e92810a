import { usePortal } from '../portal-context.ts';
import { html, type VNode } from '../vendor/preact.js';
import type { ViewName } from '../view-name.ts';
import { Icon } from './icons.ts';

/** The way between the views: at the bottom on a phone, at the top on a wide screen. */
export function Navigation({
  views,
  current,
}: {
  views: readonly ViewName[];
  current: ViewName;
}): VNode {
  const { say } = usePortal().language;
  return html`<nav class="navigation" aria-label=${say('nav.label')}>
    <ul>
      ${views.map(
        (view) => html`<li key=${view}>
          <a href=${`#/${view}`} aria-current=${view === current ? 'page' : undefined}>
            <${Icon} name=${view} />${say(`nav.${view}`)}
          </a>
        </li>`,
      )}
    </ul>
  </nav>`;
}
