import type { Rows } from '@laurel/mongo';
import type { Wakes } from '@laurel/work';
import type { PassUpdateDocument } from './pass-update-document';

/** The pushes that wait for credentials which there are not. */
export function createWaitingUpdates(
  rows: Rows<PassUpdateDocument>,
  due: Wakes,
  hasten: (workspaceId: string, passIds: readonly string[], now: Date) => Promise<void>,
) {
  const waitingFor = (credentials: readonly string[]) => ({
    waits_for: { $exists: true, $in: [...credentials] },
  });
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

    /** Whether any push of a workspace waits for one of these credentials. */
    isWaitedFor: async (workspaceId: string, credentials: readonly string[]): Promise<boolean> =>
      (await rows.of(workspaceId).count(waitingFor(credentials), { limit: 1 })) > 0,

    /**
     * Asks again for `max` of the pushes of a workspace at most that wait for one of these credentials. What else they wait
     * for they find out again.
     */
    async askWaiting(
      workspaceId: string,
      { credentials, max, now }: { credentials: readonly string[]; max: number; now: Date },
    ): Promise<void> {
      const isWaiting = waitingFor(credentials);
      const own = rows.of(workspaceId);
      const found = await own
        .find(isWaiting, { projection: { _id: 1 } })
        .limit(max)
        .toArray();
      if (found.length === 0) return;
      const passIds = found.map(({ _id }) => _id);
      await own.updateMany(
        { _id: { $in: passIds }, ...isWaiting },
        { $set: { pending: true, changed_at: now }, $inc: { asked: 1 }, $unset: { waits_for: '' } },
      );
      due.wake();
      // What met something else besides may be due much later.
      await hasten(workspaceId, passIds, now);
    },
  };
}
