import { data, get, member, type Route } from '../../routing';
import { fromMoment, untilMoment } from '../../schema/types';
import { presentAuditEntry } from './present';
import * as schema from './schema';

/** What people and tokens changed in a workspace (part 3, section 2). */
export const auditLogRoutes: Route[] = [
  get(':ws/audit-log', {
    stack: member({ permission: 'read_audit_log' }),
    tag: 'Workspaces',
    readsAudit: true,
    summary: 'List changes, newest first',
    query: schema.listAuditLog,
    reply: schema.auditLog,
    handle: async ({ rpc, workspaceId, query: { from_date, to_date, ...query } }) => {
      const from = fromMoment(from_date);
      const until = untilMoment(to_date);
      const { data: entries, next_cursor } = await rpc.identity.ListAuditLog({
        workspace_id: workspaceId,
        ...query,
        ...(from === undefined ? {} : { from }),
        ...(until === undefined ? {} : { until }),
      });
      const meta = { limit: query.limit, next_cursor: next_cursor ?? null };
      return data(entries.map(presentAuditEntry), meta);
    },
  }),
];
