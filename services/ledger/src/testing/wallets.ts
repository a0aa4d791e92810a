import { toDecimal, toUnits, type Units, unitsOf } from '@laurel/values/amount';
import { type Settlement, settlements } from '../domain/settle';
import type { Draft, Moment, Note, Rules, Wallet } from '../domain/types';
import { applyEffect, EMPTY_WALLET } from '../domain/wallet';
import { GENESIS_HASH, walletIdOf } from '../store/chain';
import { Planner } from '../store/planner';

export const T0 = Date.parse('2026-01-15T10:00:00.000Z');
export const DAY = 86_400_000;

export const RULES: Rules = {
  pendingDays: null,
  expiryDays: null,
  maxBalance: null,
  allowNegative: false,
};

export const NOTE: Note = {
  sourceType: 'manual',
  sourceId: null,
  externalId: null,
  description: null,
  metadata: {},
};

export const points = (decimal: number): Units => toUnits(decimal);

/** Ids that sort as they are made and differ to the eye. */
export function entryId(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

/** Plans the entries of one more wallet without any. */
export function newPlanner(number: number): Planner {
  const [workspaceId, clientId, walletTypeId] = ['w', `c${number}`, 't'];
  const id = walletIdOf(workspaceId, clientId, walletTypeId);
  const ref = { id, workspaceId, clientId, walletTypeId, walletTypeCode: 'points' };
  return new Planner({ ref, wallet: EMPTY_WALLET, hash: GENESIS_HASH });
}

/** A wallet of which very many lots end at one moment. */
export function endingAtOnce(count: number, at: number): Wallet {
  const amount = unitsOf(count);
  const lots = Array.from({ length: count }, (_, index) => ({
    id: entryId(index + 1),
    madeAt: index,
    sequence: index + 1,
    expiresAt: at,
    remaining: unitsOf(1),
    maturesAt: null,
  }));
  const figures = { ...EMPTY_WALLET.figures, active: amount, earned: amount };
  return { ...EMPTY_WALLET, sequence: count, lots, figures };
}

export type Step = (wallet: Wallet, moment: Moment) => Draft;

/** A wallet on which operations happen one after the other, each a minute later unless a step says otherwise. */
export function given(...steps: Step[]): Story {
  return steps.reduce((story, step) => story.when(step), new Story(EMPTY_WALLET, T0, []));
}

export class Story {
  constructor(
    readonly wallet: Wallet,
    readonly now: number,
    readonly drafts: readonly Draft[],
  ) {}

  when(step: Step): Story {
    const moment = { entryId: entryId(this.wallet.sequence + 1), now: this.now };
    const draft = step(this.wallet, moment);
    const after = applyEffect(this.wallet, draft, this.now);
    return new Story(after, this.now + 60_000, [...this.drafts, draft]);
  }

  later(ms: number): Story {
    return new Story(this.wallet, this.now + ms, this.drafts);
  }

  get last(): Draft {
    return this.drafts[this.drafts.length - 1]!;
  }

  /** Balances and totals in decimals. */
  get figures(): Record<string, number> {
    const entries = Object.entries(this.wallet.figures).filter(([, value]) => value !== 0);
    return Object.fromEntries(entries.map(([name, value]) => [name, toDecimal(value)]));
  }

  /** What is left in the open lots, by the number of the entry that made each. */
  get lots(): Record<string, number> {
    return Object.fromEntries(
      this.wallet.lots.map((lot) => [
        `${Number(lot.id.slice(24, 36))}${lot.id.slice(36)}`,
        toDecimal(lot.remaining),
      ]),
    );
  }
}

/** The first thing due by `now`; null when nothing is. */
export const settle = (wallet: Wallet, now: number): Settlement | null =>
  settlements(wallet, now).next().value ?? null;
