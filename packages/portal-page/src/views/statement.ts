import type { LedgerEntryType } from '@laurel/contract';
import { MoreButton } from '../components/more-button.ts';
import { Section } from '../components/section.ts';
import { Stale } from '../components/stale.ts';
import type { WordKey } from '../language.ts';
import { usePortal } from '../portal-context.ts';
import type { Balance, Entry, StatementPage, Wallet } from '../shapes.ts';
import type { Account } from '../use-account.ts';
import { useLoaded } from '../use-loaded.ts';
import { useReturn } from '../use-return.ts';
import { html, useState, type VNode } from '../vendor/preact.js';

/** Days on which something expires that are shown at once: a client who collects every day has as many of them. */
const EXPIRING_SHOWN = 4;

/** What came and went, wallet by wallet: figures of several would not add up. */
export function StatementView({ account: { balances } }: { account: Account }): VNode {
  const { say } = usePortal().language;
  const [code, setCode] = useState<string | null>(null);
  const show = (wallets: Balance[]) => {
    const wallet = wallets.find((each) => each.wallet_type_code === code) ?? wallets[0];
    if (!wallet) return html`<p class="card empty">${say('statement.empty')}</p>`;
    return html`<div class="stack">
      ${wallets.length > 1 && html`<${Choice} wallets=${wallets} chosen=${wallet} onChoose=${setCode} />`}
      <${Statement} key=${wallet.wallet_type_code} wallet=${wallet} />
    </div>`;
  };
  return html`<div class="stack">
    <h1 tabindex="-1">${say('statement.title')}</h1>
    <${Section} of=${balances} show=${show} />
  </div>`;
}

function Choice({
  wallets,
  chosen,
  onChoose,
}: {
  wallets: Balance[];
  chosen: Balance;
  onChoose: (code: string) => void;
}): VNode {
  const { say } = usePortal().language;
  return html`<div class="choice" role="group" aria-label=${say('statement.wallet')}>
    ${wallets.map(
      ({ wallet_type_code: code, wallet_type_name: name }) => html`<button
        key=${code}
        type="button"
        class="pill"
        aria-pressed=${code === chosen.wallet_type_code ? 'true' : 'false'}
        onClick=${() => onChoose(code)}
      >
        ${name}
      </button>`,
    )}
  </div>`;
}

/** The pages after a first one. Behind a newer first page they have no place: an entry could be on neither. */
interface Further {
  after: StatementPage | null;
  pages: StatementPage[];
}

function Statement({ wallet }: { wallet: Balance }): VNode {
  const { api, language } = usePortal();
  const { say } = language;
  const first = useLoaded(() => api.statement(wallet.wallet_type_code, null));
  const [more, setMore] = useState<Further>({ after: null, pages: [] });
  const further = more.after === first.value ? more.pages : [];
  useReturn(() => {
    if (further.length === 0) void first.reload();
  });
  const pages = first.value ? [first.value, ...further] : [];
  const next = pages.at(-1)?.meta.next_cursor ?? null;
  const loadMore = async () => {
    const page = await api.statement(wallet.wallet_type_code, next);
    setMore({ after: first.value, pages: [...further, page] });
  };
  const entries = pages.flatMap(({ data }) => data);
  const show = ({ meta }: StatementPage) => html`<div class="stack">
    <${Stale} of=${[first]} />
    <${Expiring} expiring=${meta.expiring} wallet=${wallet} />
    ${
      entries.length === 0
        ? html`<p class="card empty">${say('statement.empty')}</p>`
        : html`<ul class="history card">
            ${entries.map((entry) => html`<${Row} key=${entry.id} entry=${entry} wallet=${wallet} />`)}
          </ul>`
    }
    ${next !== null && html`<${MoreButton} onMore=${loadMore} />`}
  </div>`;
  return html`<${Section} of=${first} show=${show} />`;
}

function Expiring({
  expiring,
  wallet,
}: {
  expiring: StatementPage['meta']['expiring'];
  wallet: Wallet;
}): VNode | null {
  const { say, amount, lastDay } = usePortal().language;
  const [isWhole, setWhole] = useState(false);
  if (expiring.length === 0) return null;
  const shown = isWhole ? expiring : expiring.slice(0, EXPIRING_SHOWN);
  return html`<section class="card" aria-labelledby="expiring-title">
    <h2 id="expiring-title" class="card-title">${say('statement.expiring')}</h2>
    <ul class="expiring">
      ${shown.map(
        ({ amount: value, expires_at }) => html`<li key=${expires_at}>
          <span>${lastDay(expires_at)}</span><strong>${amount(value, wallet)}</strong>
        </li>`,
      )}
    </ul>
    ${
      shown.length < expiring.length &&
      html`<button type="button" class="link" onClick=${() => setWhole(true)}>${say('more')}</button>`
    }
  </section>`;
}

function Row({ entry, wallet }: { entry: Entry; wallet: Wallet }): VNode {
  const { say, date, lastDay, number, amount } = usePortal().language;
  const what = say(typeKey(entry.type));
  const { description, expires_at: expiresAt } = entry;
  const isLive = entry.status === 'active' && entry.type === 'earn';
  return html`<li class="history-row movement-row">
    <div class="history-text">
      <h2>${description || what}</h2>
      <p class="hint">${date(entry.created_at)}${description && ` · ${what}`}</p>
      ${isLive && expiresAt !== null && html`<p class="hint">${say('statement.until', { date: lastDay(expiresAt) })}</p>`}
      ${entry.status === 'pending' && html`<p><span class="badge">${say('statement.pending')}</span></p>`}
      <p class="hint">${say('statement.balance', { points: amount(entry.balance_after, wallet) })}</p>
    </div>
    <p class=${`movement ${entry.amount > 0 ? 'credit' : ''}`}>${signed(number, entry.amount)}</p>
  </li>`;
}

const TYPES: readonly LedgerEntryType[] = [
  'earn',
  'spend',
  'expire',
  'cancel',
  'adjust',
  'lock',
  'unlock',
  'transfer_in',
  'transfer_out',
];

const typeKey = (type: string): WordKey =>
  `statement.type.${TYPES.some((one) => one === type) ? type : 'adjust'}` as WordKey;

/** With its sign, as accounts have it: what came is marked, too. */
function signed(number: (value: number) => string, amount: number): string {
  return `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${number(Math.abs(amount))}`;
}
