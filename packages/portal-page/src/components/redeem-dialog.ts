import { PortalError } from '../api.ts';
import { sayError, usePortal } from '../portal-context.ts';
import type { RedeemKeys } from '../redeem-keys.ts';
import type { Redeemed } from '../shapes.ts';
import type { History } from '../use-history.ts';
import { useLoaded } from '../use-loaded.ts';
import { useWorking } from '../use-working.ts';
import { html, useState, type VNode } from '../vendor/preact.js';
import { isNamedApart } from './balance-card.ts';
import { CounterCode, Coupon } from './coupon.ts';
import { Dialog } from './dialog.ts';
import type { SeenReward } from './seen-reward.ts';
import { StandingBadge, standingOf } from './standing.ts';

/** Asks before points are used, and shows what they bought. */
export function RedeemDialog({
  seen: { reward: listed, isOneOfSeveral },
  keys,
  history,
  onClose,
  onRedeemed,
}: {
  seen: SeenReward;
  keys: RedeemKeys;
  /** Knows what became of it where the answer is one of before. */
  history: History;
  onClose: () => void;
  /** It was, or may have been. */
  onRedeemed: () => void;
}): VNode {
  const { api, language } = usePortal();
  const { say } = language;
  const [isWorking, during] = useWorking();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [redeemed, setRedeemed] = useState<Redeemed | null>(null);
  // The list may be of yesterday: what is asked for a yes is the price of now, and nothing before that is known.
  const detail = useLoaded(() => api.reward(listed.id));
  const reward = detail.value ?? listed;
  const isKnown = detail.value !== null;

  const redeem = async () => {
    try {
      setRedeemed(await api.redeem(reward.id, keys.keyOf(reward.id)));
      keys.settle(reward.id);
      setTrouble(null);
      onRedeemed();
    } catch (error) {
      const isRefused = error instanceof PortalError && error.status === 400;
      if (isRefused) keys.settle(reward.id);
      else onRedeemed();
      setTrouble(isRefused ? language.sayReason(error.message) : sayError(language, error));
    }
  };

  /** With several wallets it matters which of them is used. */
  const costs = (points: string): string => {
    if (reward.cost_points === 0) return say('redeem.costFree');
    if (!isOneOfSeveral || !reward.wallet || !isNamedApart(reward.wallet))
      return say('redeem.cost', { points });
    return say('redeem.costFrom', { points, wallet: reward.wallet.wallet_type_name });
  };

  if (redeemed)
    return html`<${Outcome} redeemed=${redeemed} history=${history} onClose=${onClose} />`;
  // What is under way cannot be called back: a way out would read as if it were not done.
  const close = () => {
    if (!isWorking) onClose();
  };
  const isLost = !isKnown && detail.error !== null;
  const said = isLost ? sayError(language, detail.error) : trouble;
  const title = say('redeem.question', { name: reward.name });
  const points = language.amount(reward.cost_points, reward.wallet);
  return html`<${Dialog} title=${title} onClose=${close}>
    ${reward.description && html`<p class="reward-whole">${reward.description}</p>`}
    <p>${costs(points)}</p>
    ${said && html`<p class="notice notice-bad" role="alert">${said}</p>`}
    <div class="actions">
      <button
        type="button"
        class="button"
        aria-disabled=${isWorking || !(isKnown || isLost)}
        onClick=${() => (isKnown ? during(redeem) : isLost && detail.reload())}
      >
        ${say(isLost ? 'retry' : isWorking ? 'redeem.working' : 'redeem.confirm')}
      </button>
      <button type="button" class="button quiet" aria-disabled=${isWorking} onClick=${close}>
        ${say('cancel')}
      </button>
    </div>
  <//>`;
}

function Outcome({
  redeemed,
  history,
  onClose,
}: {
  redeemed: Redeemed;
  history: History;
  onClose: () => void;
}): VNode {
  const { say } = usePortal().language;
  const { coupon_code: code, reward_name: name } = redeemed;
  // A key is answered as it was the first time: what it brought may have been used since.
  const row = history.value?.data.find(({ id }) => id === redeemed.redemption_id);
  const known = row ?? { ...redeemed, used_at: null };
  const standing = standingOf(known);
  const isOver = standing !== 'fulfilled' && standing !== 'pending';
  const shown = html`<p class="centred">${code ? name : say('redeem.doneNoCoupon', { name })}</p>
    ${code ? html`<${Coupon} code=${code} />` : html`<${CounterCode} redeemedAt=${redeemed.redeemed_at} />`}`;
  // It may also have been used while it was shown at the counter.
  const leave = () => {
    onClose();
    void history.reload();
  };
  return html`<${Dialog} title=${isOver ? name : say('redeem.done')} onClose=${leave}>
    <div role="status">${isOver ? html`<${StandingBadge} of=${known} />` : shown}</div>
    <div class="actions">
      <button type="button" class="button" onClick=${leave}>${say('close')}</button>
    </div>
  <//>`;
}
