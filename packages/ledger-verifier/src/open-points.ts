import type { EntryBody } from './types';

interface OpenLot {
  left: number;
  pending: boolean;
}
interface Sums {
  active: number;
  pending: number;
  held: number;
}

/**
 * The open lots and holds of one wallet, from entry to entry. Their sums change with them: made anew for each entry, those of a
 * hundred thousand lots would take ten thousand million steps.
 */
export class OpenPoints {
  private readonly lots = new Map<string, OpenLot>();
  private readonly holds = new Map<string, number>();
  private readonly sums: Sums = { active: 0, pending: 0, held: 0 };
  /** What all of it comes to, whatever its sign: while that is exact, the order in which it is added does not count. */
  private magnitude = 0;
  private isExact = true;

  /** Complains where lots and holds are not what the balances after the entry say. */
  next(
    { lots, holds, consumed, after }: Pick<EntryBody, 'lots' | 'holds' | 'consumed' | 'after'>,
    complain: (problem: string) => void,
  ): void {
    for (const { id, by, matures_at } of lots) {
      const left = (this.lots.get(id)?.left ?? 0) + by;
      if (left < 0) complain(`lot ${id} gives more than it has`);
      this.putLot(id, { left, pending: matures_at !== null });
    }
    for (const { id, amount, parts } of holds) {
      this.putHold(id, amount);
      if (sum(parts.map((part) => part.amount)) !== amount) complain(`hold ${id} does not add up`);
    }
    if (consumed.some((part) => part.amount <= 0)) complain('a lot was used up by nothing');
    const { active, pending, held } = this.isExact ? this.sums : this.summedAnew();
    if (active !== Math.max(0, after.active)) complain('lots do not add up to the active balance');
    if (pending !== after.pending) complain('lots do not add up to the pending balance');
    if (held !== after.locked) complain('holds do not add up');
  }

  private putLot(id: string, lot: OpenLot): void {
    const before = this.lots.get(id);
    if (before) this.change(sumOf(before), before.left, 0);
    this.change(sumOf(lot), 0, lot.left);
    if (lot.left === 0) this.lots.delete(id);
    else this.lots.set(id, lot);
  }

  private putHold(id: string, amount: number): void {
    this.change('held', this.holds.get(id) ?? 0, amount);
    if (amount === 0) this.holds.delete(id);
    else this.holds.set(id, amount);
  }

  private change(name: keyof Sums, from: number, to: number): void {
    this.sums[name] = this.sums[name] - from + to;
    this.magnitude = this.magnitude - Math.abs(from) + Math.abs(to);
    this.isExact &&= Number.isSafeInteger(to) && this.magnitude <= Number.MAX_SAFE_INTEGER;
  }

  /** Where an export holds what no ledger writes, such as fractions, a sum depends on how it is made: always the same way. */
  private summedAnew(): Sums {
    const open = [...this.lots.values()];
    const left = (isPending: boolean): number[] =>
      open.flatMap((lot) => (lot.pending === isPending ? [lot.left] : []));
    return {
      active: sum(left(false)),
      pending: sum(left(true)),
      held: sum([...this.holds.values()]),
    };
  }
}

const sumOf = ({ pending }: OpenLot): 'active' | 'pending' => (pending ? 'pending' : 'active');

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
