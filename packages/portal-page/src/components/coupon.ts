import { usePortal } from '../portal-context.ts';
import { useLoaded } from '../use-loaded.ts';
import { html, useEffect, useState, type VNode } from '../vendor/preact.js';
import { CopyButton } from './copy-button.ts';

/** A coupon to show at the counter: the code to read out, and to scan. */
export function Coupon({ code }: { code: string }): VNode {
  const { say } = usePortal().language;
  return html`<div class="coupon">
    <${QrCode} text=${code} label=${say('coupon.qr', { code })} />
    <p class="coupon-label">${say('coupon.code')}</p>
    <p class="coupon-code" translate="no">${code}</p>
    <${CopyButton} text=${code} />
    <p class="hint">${say('coupon.hint')}</p>
  </div>`;
}

/** Where a reward has no code of its own: that of the card, by which the till finds what was redeemed and hands it over once. */
export function CounterCode({ redeemedAt }: { redeemedAt: string }): VNode | null {
  const { api, language } = usePortal();
  const { say, moment } = language;
  const cards = useLoaded(api.cards);
  if (!cards.value && !cards.error) return null;
  const code = cards.value?.[0]?.barcode_value;
  return html`<div class="coupon">
    <p>${say('counter.redeemed', { when: moment(redeemedAt) })}</p>
    ${
      code
        ? html`<${QrCode} text=${code} label=${say('counter.qr', { code })} />
            <p class="coupon-label">${say('counter.code')}</p>
            <p class="coupon-code" translate="no">${code}</p>
            <p class="hint">${say('counter.hint')}</p>`
        : html`<p class="hint">${say('counter.noCard')}</p>`
    }
  </div>`;
}

/** Drawn as one path. Without the drawing (no network for it) the code to read out is still there. */
function QrCode({ text, label }: { text: string; label: string }): VNode | null {
  const [drawing, setDrawing] = useState<{ size: number; path: string } | null>(null);
  useEffect(() => {
    void import('../vendor/qr.js').then(
      ({ encode }) => setDrawing(draw(encode(text, { border: 3 }))),
      () => setDrawing(null),
    );
  }, [text]);
  if (!drawing) return html`<div class="qr qr-empty"></div>`;
  const box = `0 0 ${drawing.size} ${drawing.size}`;
  return html`<svg class="qr" viewBox=${box} role="img" aria-label=${label}>
    <path d=${drawing.path} />
  </svg>`;
}

export function draw({ size, data }: { size: number; data: boolean[][] }): {
  size: number;
  path: string;
} {
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size, path: path.join('') };
}
