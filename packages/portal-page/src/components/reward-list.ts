import { usePortal } from '../portal-context.ts';
import type { Balance, Reward } from '../shapes.ts';
import type { Account } from '../use-account.ts';
import { html, type VNode } from '../vendor/preact.js';
import { RewardCard } from './reward-card.ts';
import { Section } from './section.ts';
import type { RewardActions, SeenReward } from './seen-reward.ts';

/** The rewards, or the first few: what can be had now before what cannot, else in the shop's order. */
export function RewardList({
  account,
  limit,
  level,
  actions,
}: {
  account: Account;
  limit?: number;
  level: 'h2' | 'h3';
  actions: RewardActions;
}): VNode {
  const { say } = usePortal().language;
  const show = (rewards: Reward[]) =>
    rewards.length === 0
      ? html`<p class="card empty">${say('rewards.empty')}</p>`
      : html`<ul class="rewards">
          ${attainableFirst(rewards)
            .slice(0, limit)
            .map(
              (reward) => html`<${RewardCard}
                key=${reward.id}
                seen=${seenFrom(account.balances.value, reward)}
                level=${level}
                actions=${actions}
              />`,
            )}
        </ul>`;
  return html`<${Section} of=${account.rewards} show=${show} />`;
}

export function seenFrom(balances: readonly Balance[] | null, reward: Reward): SeenReward {
  const payer = balances?.find((each) => each.wallet_type_id === reward.wallet?.wallet_type_id);
  return {
    reward,
    balance: payer?.active_balance ?? null,
    isOneOfSeveral: (balances?.length ?? 0) > 1,
  };
}

export function attainableFirst(rewards: readonly Reward[]): Reward[] {
  const rank = ({ can_afford, is_locked }: Reward): number => (is_locked ? 2 : can_afford ? 0 : 1);
  return [...rewards].sort((a, b) => rank(a) - rank(b));
}
