import { usePortal } from '../portal-context.ts';
import type { Balance, Wallet } from '../shapes.ts';
import { html, type VNode } from '../vendor/preact.js';

/** What the client has: the main wallet large, further ones below it. */
export function BalanceCard({ balances }: { balances: Balance[] }): VNode {
  const { say, number, unit } = usePortal().language;
  const [main, ...others] = balances;
  const total = number(main?.active_balance ?? 0);
  if (!main)
    return html`<section class="balance" aria-label=${say('balance.label')}>
      <p>${say('balance.empty')}</p>
    </section>`;
  return html`<section class="balance" aria-label=${say('balance.label')}>
    <h2 class="balance-label">
      ${say('balance.label')}${isNamedApart(main) && others.length > 0 && ` · ${main.wallet_type_name}`}
    </h2>
    <p class="balance-main">
      <span class="balance-number" style=${{ '--letters': total.length }}>${total}</span>
      <span class="balance-unit">
        ${unit(main.active_balance, main) ?? main.wallet_type_name}
      </span>
    </p>
    <${Pending} of=${main} />
    ${
      others.length > 0 &&
      html`<ul class="balance-others">
        ${others.map(
          (other) => html`<li key=${other.wallet_type_id}>
            <span>${other.wallet_type_name}</span>
            <strong>${number(other.active_balance)} ${unit(other.active_balance, other)}</strong>
          </li>`,
        )}
      </ul>`
    }
    <a class="balance-link" href="#/statement">${say('statement.link')}</a>
  </section>`;
}

/** Whether a wallet is called something else than what it counts. */
export function isNamedApart(wallet: Wallet): boolean {
  const { unit_plural_name: plural, wallet_type_name: name } = wallet;
  return plural !== null && plural.toLowerCase() !== name.toLowerCase();
}

function Pending({ of }: { of: Balance }): VNode | null {
  const { say, amount } = usePortal().language;
  if (of.pending_balance <= 0) return null;
  const points = amount(of.pending_balance, of);
  return html`<p class="balance-pending">${say('balance.pending', { points, count: of.pending_balance })}</p>`;
}
