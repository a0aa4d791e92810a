import { usePortal } from '../portal-context.ts';
import type { Card } from '../shapes.ts';
import { html, type VNode } from '../vendor/preact.js';
import { Icon } from './icons.ts';

export type Device = 'apple' | 'google' | 'other';

/** Which wallet the visitor's device has; both are offered where that is unclear. */
export function deviceOf({ userAgent, maxTouchPoints }: Navigator): Device {
  if (/Android/i.test(userAgent)) return 'google';
  // An iPad says that it is a Mac, but no Mac is touched.
  const isPad = /Macintosh/.test(userAgent) && maxTouchPoints > 1;
  return /iPhone|iPad|iPod/.test(userAgent) || isPad ? 'apple' : 'other';
}

/** The way of the client's cards onto a phone, after a lost mail or on a new one; in words where no wallet takes them. */
export function AddCard({ cards }: { cards: Card[] }): VNode | null {
  const { say } = usePortal().language;
  const device = deviceOf(navigator);
  const offered = cards
    .map((card) => ({ card, links: linksOf(card, device) }))
    .filter(({ links }) => links.length > 0);
  if (cards.length === 0) return null;
  if (offered.length === 0)
    return html`<section class="card" aria-labelledby="cards-title">
      <h2 id="cards-title" class="card-title"><${Icon} name="card" />${say('cards.title')}</h2>
      <p class="hint">${say('cards.noWallet')}</p>
    </section>`;
  return html`<section class="card" aria-labelledby="cards-title">
    <h2 id="cards-title" class="card-title"><${Icon} name="card" />${say('cards.title')}</h2>
    <p class="hint">${say('cards.text')}</p>
    ${offered.map(
      ({ card, links }) => html`<div class="add-card" key=${card.id}>
        ${offered.length > 1 && html`<h3>${card.name}</h3>`}
        <p class="wallets">
          ${links.map(
            ({ wallet, url }) => html`<a
              key=${wallet}
              class="button wallet"
              href=${url}
              aria-label=${offered.length > 1 ? `${say(`cards.${wallet}`)}: ${card.name}` : undefined}
              >${say(`cards.${wallet}`)}</a
            >`,
          )}
        </p>
      </div>`,
    )}
  </section>`;
}

/** The wallets of this device that would take the card; of all, where the device has none that is known. */
function linksOf({ apple_pass_url: apple, google_pass_url: google }: Card, device: Device) {
  const all = [
    { wallet: 'apple' as const, url: apple },
    { wallet: 'google' as const, url: google },
  ];
  return all.filter(({ wallet, url }) => url && (device === 'other' || device === wallet));
}
