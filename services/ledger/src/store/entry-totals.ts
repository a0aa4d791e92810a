import {
  type Connection,
  type CountRange,
  createLongCounts,
  limitedTo,
  type Session,
  unitOfWork,
} from '@laurel/mongo';
import type { EntryStore } from './entries';
import { type EntryFilter, queryOf } from './entry-filter';
import { idBefore } from './id-before';

/** Longer than it can take from giving an entry its id to its being there. */
const SETTLED_AFTER_MS = 600_000;
/** How long a total by status may lag behind what other processes do; entries themselves never change or go. */
const STATUS_KEPT_MS = 10_000;

export type EntryTotals = ReturnType<typeof createEntryTotals>;

/** How many entries lists have: counted once, and from then on only what is new. */
export function createEntryTotals(
  connection: Connection,
  { collection }: Pick<EntryStore, 'collection'>,
) {
  const lasting = createLongCounts<string>({ keptMs: null });
  const passing = createLongCounts<string>({ keptMs: STATUS_KEPT_MS });

  function countAfter(query: object, bound: string, session: Session): Promise<number> {
    return collection.countDocuments({ $and: [query, idRange({ after: bound })] }, { session });
  }

  return {
    of(filter: EntryFilter): Promise<number> {
      const query = queryOf(filter);
      const counts = filter.status === undefined ? lasting : passing;
      return counts.total({
        key: `${filter.workspaceId} ${JSON.stringify(filter)}`,
        settled: () => idBefore(new Date(Date.now() - SETTLED_AFTER_MS)),
        count: (range, atMost) =>
          collection.countDocuments({ $and: [query, idRange(range)] }, limitedTo(atMost)),
        // A range of ids makes the local engine read every entry in it; all, and the few after it, it counts along
        // an index. Both are of one moment, so that no entry comes between them.
        countOlder: (bound) =>
          unitOfWork(connection, async (session) => {
            const all = await collection.countDocuments(query, { session });
            return all - (await countAfter(query, bound, session));
          }),
      });
    },

    forget(workspaceId: string): void {
      lasting.forget(workspaceId);
      passing.forget(workspaceId);
    },
  };
}

function idRange({ after, until }: CountRange<string>): object {
  if (after === undefined && until === undefined) return {};
  return { _id: { ...(after ? { $gt: after } : {}), ...(until ? { $lte: until } : {}) } };
}
