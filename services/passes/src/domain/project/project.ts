import { invalidField, type JsonObject } from '@laurel/errors';
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

/** Members may have any name: of a long one a refusal says how it begins. */
const NAME_SHOWN_MAX = 80;
/** All free members of a project together, however many changes they came by: all projects are to be one answer. */
const EXTRA_CHARACTERS_MAX = 20_000;

/** @throws INVALID_PAYLOAD on the largest member of `extra` where there is no room for what it gives or changes */
export function newProject(
  { id, workspaceId }: { id: string; workspaceId: string },
  { key, name, extra }: { key: string | null; name: string; extra: JsonObject },
  { userId, now }: Author,
): Project {
  const own = freeMembers(extra);
  requireRoom(own, { after: own, before: {} });
  return {
    id,
    workspace_id: workspaceId,
    key,
    name,
    extra: own,
    user_created: userId,
    user_updated: null,
    date_created: now,
    revision: 1,
  };
}

/**
 * The project with the changes in it; members of `extra` are merged.
 *
 * @throws INVALID_PAYLOAD as `newProject`. What was larger before there was a bound may stay, and become less
 */
export function changedProject(
  project: Project,
  { key, name, extra }: { key: string | null; name?: string | undefined; extra: JsonObject },
  userId: string | null,
): Project {
  const given = freeMembers(extra);
  const after = { ...project.extra, ...given };
  requireRoom(given, { after, before: project.extra });
  return {
    ...project,
    key,
    ...(name === undefined ? {} : { name }),
    extra: after,
    user_updated: userId,
  };
}

function requireRoom(
  given: JsonObject,
  { after, before }: { after: JsonObject; before: JsonObject },
): void {
  const length = lengthOf(after);
  if (length <= EXTRA_CHARACTERS_MAX || length <= lengthOf(before)) return;
  const [largest] = Object.keys(given).toSorted(
    (a, b) => lengthOf({ [b]: given[b]! }) - lengthOf({ [a]: given[a]! }),
  );
  throw invalidField(
    largest!.slice(0, NAME_SHOWN_MAX),
    `what is kept with a project must together be at most ${EXTRA_CHARACTERS_MAX} characters of JSON`,
  );
}

const lengthOf = (members: JsonObject): number => JSON.stringify(members).length;

export function freeMembers(extra: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(extra).filter(([key]) => !RESERVED.has(key)));
}
