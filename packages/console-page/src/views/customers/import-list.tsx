import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { PagedTable } from '../../parts/paged-table';
import { useCursor } from '../../parts/paging';
import { KIND_OF, outcomeOf } from './import-outcome';

const ROWS = 10;

/** The imports of before, newest first: when, and what became of them. */
export function ImportList({ onOpen }: { onOpen: (id: string) => void }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const paging = useCursor(ROWS);
  const jobs = useAsk(['imports', paging.query], (laurel) =>
    laurel.clients.listImportJobs(paging.query),
  );
  if (jobs.data?.data.length === 0 && !paging.back) return null;
  return (
    <section className="stack">
      {jobs.data && <h3>{say('import.earlier')}</h3>}
      <PagedTable
        query={jobs}
        paging={paging}
        lines={2}
        label={say('import.earlier')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: say('import.when'),
            cell: ({ id, date_created }) => (
              <button type="button" className="text-button" onClick={() => onOpen(id)}>
                {format.moment(date_created)}
              </button>
            ),
          },
          {
            title: say('state'),
            cell: (row) => (
              <Badge kind={KIND_OF[outcomeOf(row)]}>{say(`import.status.${outcomeOf(row)}`)}</Badge>
            ),
          },
          {
            title: say('import.new'),
            isNumber: true,
            cell: ({ created }) => format.number(created),
          },
          {
            title: say('import.unread'),
            isNumber: true,
            cell: ({ failed }) => format.number(failed),
          },
        ]}
      />
    </section>
  );
}
