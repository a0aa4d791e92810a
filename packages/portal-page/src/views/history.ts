import { CounterCode, Coupon } from '../components/coupon.ts';
import { Dialog } from '../components/dialog.ts';
import { MoreButton } from '../components/more-button.ts';
import { Section } from '../components/section.ts';
import { Stale } from '../components/stale.ts';
import { StandingBadge, standingOf } from '../components/standing.ts';
import { usePortal } from '../portal-context.ts';
import type { Redemption, RedemptionPage } from '../shapes.ts';
import type { Account } from '../use-account.ts';
import { html, useState, type VNode } from '../vendor/preact.js';

export function HistoryView({ account: { history } }: { account: Account }): VNode {
  const { say } = usePortal().language;
  const [shownId, setShownId] = useState<string | null>(null);
  // As it is by now: a code that was used meanwhile is not to be shown as one that is good.
  const shown = history.value?.data.find(({ id }) => id === shownId);
  /** It may have been used since the list came, and while it was shown at the counter. */
  const look = (id: string | null) => {
    setShownId(id);
    void history.reload();
  };
  const show = ({ data }: RedemptionPage) =>
    data.length === 0
      ? html`<p class="card empty">${say('history.empty')}</p>`
      : html`<ul class="history card">
          ${data.map((row) => html`<${Row} key=${row.id} row=${row} onShow=${() => look(row.id)} />`)}
        </ul>`;
  return html`<div class="stack">
    <h1 tabindex="-1">${say('history.title')}</h1>
    <${Stale} of=${[history]} />
    <${Section} of=${history} show=${show} />
    ${history.hasMore && html`<${MoreButton} onMore=${history.loadMore} />`}
    ${
      shown &&
      html`<${Dialog} title=${shown.reward_name} onClose=${() => look(null)}>
        <${Stale} of=${[history]} />
        <${Shown} row=${shown} />
      <//>`
    }
  </div>`;
}

/** What a till takes, as long as it takes it. */
function Shown({ row }: { row: Redemption }): VNode {
  if (standingOf(row) !== 'fulfilled')
    return html`<div role="status"><${StandingBadge} of=${row} /></div>`;
  return row.coupon_code
    ? html`<${Coupon} code=${row.coupon_code} />`
    : html`<${CounterCode} redeemedAt=${row.redeemed_at} />`;
}

function Row({ row, onShow }: { row: Redemption; onShow: () => void }): VNode {
  const { moment, amount } = usePortal().language;
  const standing = standingOf(row);
  return html`<li class="history-row">
    <div class="history-text">
      <h2 tabindex="-1">${row.reward_name}</h2>
      <p class="hint">
        ${moment(row.redeemed_at)}${
          row.cost_points > 0 && ` · ${amount(row.cost_points, row.wallet)}`
        }
      </p>
      <${StandingBadge} of=${row} />
    </div>
    ${
      (row.coupon_code || standing === 'fulfilled') &&
      html`<${Code} row=${row} isLive=${standing === 'fulfilled'} onShow=${onShow} />`
    }
  </li>`;
}

function Code({
  row,
  isLive,
  onShow,
}: {
  row: Redemption;
  isLive: boolean;
  onShow: () => void;
}): VNode {
  const { say } = usePortal().language;
  return html`<div class="history-code">
    ${
      row.coupon_code &&
      html`<code class=${isLive ? '' : 'spent'} translate="no">${row.coupon_code}</code>`
    }
    ${
      isLive &&
      html`<button
        type="button"
        class="button small"
        aria-label=${say('coupon.showNamed', { name: row.reward_name })}
        onClick=${onShow}
      >
        ${say('coupon.show')}
      </button>`
    }
  </div>`;
}
