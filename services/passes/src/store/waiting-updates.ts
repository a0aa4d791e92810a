import type { Rows } from '@laurel/mongo';
import type { Wakes } from '@laurel/work';
import type { PassUpdateDocument } from './pass-update-document';

/** At most one push per pass in so long (part 3, section 10). */
export const COALESCE_MS = 5_000;

/** The pushes that wait for credentials which there are not. */
export function createWaitingUpdates(rows: Rows<PassUpdateDocument>, due: Wakes) {
  return {
    /** The next workspace, in the order of their ids, with pushes that wait for credentials. */
    async nextWaiting(after: string): Promise<string | null> {
      const [found] = await rows.ofEverybody
        .find(
          { waits_for: { $exists: true }, workspace_id: { $gt: after } },
          { projection: { workspace_id: 1 } },
        )
        .sort({ workspace_id: 1 })
        .limit(1)
        .toArray();
      return found?.workspace_id ?? null;
    },

    /**
     * Asks again for `max` of the pushes of a workspace at most that wait for one of these credentials. What else they wait
     * for they find out again.
     */
    async askWaiting(
      workspaceId: string,
      { credentials, max, now }: { credentials: readonly string[]; max: number; now: Date },
    ): Promise<void> {
      const isWaiting = { waits_for: { $exists: true, $in: [...credentials] } };
      const own = rows.of(workspaceId);
      const found = await own
        .find(isWaiting, { projection: { _id: 1 } })
        .limit(max)
        .toArray();
      if (found.length === 0) return;
      const asked = { _id: { $in: found.map(({ _id }) => _id) }, ...isWaiting };
      const again = {
        $set: { pending: true as const, changed_at: now },
        $inc: { asked: 1 },
        $unset: { waits_for: '' as const },
      };
      // What met something else besides may be due much later; what a worker has in hand is due as it says.
      const soon = { $min: { not_before: new Date(now.getTime() + COALESCE_MS) } };
      await own.updateMany({ ...asked, lease: { $exists: false } }, { ...again, ...soon });
      await own.updateMany(asked, again);
      due.wake();
      due.wake(undefined, new Date(now.getTime() + COALESCE_MS));
    },
  };
}
