import type { WorkspacesListAuditLogRow } from '@laurel/client';
import type { ReactNode } from 'react';
import { nameOf } from '../../api/find';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Go } from '../../parts/go';
import { PagedTable } from '../../parts/paged-table';
import { useCursor } from '../../parts/paging';
import { sayChange, sayValues } from './say-change';
import { useSubjects } from './subjects';

const ROWS = 50;

/** Who changed what of whom, and from what to what. */
export function Audit(): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const paging = useCursor(ROWS);
  const log = useAsk(['audit', paging.query], () =>
    laurel.workspaces.listAuditLog({ ...paging.query, expand: ['client', 'values'] }),
  );
  const subjectOf = useSubjects(log.data?.data ?? []);
  const which = (row: WorkspacesListAuditLogRow): ReactNode => {
    if (row.client) return <Go to={`/customers/${row.client.id}`}>{nameOf(row.client)}</Go>;
    const gone = row.values?.find(({ name, to }) => name === 'name' && to === null);
    const { name, to } = subjectOf(row);
    return to ? <Go to={to}>{name}</Go> : (name ?? String(gone?.from ?? ''));
  };
  return (
    <PagedTable
      query={log}
      paging={paging}
      lines={10}
      label={say('settings.audit')}
      keyOf={({ id }) => id}
      columns={[
        { title: say('when'), cell: (row) => format.moment(row.at), isBelow: true },
        {
          title: say('audit.who'),
          cell: (row) => row.actor.email ?? say('audit.program'),
          isBelow: true,
        },
        { title: say('statement.what'), cell: (row) => sayChange(language, row.action) },
        { title: say('audit.which'), cell: which, isBelow: true },
        {
          title: say('audit.changed'),
          cell: (row) => sayValues(language, row.changes, row.values ?? []).join(' · '),
          isBelow: true,
        },
      ]}
    />
  );
}
