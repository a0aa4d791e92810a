import { usePortal } from '../portal-context.ts';
import type { Reward } from '../shapes.ts';
import { html, useState, type VNode } from '../vendor/preact.js';
import { Icon } from './icons.ts';

/** One reward: what it is, what it costs, and whether the client can have it now. */
export function RewardCard({
  reward,
  balance,
  onRedeem,
}: {
  reward: Reward;
  /** What the client has to pay with, where that is beyond doubt. */
  balance: number | null;
  onRedeem: (reward: Reward) => void;
}): VNode {
  const { say } = usePortal().language;
  const isOpen = reward.can_afford && !reward.is_locked;
  return html`<li class=${`card reward ${isOpen ? '' : 'reward-closed'}`}>
    <${Picture} reward=${reward} />
    <div class="reward-text">
      <h3>${reward.name}</h3>
      ${reward.description && html`<p class="reward-description">${reward.description}</p>`}
      <p class="cost">
        <${Icon} name="star" />
        ${reward.cost_points > 0 ? say('points', { count: reward.cost_points }) : say('rewards.free')}
      </p>
    </div>
    ${
      isOpen
        ? html`<button
            type="button"
            class="button"
            aria-label=${say('rewards.redeemNamed', { name: reward.name })}
            onClick=${() => onRedeem(reward)}
          >
            ${say('rewards.redeem')}
          </button>`
        : html`<${Obstacle} reward=${reward} balance=${balance} />`
    }
  </li>`;
}

function Obstacle({ reward, balance }: { reward: Reward; balance: number | null }): VNode {
  const { language } = usePortal();
  const { say } = language;
  if (reward.is_locked || balance === null)
    return html`<p class="obstacle">
      <${Icon} name="lock" />${language.sayReason(reward.reason ?? 'inactive')}
    </p>`;
  const share = Math.min(1, Math.max(0, balance / reward.cost_points));
  const points = say('points', { count: round(reward.cost_points - balance) });
  return html`<div class="obstacle-way">
    <span class="meter" aria-hidden="true">
      <span class="meter-fill" style=${{ width: `${Math.round(share * 100)}%` }}></span>
    </span>
    <p class="hint">${say('rewards.missing', { points })}</p>
  </div>`;
}

/** Points have at most four decimals; their difference as a double has more. */
const round = (points: number): number => Math.round(points * 10_000) / 10_000;

/** The picture of the reward, or its first letter where there is none or it cannot be had. */
function Picture({ reward }: { reward: Reward }): VNode {
  const [isBroken, setBroken] = useState(false);
  if (reward.image_url && !isBroken)
    return html`<img
      class="reward-picture"
      src=${reward.image_url}
      alt=""
      loading="lazy"
      onError=${() => setBroken(true)}
    />`;
  return html`<span class="reward-picture reward-letter" aria-hidden="true"
    >${[...reward.name.trim()][0] ?? ''}</span
  >`;
}
