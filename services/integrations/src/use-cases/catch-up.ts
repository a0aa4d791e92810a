import type { Database, Departures } from '@laurel/mongo';

/** What is kept, and who has departed. */
export type Departing = Database & { departures: Departures };

/** A row of an event, an attempt or a message, and whom it is about. */
interface Written {
  workspaceId: string;
  subject: string;
}

/** Moves and erases what was just written about clients who have departed, which a merge or an erasure cannot have found. */
export async function catchUp(deps: Departing, written: readonly Written[]): Promise<void> {
  const each = new Map(written.map((row) => [`${row.workspaceId} ${row.subject}`, row]));
  await Promise.all(
    [...each.values()].map(({ workspaceId, subject: clientId }) =>
      deps.departures.catchUp(deps, { workspaceId, clientId }),
    ),
  );
}
