import { usePortal } from '../portal-context.ts';
import type { Reward } from '../shapes.ts';
import type { Account } from '../use-account.ts';
import { html, type VNode } from '../vendor/preact.js';
import { RewardCard } from './reward-card.ts';
import { Section } from './section.ts';

/** The rewards, or the first few: what can be had now before what cannot, else in the shop's order. */
export function RewardList({
  account,
  limit,
  onRedeem,
}: {
  account: Account;
  limit?: number;
  onRedeem: (reward: Reward) => void;
}): VNode {
  const { say } = usePortal().language;
  const balances = account.balances.value ?? [];
  // With several wallets nobody knows here which of them a reward is paid from.
  const balance = balances.length === 1 ? balances[0]!.active_balance : null;
  const show = (rewards: Reward[]) =>
    rewards.length === 0
      ? html`<p class="card empty">${say('rewards.empty')}</p>`
      : html`<ul class="rewards">
          ${attainableFirst(rewards)
            .slice(0, limit)
            .map(
              (reward) => html`<${RewardCard}
                key=${reward.id}
                reward=${reward}
                balance=${balance}
                onRedeem=${onRedeem}
              />`,
            )}
        </ul>`;
  return html`<${Section} of=${account.rewards} show=${show} />`;
}

export function attainableFirst(rewards: readonly Reward[]): Reward[] {
  const rank = ({ can_afford, is_locked }: Reward): number => (is_locked ? 2 : can_afford ? 0 : 1);
  return [...rewards].sort((a, b) => rank(a) - rank(b));
}
