import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Loaded } from '../../parts/loaded';
import { Empty } from '../../parts/page';
import { Pager, Table } from '../../parts/table';
import { sayEvent } from '../overview/latest';

const ROWS = 25;

/** What a customer did, newest first. */
export function Visits({ id }: { id: string }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const [offset, setOffset] = useState(0);
  const query = { limit: ROWS, offset };
  const events = useAsk(['events', id, query], (laurel) => laurel.events.listForClient(id, query));
  return (
    <Loaded query={events} lines={6}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title={say('visits.empty')} />
        ) : (
          <>
            <Table
              label={say('customer.visits')}
              rows={data}
              keyOf={(event) => event.id}
              isOld={events.isPlaceholderData}
              columns={[
                { title: say('when'), cell: (event) => format.moment(event.event_timestamp) },
                { title: say('statement.what'), cell: (event) => sayEvent(say, event) },
                {
                  title: say('visits.amount'),
                  cell: (event) =>
                    event.amount === null
                      ? ''
                      : event.event_category === 'transaction'
                        ? format.money(event.amount, event.currency)
                        : format.number(event.amount),
                  isNumber: true,
                },
                { title: say('visits.source'), cell: (event) => event.source ?? '', isExtra: true },
                {
                  title: say('statement.external'),
                  cell: (event) => event.external_id ?? '',
                  isExtra: true,
                },
              ]}
            />
            <Pager
              shown={data.length}
              total={meta?.total ?? meta?.total_count}
              onBack={offset > 0 ? () => setOffset(Math.max(0, offset - ROWS)) : undefined}
              onNext={data.length === ROWS ? () => setOffset(offset + ROWS) : undefined}
            />
          </>
        )
      }
    </Loaded>
  );
}
