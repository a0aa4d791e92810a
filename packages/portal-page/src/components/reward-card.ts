import { usePortal } from '../portal-context.ts';
import { html, type VNode } from '../vendor/preact.js';
import { Cost } from './cost.ts';
import { Obstacle } from './obstacle.ts';
import { Picture } from './picture.ts';
import type { RewardActions, SeenReward } from './seen-reward.ts';

/** One reward: what it is, what it costs, and whether the client can have it now. Its whole text is behind a button. */
export function RewardCard({
  seen: { reward, balance, isOneOfSeveral },
  level,
  actions,
}: {
  seen: SeenReward;
  /** How deep its name stands in the page. */
  level: 'h2' | 'h3';
  actions: RewardActions;
}): VNode {
  const { say } = usePortal().language;
  const isOpen = reward.can_afford && !reward.is_locked;
  return html`<li class=${`card reward ${isOpen ? '' : 'reward-closed'}`}>
    <${Picture} reward=${reward} />
    <div class="reward-text">
      <${level} class="reward-name" tabindex="-1">${reward.name}<//>
      ${reward.description && html`<p class="reward-description">${reward.description}</p>`}
      <div class="reward-facts">
        <${Cost} reward=${reward} isOneOfSeveral=${isOneOfSeveral} />
        <button
          type="button"
          class="link"
          aria-haspopup="dialog"
          aria-label=${say('rewards.detailsNamed', { name: reward.name })}
          onClick=${() => actions.show(reward)}
        >
          ${say('rewards.details')}
        </button>
      </div>
    </div>
    ${
      isOpen
        ? html`<button
            type="button"
            class="button"
            aria-label=${say('rewards.redeemNamed', { name: reward.name })}
            onClick=${() => actions.redeem(reward)}
          >
            ${say('rewards.redeem')}
          </button>`
        : html`<${Obstacle} reward=${reward} balance=${balance} />`
    }
  </li>`;
}
