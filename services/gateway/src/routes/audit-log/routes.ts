import { data, get, member, type Route } from '../../routing';
import { fromMoment, untilMoment } from '../../schema/types';
import { withClients } from '../clients/expand-client';
import { presentAuditEntry, withWhose } from './present';
import * as schema from './schema';

/** What people and tokens changed in a workspace (part 3, section 2). */
export const auditLogRoutes: Route[] = [
  get(':ws/audit-log', {
    stack: member({ permission: 'read_audit_log' }),
    tag: 'Workspaces',
    readsAudit: true,
    summary: 'List changes, newest first',
    description:
      'Who did what to which row, when and under which request id; names of changed fields, never their values. For admins; page by `cursor`.',
    query: schema.listAuditLog,
    reply: schema.auditLog,
    handle: async (input) => {
      const { rpc, workspaceId } = input;
      const { from_date, to_date, expand = [], ...query } = input.query;
      const from = fromMoment(from_date);
      const until = untilMoment(to_date);
      const { data: entries, next_cursor } = await rpc.identity.ListAuditLog({
        workspace_id: workspaceId,
        ...query,
        ...(from === undefined ? {} : { from }),
        ...(until === undefined ? {} : { until }),
      });
      const meta = { limit: query.limit, next_cursor: next_cursor ?? null };
      const rows = await withClients(input, entries.map(withWhose), expand);
      return data(
        rows.map((row) => presentAuditEntry(row, expand)),
        meta,
      );
    },
  }),
];
