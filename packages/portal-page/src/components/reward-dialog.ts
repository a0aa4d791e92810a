import { usePortal } from '../portal-context.ts';
import { useLoaded } from '../use-loaded.ts';
import { html, type VNode } from '../vendor/preact.js';
import { Cost } from './cost.ts';
import { Dialog } from './dialog.ts';
import { Obstacle } from './obstacle.ts';
import { Picture } from './picture.ts';
import type { SeenReward } from './seen-reward.ts';

/** All that there is to a reward: its text whole, its price, and until when it can be had. */
export function RewardDialog({
  seen: { reward: listed, balance, isOneOfSeveral },
  onClose,
  onRedeem,
}: {
  seen: SeenReward;
  onClose: () => void;
  onRedeem: () => void;
}): VNode {
  const { api, language } = usePortal();
  const { say, lastDay } = language;
  // What only the detail knows is a bonus: without it the rest still stands, as it was when the list came.
  const detail = useLoaded(() => api.reward(listed.id)).value;
  const reward = detail ?? listed;
  const end = detail?.availability_end ?? null;
  const isOpen = reward.can_afford && !reward.is_locked;
  return html`<${Dialog} title=${reward.name} onClose=${onClose}>
    <div class="reward-detail">
      ${reward.image_url && html`<${Picture} reward=${reward} />`}
      ${reward.description && html`<p class="reward-whole">${reward.description}</p>`}
      <${Cost} reward=${reward} isOneOfSeveral=${isOneOfSeveral} />
      ${end !== null && html`<p class="hint">${say('rewards.until', { date: lastDay(end) })}</p>`}
      ${!isOpen && html`<${Obstacle} reward=${reward} balance=${balance} />`}
    </div>
    <div class="actions">
      ${
        isOpen &&
        html`<button type="button" class="button" onClick=${onRedeem}>${say('rewards.redeem')}</button>`
      }
      <button type="button" class="button quiet" onClick=${onClose}>${say('close')}</button>
    </div>
  <//>`;
}
