import { usePortal } from '../portal-context.ts';
import type { Balance } from '../shapes.ts';
import { html, type VNode } from '../vendor/preact.js';

/** What the client has: the main wallet large, further ones below it. */
export function BalanceCard({ balances }: { balances: Balance[] }): VNode {
  const { say, number } = usePortal().language;
  const [main, ...others] = balances;
  if (!main)
    return html`<section class="balance" aria-label=${say('balance.label')}>
      <p>${say('balance.empty')}</p>
    </section>`;
  return html`<section class="balance" aria-label=${say('balance.label')}>
    <h2 class="balance-label">${say('balance.label')}</h2>
    <p class="balance-main">
      <span class="balance-number">${number(main.active_balance)}</span>
      <span class="balance-unit">${main.wallet_type_name}</span>
    </p>
    <${Pending} amount=${main.pending_balance} />
    ${
      others.length > 0 &&
      html`<ul class="balance-others">
        ${others.map(
          (other) => html`<li key=${other.wallet_type_id}>
            <span>${other.wallet_type_name}</span>
            <strong>${number(other.active_balance)}</strong>
          </li>`,
        )}
      </ul>`
    }
  </section>`;
}

function Pending({ amount }: { amount: number }): VNode | null {
  const { say } = usePortal().language;
  if (amount <= 0) return null;
  const points = say('points', { count: amount });
  return html`<p class="balance-pending">${say('balance.pending', { points })}</p>`;
}
