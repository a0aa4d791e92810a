import type { Current, Database, Departures } from '@laurel/mongo';

/** What is kept, and who has departed. */
export type Departing = Database & { departures: Departures };

/** Whom a row of an event, an attempt or a message is about. */
export interface AboutWhom {
  workspaceId: string;
  subject: string;
}

/** Whom an event is about. */
export const aboutWhom = ({
  workspaceid: workspaceId,
  subject,
}: {
  workspaceid: string;
  subject: string;
}): AboutWhom => ({ workspaceId, subject });

/** Who that is now: a row that is written so, and as erased where they were, leaves nothing to catch up with. */
export type WhoNow = AboutWhom & Pick<Current, 'formerly' | 'ended'>;

/** Who those are now whom some rows are about, in the same order. */
export function whoNow(
  { departures }: Pick<Departing, 'departures'>,
  about: readonly AboutWhom[],
): Promise<WhoNow[]> {
  const asked = new Map<string, Promise<Current>>();
  return Promise.all(
    about.map(async ({ workspaceId, subject }) => {
      const name = `${workspaceId} ${subject}`;
      const found = asked.get(name) ?? departures.currentOf(workspaceId, subject);
      asked.set(name, found);
      const { clientId, formerly, ended } = await found;
      return { workspaceId, subject: clientId, formerly, ended };
    }),
  );
}

/**
 * Moves and erases what was just written about clients who have departed, which a merge or an erasure cannot have found. Of
 * rows that were written by who somebody was a moment before (`whoNow`), only what has changed since.
 */
export async function catchUp(
  deps: Departing,
  written: readonly (AboutWhom & Partial<WhoNow>)[],
): Promise<void> {
  const each = new Map(
    written.map((row) => [`${row.workspaceId} ${row.subject} ${row.ended ?? ''}`, row]),
  );
  await Promise.all(
    [...each.values()].map(({ workspaceId, subject: clientId, ended }) =>
      deps.departures.catchUp(deps, { workspaceId, clientId }, ended),
    ),
  );
}
