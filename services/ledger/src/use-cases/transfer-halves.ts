import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { EntryDocument, FiguresDocument } from '../store/documents';
import type { HalfDocument } from '../store/entries';

/** Sides of transfers whose others have not been met are looked up once there are so many, and */
const HALVES_MAX = 10_000;
/** so many at a time. */
const LOOKED_UP_AT_ONCE = 1_000;

/** What is kept of one side of a transfer; the other side may be as many wallets away as there are. */
interface Half {
  id: string;
  walletId: string;
  sequence: number;
  change: FiguresDocument;
  otherId: string | null;
}

/**
 * Brings the sides of transfers together, whichever is met first. Those of which the other side does not come by are looked up: it may
 * lie outside of what is verified. A side that has none is half a transfer.
 */
export function createHalves(
  { entries }: Pick<Deps, 'entries'>,
  workspaceId: string,
  most = HALVES_MAX,
) {
  const alone = new Map<string, Half>();

  async function lookUp(): Promise<ledger.Problem[]> {
    const halves = [...alone.values()];
    alone.clear();
    const problems: ledger.Problem[] = [];
    for (let at = 0; at < halves.length; at += LOOKED_UP_AT_ONCE) {
      const some = halves.slice(at, at + LOOKED_UP_AT_ONCE);
      const ids = some.flatMap(({ otherId }) => otherId ?? []);
      const found = ids.length === 0 ? [] : await entries.findHalves(workspaceId, ids);
      const others = new Map(found.map((other) => [other._id, halfOf(other)]));
      problems.push(...some.filter((half) => !isWhole(half, others)).map(problemOf));
    }
    return problems;
  }

  return {
    /** Takes one more entry; answers with what was found out about those that had to be looked up. */
    async add(entry: EntryDocument): Promise<ledger.Problem[]> {
      if (!entry.counterpart && entry.change.moved === 0) return [];
      const half = halfOf(entry);
      if (half.otherId !== null && isWhole(half, alone)) alone.delete(half.otherId);
      else alone.set(half.id, half);
      return alone.size < most ? [] : lookUp();
    },

    /** To be called after the last entry. */
    end: lookUp,
  };
}

const halfOf = ({ _id, wallet_id, sequence, change, counterpart }: HalfDocument): Half => ({
  id: _id,
  walletId: wallet_id,
  sequence,
  change,
  otherId: counterpart?.entry_id ?? null,
});

function isWhole(half: Half, others: ReadonlyMap<string, Half>): boolean {
  const other = half.otherId === null ? undefined : others.get(half.otherId);
  return other !== undefined && areHalves(half, other);
}

/**
 * Each names the other, and nothing comes out of a transfer that did not go into it, under whatever name.
 * A side that names none stands for points from nowhere, even where another names it.
 */
function areHalves(one: Half, other: Half): boolean {
  if (one.otherId !== other.id || other.otherId !== one.id) return false;
  const names = Object.keys(one.change) as (keyof FiguresDocument)[];
  return names.every((name) => one.change[name] + other.change[name] === 0);
}

const problemOf = ({ walletId, sequence }: Half): ledger.Problem => ({
  client_wallet_id: walletId,
  sequence,
  problem: 'the other side of the transfer is missing or has another amount',
});
