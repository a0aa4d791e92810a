import { add, larger, negate, type Units, ZERO } from '@laurel/values/amount';
import { refusals } from '../refusals';
import { applyLotChanges } from './lots';
import type { Caps, Draft, Figures, Hold, Note, Rules, Wallet } from './types';

export const DAY_MS = 86_400_000;

const NO_FIGURES: Figures = {
  active: ZERO,
  pending: ZERO,
  locked: ZERO,
  earned: ZERO,
  spent: ZERO,
  expired: ZERO,
  moved: ZERO,
};

/** A wallet without entries. */
export const EMPTY_WALLET: Wallet = {
  sequence: 0,
  lastAt: 0,
  figures: NO_FIGURES,
  lots: [],
  holds: [],
  closing: null,
};

/** What an entry does to a wallet. A Draft is one; so is an entry read back from the log. */
export type Effect = Pick<Draft, 'change' | 'lots' | 'holds' | 'closing'>;

/** The wallet after one more entry at `now`. Takes no decision: replaying the log gives the same wallet. */
export function applyEffect(wallet: Wallet, effect: Effect, now: number): Wallet {
  return {
    sequence: wallet.sequence + 1,
    lastAt: Math.max(wallet.lastAt, now),
    figures: addFigures(wallet.figures, effect.change),
    lots: effect.lots.length === 0 ? wallet.lots : applyLotChanges(wallet.lots, effect.lots),
    holds: effect.holds.length === 0 ? wallet.holds : replaceHolds(wallet.holds, effect.holds),
    closing: effect.closing ?? wallet.closing,
  };
}

export function addFigures(figures: Figures, change: Partial<Figures>): Figures {
  const sum = (name: keyof Figures): Units =>
    change[name] === undefined ? figures[name] : add(figures[name], change[name]);
  return {
    active: sum('active'),
    pending: sum('pending'),
    locked: sum('locked'),
    earned: sum('earned'),
    spent: sum('spent'),
    expired: sum('expired'),
    moved: sum('moved'),
  };
}

function replaceHolds(holds: readonly Hold[], changed: readonly Hold[]): readonly Hold[] {
  const ids = new Set(changed.map((hold) => hold.id));
  return [
    ...holds.filter((hold) => !ids.has(hold.id)),
    ...changed.filter((hold) => hold.amount > 0),
  ];
}

/** Points that still fit under the cap (active and pending count); null where there is none. */
export function roomIn({ figures }: Wallet, { maxBalance }: Rules): Units | null {
  return maxBalance === null
    ? null
    : larger(ZERO, add(maxBalance, negate(figures.active), negate(figures.pending)));
}

export function refuseClosed(wallet: Wallet): void {
  if (wallet.closing) throw refusals.walletClosed();
}

export function capsOf(rules: Rules, requested: Units): Caps {
  return { maxBalance: rules.maxBalance, allowNegative: rules.allowNegative, requested };
}

/** A note of the ledger's own: only where the entry comes from. */
export function noteOf(sourceType: string, sourceId: string | null): Note {
  return { sourceType, sourceId, externalId: null, description: null, metadata: {} };
}

type Essence = Pick<Draft, 'type' | 'amount' | 'change'>;

/** A draft with everything that most operations leave alone. */
export function draft(essence: Essence, note: Note, rest: Partial<Draft> = {}): Draft {
  return {
    sourceType: note.sourceType,
    sourceId: note.sourceId,
    externalId: note.externalId,
    description: note.description,
    metadata: note.metadata,
    status: 'active',
    expiresAt: null,
    lots: [],
    consumed: [],
    holds: [],
    marks: [],
    caps: null,
    closing: null,
    ...essence,
    ...rest,
  };
}
