import { usePortal } from '../portal-context.ts';
import type { Reward } from '../shapes.ts';
import { html, type VNode } from '../vendor/preact.js';
import { Icon } from './icons.ts';

/** What keeps the client from a reward; where it is points alone, how many are missing. */
export function Obstacle({
  reward,
  balance,
}: {
  reward: Reward;
  /** What the client has of what the reward costs; null where that is not known. */
  balance: number | null;
}): VNode {
  const { language } = usePortal();
  const { say, amount } = language;
  if (reward.is_locked || balance === null)
    return html`<p class="obstacle">
      <${Icon} name="lock" />${language.sayReason(reward.reason ?? 'inactive')}
    </p>`;
  const share = Math.min(1, Math.max(0, balance / reward.cost_points));
  const count = round(reward.cost_points - balance);
  const points = amount(count, reward.wallet);
  return html`<div class="obstacle-way">
    <span class="meter" aria-hidden="true">
      <span class="meter-fill" style=${{ width: `${Math.round(share * 100)}%` }}></span>
    </span>
    <p class="hint">${say('rewards.missing', { points, count })}</p>
  </div>`;
}

/** Points have at most four decimals; their difference as a double has more. */
const round = (points: number): number => Math.round(points * 10_000) / 10_000;
