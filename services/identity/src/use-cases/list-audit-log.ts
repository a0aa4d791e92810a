import type { Json } from '@laurel/errors';
import { decodeCursor, encodeCursor } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toAuditEntryReply } from './wire';

type Position = [at: number, id: string];

/** A page of a workspace's audit log, newest first. */
export async function listAuditLog(
  { audit }: Deps,
  request: identity.ListAuditLogRequest,
): Promise<identity.AuditLog> {
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
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(toAuditEntryReply),
    ...(rows.length > limit && last
      ? { next_cursor: encodeCursor([last.at.getTime(), last._id]) }
      : {}),
  };
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
