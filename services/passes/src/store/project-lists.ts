import type { Rows, Session } from '@laurel/mongo';

/** By which lists of what a workspace has set up are sorted. */
export const NEWEST = { date_created: -1, _id: -1 } as const;

interface OfProject {
  workspace_id: string;
  project_id: string;
  key?: string | null;
}

/** Lists of what belongs to projects and may have a key: templates and distributions. */
export function createProjectLists<Document extends OfProject, Noun>(
  rows: Rows<Document>,
  toNoun: (document: Document) => Noun,
) {
  return {
    /** Newest first; of one project, or the one of a key, where it is named. */
    async list(
      workspaceId: string,
      { projectId, key }: { projectId?: string | undefined; key?: string | undefined } = {},
      session?: Session,
    ): Promise<Noun[]> {
      const filter = {
        ...(projectId === undefined ? {} : { project_id: projectId }),
        ...(key === undefined ? {} : { key }),
      };
      const found = rows
        .of(workspaceId)
        .find(filter as object, { session })
        .sort(NEWEST);
      return (await found.toArray()).map((row) => toNoun(row as Document));
    },

    hasAny: (workspaceId: string): Promise<boolean> => rows.of(workspaceId).has({}),
  };
}
