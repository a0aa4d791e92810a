import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { PagedTable } from '../../parts/paged-table';
import { useCursor } from '../../parts/paging';
import { sayChange } from './say-change';

const ROWS = 50;

/** Who changed what. */
export function Audit(): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const paging = useCursor(ROWS);
  const log = useAsk(['audit', paging.query], () => laurel.workspaces.listAuditLog(paging.query));
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
          cell: (row) => row.actor.email ?? row.actor.type,
          isBelow: true,
        },
        { title: say('statement.what'), cell: (row) => sayChange(language, row.action) },
        { title: say('audit.changed'), cell: (row) => row.changes.join(', '), isExtra: true },
      ]}
    />
  );
}
