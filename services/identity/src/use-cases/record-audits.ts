import { createHash } from 'node:crypto';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { AuditRow } from '../store/audit-log';

/** Writes entries of the audit log, each once however often it is sent; those of a workspace that is gone are dropped. */
export async function recordAudits(
  { audit, workspaces }: Deps,
  { records }: identity.RecordAuditsRequest,
): Promise<Record<string, never>> {
  // One that was sent twice in one batch is one row, too.
  const rows = [...new Map(records.map(toRow).map((row) => [row._id, row])).values()];
  await audit.insertMany(rows);
  // Looked at when they are written: a workspace that goes from now on finds them.
  const ids = [...new Set(rows.map((row) => row.workspace_id))];
  const known = new Set((await workspaces.findMany(ids)).map((workspace) => workspace._id));
  for (const gone of ids.filter((id) => !known.has(id))) {
    const own = rows.filter((row) => row.workspace_id === gone);
    await audit.removeMany(
      gone,
      own.map((row) => row._id),
    );
  }
  return {};
}

function toRow(record: identity.AuditRecord): AuditRow {
  const { workspace_id, action, entity, request_id, changes } = record;
  return {
    _id: idOf(record),
    workspace_id,
    actor: {
      type: record.actor?.type ?? 'system',
      id: record.actor?.id ?? null,
      email: record.actor?.email ?? null,
    },
    action,
    entity,
    entity_id: record.entity_id ?? null,
    request_id,
    at: new Date(record.at),
    changes,
    values: (record.values ?? []).map(({ name, from = null, to = null }) => ({ name, from, to })),
    client_id: record.client_id ?? null,
  };
}

/** The same record has the same id; a request id alone is the caller's choice and may come twice. */
function idOf({ workspace_id, request_id, action, entity_id, at }: identity.AuditRecord): string {
  const name = [workspace_id, request_id, action, entity_id ?? '', at].join('\n');
  const hex = createHash('sha256').update(name).digest('hex');
  const digits = `${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
