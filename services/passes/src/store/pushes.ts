import type { PushStatus } from '@laurel/contract';
import { type Connection, cutPage, decodeCursor, isTime } from '@laurel/mongo';
import { passes } from './pass-rows';
import type { PassUpdateDocument } from './pass-update-document';
import { passUpdates } from './pass-updates';

/** The push of a pass: the one that is owed, else the last one. Its id is that of the pass. */
export interface Push {
  passId: string;
  status: PushStatus;
  attempts: number;
  error: string | null;
  askedAt: Date;
  triedAt: Date | null;
  nextAttemptAt: Date | null;
}

export interface PushPage {
  pushes: Push[];
  total: number;
  nextCursor: string | null;
}

const MATCHING: Record<PushStatus, object> = {
  pending: { pending: true },
  sent: { pending: { $exists: false }, 'outcome.status': 'sent' },
  failed: { pending: { $exists: false }, 'outcome.status': 'failed' },
};
const NEWEST = { changed_at: -1, _id: -1 } as const;

/** What became of wallet updates, for those who want to see and repeat them (part 4, section 10). */
export function createPushStore(connection: Connection) {
  const rows = passUpdates.open(connection);
  const shownOn = passes.open(connection);

  return {
    /** Notes why pushes failed: `errors` by the ids of their passes. */
    async noteFailures(
      workspaceId: string,
      errors: ReadonlyMap<string, string>,
      now: Date,
    ): Promise<void> {
      if (errors.size === 0) return;
      await rows.bulkWrite(
        [...errors].map(([passId, error]) => ({
          updateOne: {
            filter: { _id: passId, workspace_id: workspaceId },
            update: {
              $set: { 'outcome.status': 'failed', 'outcome.error': error, 'outcome.at': now },
              $inc: { 'outcome.attempts': 1 },
            },
          },
        })),
        { ordered: false },
      );
    },

    async find(workspaceId: string, passId: string): Promise<Push | null> {
      const row = await rows.of(workspaceId).findOne({ _id: passId });
      return row && toPush(row);
    },

    /** The text that each of some passes was last to show, by its id. */
    async textsOf(
      workspaceId: string,
      ids: readonly string[],
    ): Promise<Map<string, string | null>> {
      const options = { projection: { notification: 1 } };
      const found = shownOn.of(workspaceId).find({ _id: { $in: [...ids] } }, options);
      return new Map((await found.toArray()).map(({ _id, notification }) => [_id, notification]));
    },

    /** The latest change first; passes that were never to be pushed are left out. */
    async list(
      workspaceId: string,
      { status, passId }: { status?: PushStatus | undefined; passId?: string | undefined },
      { limit, cursor }: { limit: number; cursor?: string | undefined },
    ): Promise<PushPage> {
      const matching = {
        asked: { $gt: 0 },
        ...(passId === undefined ? {} : { _id: passId }),
        ...(status === undefined ? {} : MATCHING[status]),
      };
      const after = cursor === undefined ? {} : afterCursor(cursor);
      const [found, total] = await Promise.all([
        rows
          .of(workspaceId)
          .find({ $and: [matching, after] })
          .sort(NEWEST)
          .limit(limit + 1)
          .toArray(),
        rows.of(workspaceId).count(matching),
      ]);
      const place = ({ changed_at, _id }: PassUpdateDocument) => [changed_at.getTime(), _id];
      const { rows: shown, nextCursor } = cutPage(found, limit, place);
      return { pushes: shown.map(toPush), total, nextCursor };
    },
  };
}

function afterCursor(cursor: string) {
  const [time, id] = decodeCursor<[number, string]>(
    cursor,
    (value): value is [number, string] =>
      Array.isArray(value) && isTime(value[0]) && typeof value[1] === 'string',
  );
  const at = new Date(time);
  return { $or: [{ changed_at: { $lt: at } }, { changed_at: at, _id: { $lt: id } }] };
}

function toPush({ _id, pending, changed_at, not_before, outcome }: PassUpdateDocument): Push {
  return {
    passId: _id,
    status: pending ? 'pending' : (outcome?.status ?? 'sent'),
    attempts: outcome?.attempts ?? 0,
    error: outcome?.error ?? null,
    askedAt: changed_at,
    triedAt: outcome?.at ?? null,
    nextAttemptAt: pending ? not_before : null,
  };
}
