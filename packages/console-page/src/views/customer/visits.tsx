import type { Event } from '@laurel/client';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import type { Language } from '../../language';
import { useAsk } from '../../parts/ask';
import { NamedButton } from '../../parts/named-button';
import { Empty } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { useOffset } from '../../parts/paging';
import { sayEvent } from '../overview/latest';
import { useEventAmount } from '../overview/use-event-amount';
import { isPurchase, type Purchase, RefundPurchase } from './refund';

const ROWS = 25;

/** What a customer did, newest first. */
export function Visits({ id }: { id: string }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const paging = useOffset(ROWS);
  const [sale, setSale] = useState<Purchase | null>(null);
  const events = useAsk(['events', id, paging.query], (laurel) =>
    laurel.events.listForClient(id, paging.query),
  );
  const writeAmount = useEventAmount(events.data?.data ?? []);
  return (
    <>
      <PagedTable
        query={events}
        paging={paging}
        lines={6}
        empty={<Empty title={say('visits.empty')} />}
        label={say('customer.visits')}
        keyOf={(event) => event.id}
        columns={[
          {
            title: say('when'),
            cell: (event) => format.moment(event.event_timestamp),
            isBelow: true,
          },
          { title: say('statement.what'), cell: (event) => sayEvent(say, event) },
          {
            title: say('visits.amount'),
            cell: writeAmount,
            isNumber: true,
          },
          {
            title: say('visits.source'),
            cell: (event) => saySource(language, event),
            isExtra: true,
          },
          {
            title: say('statement.external'),
            cell: (event) => event.external_id ?? '',
            isExtra: true,
          },
          {
            title: say('actions'),
            isActions: true,
            cell: (event) =>
              isPurchase(event) && (
                <NamedButton
                  name={format.moment(event.event_timestamp)}
                  onClick={() => setSale(event)}
                >
                  {say('refund')}
                </NamedButton>
              ),
          },
        ]}
      />
      {sale && <RefundPurchase sale={sale} onClose={() => setSale(null)} />}
    </>
  );
}

/** Where a visit was recorded. What the platform itself noted, such as points earned, comes from nowhere else. */
function saySource({ say, knows }: Language, { event_category, source }: Event): string {
  if (source === null || event_category === 'loyalty') return '';
  const key = `source.${source}`;
  return knows(key) ? say(key) : source;
}
