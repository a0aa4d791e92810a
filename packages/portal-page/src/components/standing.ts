import type { WordKey } from '../language.ts';
import { usePortal } from '../portal-context.ts';
import type { Redemption } from '../shapes.ts';
import { html, type VNode } from '../vendor/preact.js';

type Standing = Redemption['status'] | 'used';
type Known = Pick<Redemption, 'status' | 'coupon_status' | 'used_at' | 'handed_over'>;

/** What a redemption is to its owner: one that was used, or whose coupon is no longer honoured, is not ready any more. */
export function standingOf({ status, coupon_status, used_at, handed_over }: Known): Standing {
  if (handed_over) return 'used';
  if (status !== 'fulfilled') return status;
  if (used_at !== null || coupon_status === 'used') return 'used';
  return coupon_status === 'void' ? 'cancelled' : 'fulfilled';
}

export function StandingBadge({ of }: { of: Known }): VNode {
  const { say, date } = usePortal().language;
  const standing = standingOf(of);
  return html`<p>
    <span class=${`badge badge-${standing}`}>${say(`history.status.${standing}` as WordKey)}</span>
    ${of.used_at && html`<span class="hint">${say('history.usedOn', { date: date(of.used_at) })}</span>`}
  </p>`;
}
