import { add, total, type Units, ZERO } from '@laurel/values/amount';
import type { LotRef } from './types';
import type { Effect } from './wallet';

interface OpenLot {
  remaining: Units;
  isActive: boolean;
}

/** What open lots and holds come to, in units; may be beyond the range of an amount. */
interface OpenSums {
  active: number;
  pending: number;
  held: number;
}

/** What an entry leaves open of what it changes: nothing of what is at zero. */
interface Opened {
  lots: ReadonlyMap<string, OpenLot>;
  holds: ReadonlyMap<string, number>;
  sums: OpenSums;
}

/**
 * The open lots and holds of a wallet whose log is replayed. They are what `applyEffect` makes of them, in steps of what an entry
 * changes: it copies all that is open, which is n² steps for a wallet of n open lots.
 */
export class OpenPoints {
  private readonly lots = new Map<string, OpenLot>();
  private readonly holds = new Map<string, number>();
  private sums: OpenSums = { active: 0, pending: 0, held: 0 };

  /** What would be open after one more entry; `keep` makes it so. Throws AmountRangeError where a lot would leave the range of amounts. */
  after({ lots: lotChanges, holds: changedHolds }: Pick<Effect, 'lots' | 'holds'>): Opened {
    const lots = new Map<string, OpenLot>();
    const holds = new Map<string, number>();
    for (const { lot, by, maturesAt } of lotChanges) {
      const key = keyOf(lot);
      const { remaining } = lots.get(key) ?? this.lots.get(key) ?? { remaining: ZERO };
      lots.set(key, { remaining: add(remaining, by), isActive: maturesAt === null });
    }
    for (const { id, amount } of changedHolds)
      holds.set(id, total(holds.get(id) ?? 0, Math.max(0, amount)));
    return { lots, holds, sums: this.sumsWith(lots, holds) };
  }

  keep({ lots, holds, sums }: Opened): void {
    for (const [key, lot] of lots) {
      if (lot.remaining === 0) this.lots.delete(key);
      else this.lots.set(key, lot);
    }
    for (const [id, amount] of holds) {
      if (amount === 0) this.holds.delete(id);
      else this.holds.set(id, amount);
    }
    this.sums = sums;
  }

  private sumsWith(lots: Opened['lots'], holds: Opened['holds']): OpenSums {
    const sums = { ...this.sums };
    const put = (name: keyof OpenSums, amount: number): void => {
      sums[name] = total(sums[name], amount);
    };
    for (const [key, now] of lots) {
      const before = this.lots.get(key);
      if (before) put(sumOf(before), -before.remaining);
      put(sumOf(now), now.remaining);
    }
    for (const [id, now] of holds) put('held', total(now, -(this.holds.get(id) ?? 0)));
    return sums;
  }
}

const sumOf = ({ isActive }: OpenLot): 'active' | 'pending' => (isActive ? 'active' : 'pending');

/** The lot by what `compareLots` tells it from others by. */
const keyOf = ({ id, madeAt, sequence }: LotRef): string => `${madeAt} ${sequence} ${id}`;
