import { total, type Units, ZERO } from '@laurel/values/amount';
import type { ClosingReason } from './close';
import type { EntryType } from './types';

/** The ways of an entry that its type does not tell: the source_type that the ledger itself gave it. */
export const TOLD_SOURCES = [
  'refund',
  'maturation',
  'client_deleted',
  'client_anonymized',
] as const satisfies readonly (ClosingReason | 'refund' | 'maturation')[];

/** The change that entries of one kind made together, in stored units. */
export interface Movements {
  type: EntryType;
  /** One of TOLD_SOURCES, or empty. */
  source: string;
  /** Whether they added to the wallet as a whole. */
  isCredit: boolean;
  /** Whether they came before the time of the statement. */
  isBefore: boolean;
  active: number;
  pending: number;
  locked: number;
}

export interface Balances {
  active: Units;
  pending: Units;
  locked: Units;
  total: Units;
}

const FIGURES = [
  'earned',
  'matured',
  'spent',
  'expired',
  'adjusted_credits',
  'adjusted_debits',
  'cancelled_credits',
  'cancelled_debits',
  'refunded',
  'transferred_in',
  'transferred_out',
  'breakage',
] as const;
type Figure = (typeof FIGURES)[number];

export type Statement = Record<Figure, Units> & { opening: Balances; closing: Balances };

const NOTHING: Balances = { active: ZERO, pending: ZERO, locked: ZERO, total: ZERO };

/**
 * What came and went (part 4, sections 7 and 12): opening and credits less debits is closing, whatever
 * happened, because each movement is counted once, under the figure that its kind and direction name.
 */
export function statementOf(movements: readonly Movements[]): Statement {
  const opening = after(
    NOTHING,
    movements.filter(({ isBefore }) => isBefore),
  );
  const within = movements.filter(({ isBefore }) => !isBefore);
  const sums = Object.fromEntries(FIGURES.map((name) => [name, ZERO])) as Record<Figure, Units>;
  for (const movement of within) {
    const figure = figureOf(movement);
    if (figure) sums[figure] = total(sums[figure], sizeOf(movement, figure));
  }
  return { ...sums, opening, closing: after(opening, within) };
}

function after(before: Balances, movements: readonly Movements[]): Balances {
  const active = total(before.active, ...movements.map((each) => each.active));
  const pending = total(before.pending, ...movements.map((each) => each.pending));
  const locked = total(before.locked, ...movements.map((each) => each.locked));
  return { active, pending, locked, total: total(active, pending, locked) };
}

function sizeOf({ active, pending, locked, isCredit }: Movements, figure: Figure): Units {
  if (figure === 'matured') return total(active);
  const moved = total(active, pending, locked);
  return isCredit ? moved : total(-moved);
}

/** null for what moves points within a wallet only. */
function figureOf({ type, source, isCredit }: Movements): Figure | null {
  if (isClosing(type, source)) {
    if (type === 'unlock') return null;
    // Only points can lapse. A debt that is never paid is written off by what its entry is, an adjustment:
    // taken off the breakage it would hide points that lapsed, and could leave a figure below zero.
    return isCredit ? 'adjusted_credits' : 'breakage';
  }
  switch (type) {
    case 'earn':
      return 'earned';
    case 'spend':
      return 'spent';
    case 'expire':
      return 'expired';
    case 'lock':
      return null;
    case 'unlock':
      return source === 'maturation' ? 'matured' : null;
    case 'transfer_in':
    case 'transfer_out':
      // Who is merged with a debt takes it along: a transfer out that adds.
      return isCredit ? 'transferred_in' : 'transferred_out';
    case 'adjust':
      return isCredit ? 'adjusted_credits' : 'adjusted_debits';
    case 'cancel':
      if (isCredit) return 'cancelled_credits';
      return source === 'refund' ? 'refunded' : 'cancelled_debits';
  }
}

/** Of entries that close what a customer who went leaves behind. */
export const BREAKAGE_SOURCES = [
  'client_deleted',
  'client_anonymized',
] as const satisfies readonly ClosingReason[];

/** Who earns or spends gives a source_type of their own choice, which may be one of these. */
export const CLOSING_TYPES = ['unlock', 'cancel', 'adjust'] as const satisfies readonly EntryType[];

const isClosing = (type: EntryType, source: string): boolean =>
  (CLOSING_TYPES as readonly string[]).includes(type) &&
  (BREAKAGE_SOURCES as readonly string[]).includes(source);
