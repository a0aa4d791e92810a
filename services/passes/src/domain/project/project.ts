import type { JsonObject } from '@laurel/errors';
import type { Author } from '../author';

/** Passes of one brand or shop; whatever else the workspace keeps with it stands in `extra`. */
export interface Project {
  id: string;
  workspace_id: string;
  /** What files call it; given once. */
  key?: string | null;
  name: string;
  extra: JsonObject;
  user_created: string | null;
  user_updated: string | null;
  date_created: Date;
  /** Absent where nothing has changed since it was made, or since before this was noted. */
  changed_at?: Date;
  revision: number;
}

/** Set by the server: no caller chooses a member of that name in a body. */
const RESERVED = new Set([
  'id',
  'workspace_id',
  'key',
  'name',
  'date_created',
  'user_created',
  'user_updated',
]);

export function newProject(
  { id, workspaceId }: { id: string; workspaceId: string },
  { key, name, extra }: { key: string | null; name: string; extra: JsonObject },
  { userId, now }: Author,
): Project {
  return {
    id,
    workspace_id: workspaceId,
    key,
    name,
    extra: freeMembers(extra),
    user_created: userId,
    user_updated: null,
    date_created: now,
    revision: 1,
  };
}

/** The project with the changes in it; members of `extra` are merged. */
export function changedProject(
  project: Project,
  { key, name, extra }: { key: string | null; name?: string | undefined; extra: JsonObject },
  userId: string | null,
): Project {
  return {
    ...project,
    key,
    ...(name === undefined ? {} : { name }),
    extra: { ...project.extra, ...freeMembers(extra) },
    user_updated: userId,
  };
}

export function freeMembers(extra: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(extra).filter(([key]) => !RESERVED.has(key)));
}
