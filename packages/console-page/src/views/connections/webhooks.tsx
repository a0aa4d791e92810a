import type { Webhook } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Empty } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { useOffset } from '../../parts/paging';
import { NewWebhook } from './new-webhook';
import { tellEvents } from './tell-events';

const ROWS = 50;

/** How a webhook does, in one word. */
export function WebhookState({ webhook }: { webhook: Webhook }): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  if (webhook.disabled_reason)
    return <Badge kind="bad">{say(`webhook.${webhook.disabled_reason}`)}</Badge>;
  if (!webhook.active) return <Badge>{say('off')}</Badge>;
  if (webhook.failing_since) return <Badge kind="warn">{say('webhook.fails')}</Badge>;
  return <Badge kind="good">{say('on')}</Badge>;
}

export function Webhooks(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const paging = useOffset(ROWS);
  const webhooks = useAsk(['webhooks', paging.query], () => laurel.webhooks.list(paging.query));
  const [isOpen, setOpen] = useState(false);
  const add = (
    <div>
      <Button data-key="c" onClick={() => setOpen(true)}>
        {say('webhooks.new')}
      </Button>
    </div>
  );
  return (
    <>
      <PagedTable
        query={webhooks}
        paging={paging}
        lines={4}
        empty={
          <Empty title={say('webhooks.empty')} action={add}>
            {say('webhooks.empty.text')}
          </Empty>
        }
        label={say('webhooks.title')}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/connections/webhooks/${id}`}
        columns={[
          { title: say('webhook.url'), cell: ({ url }) => url },
          { title: say('state'), cell: (row) => <WebhookState webhook={row} /> },
          {
            title: say('webhook.events'),
            cell: ({ event_types }) => tellEvents(say, event_types),
            isExtra: true,
          },
        ]}
      />
      {webhooks.data && (webhooks.data.data.length > 0 || paging.back) && add}
      {isOpen && <NewWebhook onClose={() => setOpen(false)} />}
    </>
  );
}
