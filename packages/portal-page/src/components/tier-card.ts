import { usePortal } from '../portal-context.ts';
import type { Balance, Tier, TierProgress } from '../shapes.ts';
import { html, type VNode } from '../vendor/preact.js';
import { Icon } from './icons.ts';

/** The client's tier, the way to the next, and what the tier is good for; nothing without tiers. */
export function TierCard({
  tier_set,
  progress,
  balances,
}: TierProgress & { balances: readonly Balance[] }): VNode | null {
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
    ${next && (current || progress.metric_target !== null) ? html`<${Way} next=${next} progress=${progress} wallet=${countedIn(tier_set, progress, balances)} />` : current && html`<p class="hint">${say('tier.top')}</p>`}
    ${current && current.benefits.length > 0 && html`<${Benefits} of=${current} />`}
  </section>`;
}

type Standing = NonNullable<TierProgress['progress']>;

/** The wallet whose points count, so that they are called what the shop calls them; null where it is not one alone. */
function countedIn(
  set: NonNullable<TierProgress['tier_set']>,
  { metric }: Standing,
  balances: readonly Balance[],
): Balance | null {
  const [condition, second] = set.conditions.filter(({ type }) => type === metric);
  if (!condition || second || metric !== 'total_earned') return null;
  const code = condition.wallet_type_code ?? null;
  const counted = balances.filter((balance) => code === null || balance.wallet_type_code === code);
  return counted.length === 1 ? counted[0]! : null;
}

function Way({
  next,
  progress,
  wallet,
}: {
  next: Tier;
  progress: Standing;
  wallet: Balance | null;
}): VNode {
  const { say, number, money, amount } = usePortal().language;
  const { progress_to_next, currency, metric, metric_value, metric_target } = progress;
  const percent = Math.round(Math.min(1, Math.max(0, progress_to_next)) * 100);
  const missing = Math.max(0, (metric_target ?? 0) - (metric_value ?? 0));
  const told = () => {
    if (currency) return money(missing, currency);
    if (metric === 'transaction_count') return say('tier.purchases', { count: missing });
    return wallet ? amount(missing, wallet) : number(missing);
  };
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
        amount: told(),
        name: next.name,
        count: missing,
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
