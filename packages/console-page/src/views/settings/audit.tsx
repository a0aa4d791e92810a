import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';
import { Pager, Table } from '../../parts/table';

const ROWS = 50;

/** Who changed what. */
export function Audit(): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const log = useAsk(['audit', cursor], () =>
    laurel.workspaces.listAuditLog({ limit: ROWS, ...(cursor ? { cursor } : {}) }),
  );
  return (
    <Loaded query={log} lines={10}>
      {({ data, meta }) => (
        <>
          <Table
            label={say('settings.audit')}
            rows={data}
            keyOf={({ id }) => id}
            isOld={log.isPlaceholderData}
            columns={[
              { title: say('when'), cell: (row) => format.moment(row.at) },
              { title: say('audit.who'), cell: (row) => row.actor.email ?? row.actor.type },
              { title: say('statement.what'), cell: (row) => `${row.action} ${row.entity}` },
              { title: say('audit.changed'), cell: (row) => row.changes.join(', '), isExtra: true },
            ]}
          />
          <Pager
            shown={data.length}
            onBack={cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined}
            onNext={
              meta?.next_cursor ? () => setCursors([...cursors, meta.next_cursor!]) : undefined
            }
          />
        </>
      )}
    </Loaded>
  );
}
