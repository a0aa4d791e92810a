import type { Json } from '@laurel/errors';
import { cutPage, decodeCursor, isTime } from '@laurel/mongo';
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
  const found = await audit.list(workspace_id, {
    actorId: request.actor_id,
    action: request.action,
    entity: request.entity,
    from: dateOf(request.from),
    until: dateOf(request.until),
    after: positionOf(request.cursor),
    limit,
  });
  const { rows, nextCursor } = cutPage(found, limit, ({ at, _id }) => [at.getTime(), _id]);
  const next = nextCursor === null ? {} : { next_cursor: nextCursor };
  return { data: rows.map(toAuditEntryReply), ...next };
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
    Array.isArray(value) && value.length === 2 && isTime(value[0]) && typeof value[1] === 'string'
  );
}
