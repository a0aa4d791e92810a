import { CounterCode, Coupon } from '../components/coupon.ts';
import { Dialog } from '../components/dialog.ts';
import { MoreButton } from '../components/more-button.ts';
import { Section } from '../components/section.ts';
import type { WordKey } from '../language.ts';
import { usePortal } from '../portal-context.ts';
import type { Redemption, RedemptionPage } from '../shapes.ts';
import type { Account } from '../use-account.ts';
import { html, useState, type VNode } from '../vendor/preact.js';

export function HistoryView({ account: { history } }: { account: Account }): VNode {
  const { say } = usePortal().language;
  const [shown, setShown] = useState<Redemption | null>(null);
  const show = ({ data }: RedemptionPage) =>
    data.length === 0
      ? html`<p class="card empty">${say('history.empty')}</p>`
      : html`<ul class="history card">
          ${data.map((row) => html`<${Row} key=${row.id} row=${row} onShow=${setShown} />`)}
        </ul>`;
  return html`<div class="stack">
    <h1 tabindex="-1">${say('history.title')}</h1>
    <${Section} of=${history} show=${show} />
    ${history.hasMore && html`<${MoreButton} onMore=${history.loadMore} />`}
    ${
      shown &&
      html`<${Dialog} title=${shown.reward_name} onClose=${() => setShown(null)}>
        ${
          shown.coupon_code
            ? html`<${Coupon} code=${shown.coupon_code} />`
            : html`<${CounterCode} redeemedAt=${shown.redeemed_at} />`
        }
      <//>`
    }
  </div>`;
}

function Row({ row, onShow }: { row: Redemption; onShow: (row: Redemption) => void }): VNode {
  const { say, date, moment, amount } = usePortal().language;
  const standing = standingOf(row);
  return html`<li class="history-row">
    <div class="history-text">
      <h2>${row.reward_name}</h2>
      <p class="hint">
        ${moment(row.redeemed_at)}${
          row.cost_points > 0 && ` · ${amount(row.cost_points, row.wallet)}`
        }
      </p>
      <p>
        <span class=${`badge badge-${standing}`}>${say(`history.status.${standing}` as WordKey)}</span>
        ${row.used_at && html`<span class="hint">${say('history.usedOn', { date: date(row.used_at) })}</span>`}
      </p>
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
  onShow: (row: Redemption) => void;
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
        onClick=${() => onShow(row)}
      >
        ${say('coupon.show')}
      </button>`
    }
  </div>`;
}

/** What a redemption is to its owner: one that was used is no longer ready. */
export function standingOf({
  status,
  used_at,
  handed_over,
}: Redemption): Redemption['status'] | 'used' {
  return handed_over || (status === 'fulfilled' && used_at !== null) ? 'used' : status;
}
