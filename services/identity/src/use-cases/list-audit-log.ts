import type { Json } from '@laurel/errors';
import { decodeCursor, encodeCursor } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toAuditEntry } from '../store/mapping';

type Position = [at: number, id: string];

/** A page of a workspace's audit log, newest first. Refuses an actor who never was anybody there. */
export async function listAuditLog(
  deps: Deps,
  request: identity.ListAuditLogRequest,
): Promise<identity.AuditLog> {
  const { audit } = deps;
  const { workspace_id, limit } = request;
  const rows = await audit.list(workspace_id, {
    actorId: request.actor_id,
    action: request.action,
    entity: request.entity,
    from: dateOf(request.from),
    until: dateOf(request.until),
    after: positionOf(request.cursor),
    limit,
  });
  if (rows.length === 0) await requireActor(deps, request);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(toAuditEntry),
    ...(rows.length > limit && last
      ? { next_cursor: encodeCursor([last.at.getTime(), last._id]) }
      : {}),
  };
}

/** Who left the workspace is known by what they did. */
async function requireActor(
  { audit, members }: Deps,
  { workspace_id, actor_id: actorId }: identity.ListAuditLogRequest,
): Promise<void> {
  if (actorId === undefined || (await members.find(workspace_id, actorId))) return;
  const [entry] = await audit.list(workspace_id, { actorId, limit: 0 });
  if (!entry) throw refusals.unknownActor();
}

const dateOf = (iso: string | undefined): Date | undefined =>
  iso === undefined ? undefined : new Date(iso);

function positionOf(cursor: string | undefined): { at: Date; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [at, id] = decodeCursor<Position & Json>(cursor, isPosition);
  return { at: new Date(at), id };
}

function isPosition(value: unknown): value is Position & Json {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    Number.isSafeInteger(value[0]) &&
    typeof value[1] === 'string'
  );
}
