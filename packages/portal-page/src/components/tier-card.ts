import { usePortal } from '../portal-context.ts';
import type { Tier, TierProgress } from '../shapes.ts';
import { html, type VNode } from '../vendor/preact.js';
import { Icon } from './icons.ts';

/** The client's tier, the way to the next, and what the tier is good for; nothing without tiers. */
export function TierCard({ tier_set, progress }: TierProgress): VNode | null {
  const { say } = usePortal().language;
  if (!tier_set || !progress) return null;
  const { current_tier: current, next_tier: next } = progress;
  return html`<section class="card tier" aria-labelledby="tier-title">
    <h2 id="tier-title" class="card-title">${say('tier.title')}</h2>
    <p class="tier-name">
      <span class="tier-mark" style=${current?.color ? { background: current.color } : {}}>
        <${Icon} name="star" />
      </span>
      ${current?.name ?? say('tier.none')}
    </p>
    ${next ? html`<${Way} next=${next} progress=${progress} />` : current && html`<p class="hint">${say('tier.top')}</p>`}
    ${current && current.benefits.length > 0 && html`<${Benefits} of=${current} />`}
  </section>`;
}

function Way({
  next,
  progress,
}: {
  next: Tier;
  progress: NonNullable<TierProgress['progress']>;
}): VNode {
  const { say, number, money } = usePortal().language;
  const { progress_to_next, currency, metric_value, metric_target } = progress;
  const percent = Math.round(Math.min(1, Math.max(0, progress_to_next)) * 100);
  const missing = Math.max(0, (metric_target ?? 0) - (metric_value ?? 0));
  return html`<div>
    <div
      class="meter"
      role="progressbar"
      aria-label=${say('tier.progress', { name: next.name })}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${percent}
    >
      <span class="meter-fill" style=${{ width: `${percent}%` }}></span>
    </div>
    ${
      metric_target !== null &&
      html`<p class="hint">${say('tier.next', {
        amount: currency ? money(missing, currency) : number(missing),
        name: next.name,
      })}</p>`
    }
  </div>`;
}

function Benefits({ of: { benefits } }: { of: Tier }): VNode {
  const { say } = usePortal().language;
  return html`<div class="benefits">
    <h3>${say('tier.benefits')}</h3>
    <ul>
      ${benefits.map(
        ({ id, label, value }) => html`<li key=${id}>
          <${Icon} name="check" />
          <span>${label}${isShown(value) && html`: <strong>${String(value)}</strong>`}</span>
        </li>`,
      )}
    </ul>
  </div>`;
}

const isShown = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';
