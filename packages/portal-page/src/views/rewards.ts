import { isNamedApart } from '../components/balance-card.ts';
import { RewardList } from '../components/reward-list.ts';
import type { RewardActions } from '../components/seen-reward.ts';
import { Stale } from '../components/stale.ts';
import { usePortal } from '../portal-context.ts';
import type { Account } from '../use-account.ts';
import { html, type VNode } from '../vendor/preact.js';

export function Rewards({ account, actions }: { account: Account; actions: RewardActions }): VNode {
  const { say, number, unit } = usePortal().language;
  const balances = account.balances.value ?? [];
  return html`<div class="stack">
    <div class="section-head">
      <h1 tabindex="-1">${say('rewards.title')}</h1>
      <p class="pills">
        ${balances.map(
          (wallet) => html`<span class="pill" key=${wallet.wallet_type_id}>
            <strong>${number(wallet.active_balance)}</strong>
            ${' '}${unit(wallet.active_balance, wallet) ?? wallet.wallet_type_name}${
              balances.length > 1 && isNamedApart(wallet) && ` · ${wallet.wallet_type_name}`
            }
          </span>`,
        )}
      </p>
    </div>
    <${Stale} of=${[account.balances, account.rewards]} />
    <${RewardList} account=${account} level="h2" actions=${actions} />
  </div>`;
}
