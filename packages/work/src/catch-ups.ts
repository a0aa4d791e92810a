import type { Connection } from '@laurel/mongo';
import { createDue } from './due';
import { PIECE_LEASE_MS, type PieceJob } from './job';

/** How long the writer of a row has to catch up by itself. */
const OWN_MS = 30_000;

interface Clock {
  now(): Date;
}

export interface AboutClient {
  workspaceId: string;
  clientId: string;
}

interface AboutClientDocument {
  _id: string;
  workspace_id: string;
  client_id: string;
}

type CatchUps = ReturnType<typeof createCatchUps>;

/**
 * Rows that are written for a client who may be merged or erased at that very moment. Each is due until its client was
 * caught up with: by its writer, or by `catchUpJob` where that process died in between. The collection needs
 * `dueIndex()`, and columns `workspace_id` and `client_id`.
 */
export function createCatchUps(connection: Connection, collection: string) {
  const rows = connection.collection<AboutClientDocument>(collection);
  return {
    due: createDue<AboutClientDocument, AboutClient>(connection, collection, {
      read: ({ workspace_id, client_id }) => ({ workspaceId: workspace_id, clientId: client_id }),
    }),

    /** What a row carries that is written now. */
    columns: (now: Date): { due_at: Date } => ({ due_at: new Date(now.getTime() + OWN_MS) }),

    /** The client of the row was caught up with. */
    async done(workspaceId: string, id: string): Promise<void> {
      const over: object = { $unset: { due_at: '', lease: '' } };
      await rows.updateOne({ _id: id, workspace_id: workspaceId }, over);
    },
  };
}

/** The row in jobs.ts that does what a process was to do which died after its commit. */
export const catchUpJob = (
  name: string,
  { catchUps: { due }, clock }: { catchUps: CatchUps; clock: Clock },
  catchUp: (who: AboutClient) => Promise<void>,
): PieceJob<AboutClient> => ({
  name,
  due,
  concurrency: 4,
  share: 2,
  leaseMs: PIECE_LEASE_MS,
  clock,
  work: async (who, claim) => {
    await catchUp(who);
    await due.finish(claim);
  },
});
