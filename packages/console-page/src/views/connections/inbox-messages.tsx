import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Trouble } from '../../parts/loaded';
import { Panel } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { useCursor } from '../../parts/paging';
import { useWish } from '../../parts/wish';

const ROWS = 10;

/** What arrived from a shop system, newest first, and what became of each. */
export function InboxMessages({ provider, name }: { provider: string; name: string }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const paging = useCursor(ROWS);
  const messages = useAsk(['inbox', provider, paging.query], () =>
    laurel.integrations.listInboxMessages(provider, paging.query),
  );
  const again = useWish(
    (id: string, options) => laurel.integrations.retryInboxMessage(provider, id, options),
    () => forget('inbox'),
  );
  return (
    <Panel title={say('integrations.arrived')}>
      {again.refused !== null && <Trouble error={again.refused} />}
      <PagedTable
        query={messages}
        paging={paging}
        lines={3}
        empty={<p className="hint">{say('integrations.noMessages')}</p>}
        label={say('integrations.messages', { name })}
        keyOf={({ id }) => id}
        columns={[
          { title: say('when'), cell: (row) => format.moment(row.received_at) },
          {
            title: say('state'),
            cell: (row) => (
              <Badge kind={row.status === 'failed' ? 'bad' : 'plain'}>
                {say(`inbox.${row.status}`)}
              </Badge>
            ),
          },
          {
            title: say('delivery.answer'),
            cell: (row) => row.last_error ?? '',
            isExtra: true,
          },
          {
            title: say('actions'),
            isActions: true,
            cell: (row) =>
              row.status === 'failed' && (
                <Button
                  size="xs"
                  variant="default"
                  disabled={again.isBusy}
                  onClick={() => void again.send(row.id)}
                >
                  {say('retry')}
                </Button>
              ),
          },
        ]}
      />
    </Panel>
  );
}
