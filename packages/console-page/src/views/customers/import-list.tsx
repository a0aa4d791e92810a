import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';
import { Table } from '../../parts/table';

const SHOWN = 10;

/** The imports of before: when, and what became of them. */
export function ImportList({ onOpen }: { onOpen: (id: string) => void }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const jobs = useAsk(['imports'], (laurel) => laurel.clients.listImportJobs({ limit: SHOWN }));
  return (
    <Loaded query={jobs} lines={2}>
      {({ data }) =>
        data.length > 0 && (
          <section className="stack">
            <h3>{say('import.earlier')}</h3>
            <Table
              label={say('import.earlier')}
              rows={data}
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
                { title: say('state'), cell: ({ status }) => say(`import.status.${status}`) },
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
        )
      }
    </Loaded>
  );
}
