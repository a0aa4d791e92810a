import { usePortal } from '../portal-context.ts';
import type { Reward } from '../shapes.ts';
import { html, type VNode } from '../vendor/preact.js';
import { isNamedApart } from './balance-card.ts';
import { Icon } from './icons.ts';

/** What a reward costs in the words of the wallet that pays, and which that is where there are several. */
export function Cost({
  reward: { cost_points: cost, wallet },
  isOneOfSeveral,
}: {
  reward: Pick<Reward, 'cost_points' | 'wallet'>;
  isOneOfSeveral: boolean;
}): VNode {
  const { say, amount } = usePortal().language;
  const isNamed = isOneOfSeveral && wallet !== null && cost > 0;
  const isSaid = wallet !== null && !isNamedApart(wallet);
  return html`<p class="cost">
    <${Icon} name="star" />
    <span>
      ${cost > 0 ? amount(cost, wallet) : say('rewards.free')}${
        isNamed && !isSaid && html` <span class="cost-wallet">(${wallet.wallet_type_name})</span>`
      }
    </span>
  </p>`;
}
