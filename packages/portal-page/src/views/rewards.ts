import { RewardList } from '../components/reward-list.ts';
import { usePortal } from '../portal-context.ts';
import type { Reward } from '../shapes.ts';
import type { Account } from '../use-account.ts';
import { html, type VNode } from '../vendor/preact.js';

export function Rewards({
  account,
  onRedeem,
}: {
  account: Account;
  onRedeem: (reward: Reward) => void;
}): VNode {
  const { say, number } = usePortal().language;
  const balances = account.balances.value ?? [];
  return html`<div class="stack">
    <div class="section-head">
      <h1 tabindex="-1">${say('rewards.title')}</h1>
      <p class="pills">
        ${balances.map(
          ({ wallet_type_id, wallet_type_name, active_balance }) =>
            html`<span class="pill" key=${wallet_type_id}>
              <strong>${number(active_balance)}</strong> ${wallet_type_name}
            </span>`,
        )}
      </p>
    </div>
    <${RewardList} account=${account} onRedeem=${onRedeem} />
  </div>`;
}
