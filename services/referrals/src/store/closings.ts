import { newId } from '@laurel/lifecycle';
import type { Connection, Session } from '@laurel/mongo';
import { createDueTimes, ofThisClock } from '@laurel/work';
import type { Referral } from '../domain/referral';
import { toReferral } from './mapping';
import { referrals } from './referrals';

/** Which pending referrals are to be closed. Those that are due may be of any workspace. */
export type Selection =
  | { workspaceId: string; createdUntil: Date; closedFor: string }
  | { workspaceId: string; programId: string }
  | { dueUntil: Date };

export interface Closing {
  status: 'cancelled' | 'expired';
  now: Date;
}

/** Closes many pending referrals, a batch at a time; each is closed once, however many are at it. */
export function createClosingStore(connection: Connection) {
  // Those that are due may be of any workspace; else the selection says of which.
  const rows = referrals.open(connection).ofEverybody;

  return {
    /** When pending referrals expire. */
    due: createDueTimes(connection, referrals.collection, { leads: true }),

    async candidates(selection: Selection, limit: number): Promise<string[]> {
      const options = { projection: { _id: 1 }, limit };
      const found = await rows.find(toFilter(selection), options).toArray();
      return found.map(({ _id }) => _id);
    },

    /** Those of the candidates that were still pending, closed now. */
    async close(
      { ids, selection }: { ids: readonly string[]; selection: Selection },
      { status, now }: Closing,
      session: Session,
    ): Promise<Referral[]> {
      const batch = newId();
      const chosen = { _id: { $in: [...ids] } };
      await rows.updateMany(
        { ...chosen, ...toFilter(selection) },
        {
          $set: {
            status,
            date_updated: now,
            closed_by: batch,
            ...('closedFor' in selection ? { closed_for: selection.closedFor } : {}),
            ...(status === 'cancelled' ? { cancelled_at: now } : {}),
          },
          $unset: { due_at: '' },
        },
        { session },
      );
      const closed = await rows.find({ ...chosen, closed_by: batch }, { session }).toArray();
      return closed.map(toReferral);
    },

    /** How many were closed for one request, in however many batches and tries. */
    countClosedFor: (workspaceId: string, request: string): Promise<number> =>
      rows.countDocuments({
        workspace_id: workspaceId,
        status: 'cancelled',
        closed_for: request,
      }),

    /** How many of a program were cancelled together since a moment. */
    countCancelled: (workspaceId: string, programId: string, since: Date): Promise<number> =>
      rows.countDocuments({
        workspace_id: workspaceId,
        status: 'cancelled',
        program_id: programId,
        cancelled_at: { $gte: since },
        closed_by: { $exists: true },
      }),
  };
}

function toFilter(selection: Selection) {
  const status = 'pending' as const;
  if ('dueUntil' in selection)
    return { due_at: { $exists: true, $lte: selection.dueUntil }, status, ...ofThisClock() };
  const workspace = { workspace_id: selection.workspaceId, status };
  return 'programId' in selection
    ? { ...workspace, program_id: selection.programId }
    : { ...workspace, date_created: { $lte: selection.createdUntil } };
}
