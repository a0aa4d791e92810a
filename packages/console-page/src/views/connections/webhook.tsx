import { DELIVERY_STATUSES } from '@laurel/contract';
import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Editing, readSeen } from '../../parts/editing';
import { usePathPart, useSearch } from '../../parts/go';
import { StatusFilter } from '../../parts/list-filter';
import { Loaded, Trouble } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { Notice } from '../../parts/notice';
import { Empty, Page } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import { useCursor } from '../../parts/paging';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { Delivery } from './delivery';
import { EditWebhook } from './edit-webhook';
import { Secret } from './secret';
import { tellUnheard } from './tell-unheard';
import { WebhookSetup } from './webhook-setup';
import { WebhookState } from './webhooks';

const ROWS = 25;
/** Events come, and attempts are made, while somebody looks. */
const LOOK_MS = 5_000;
const DAY_MS = 86_400_000;
const dayUpTo = (now: number) => ({
  from_date: new Date(now - DAY_MS).toISOString(),
  to_date: new Date(now).toISOString(),
});

/** An address that hears of events, what it was sent, and what it answered. */
export function WebhookPage(): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const id = usePathPart(2);
  const forget = useForget();
  const toast = useToast();
  const [secret, setSecret] = useState<string | null>(null);
  const [isEdited, setEdited] = useState(false);
  const webhook = useAsk(['webhooks', id], () => readSeen(laurel.webhooks.get(id)));
  const test = useWish(
    () => laurel.webhooks.test(id),
    (result) => {
      forget('deliveries');
      toast({
        text: result.error
          ? say('webhook.untested', { why: tellUnheard(say, result.error) })
          : say('webhook.tested', {
              answer: String(result.status_code),
              ms: Math.round(result.duration_ms),
            }),
      });
    },
  );
  // The same until it is done: tried again under a key of its own, all of it would be sent twice.
  const lastDay = useRef<ReturnType<typeof dayUpTo> | null>(null);
  const replayLastDay = () => {
    lastDay.current ??= dayUpTo(Date.now());
    void replay.send(lastDay.current);
  };
  const replay = useWish(
    (span: { from_date: string; to_date: string }, options) =>
      laurel.webhooks.replay(id, span, options),
    () => {
      lastDay.current = null;
      forget('deliveries');
      toast({ text: say('webhook.replayed') });
    },
  );
  const refused = test.refused ?? replay.refused;
  return (
    <Loaded query={webhook} lines={8}>
      {(found) => (
        <Page
          title={new URL(found.url).host}
          lead={
            <>
              {found.url} <WebhookState webhook={found} />
            </>
          }
          back={{ to: '/connections', label: say('webhooks.title') }}
          actions={
            <>
              <Button
                variant="default"
                loading={test.isBusy}
                onClick={() => void test.send(undefined)}
              >
                {say('webhook.test')}
              </Button>
              <Button variant="default" loading={replay.isBusy} onClick={replayLastDay}>
                {say('webhook.replay')}
              </Button>
            </>
          }
        >
          <Managed kind="webhooks" name={found.key} />
          {refused !== null && <Trouble error={refused} />}
          {secret && <Secret value={secret} />}
          {found.failing_since && (
            <Notice kind="warn">
              {say('webhook.since', { when: format.moment(found.failing_since) })}
            </Notice>
          )}
          <Deliveries id={id} />
          <Editing key={id} query={webhook}>
            {(row) => (
              <WebhookSetup webhook={row} onSecret={setSecret} onEdit={() => setEdited(true)} />
            )}
          </Editing>
          {isEdited && <EditWebhook query={webhook} onClose={() => setEdited(false)} />}
        </Page>
      )}
    </Loaded>
  );
}

function Deliveries({ id }: { id: string }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const toast = useToast();
  const [search, change] = useSearch();
  const paging = useCursor(ROWS);
  const status = DELIVERY_STATUSES.find((one) => one === search.status);
  const query = { ...paging.query, ...(status ? { status } : {}) };
  const deliveries = useAsk(
    ['deliveries', id, query],
    () => laurel.webhooks.listDeliveries(id, query),
    { everyMs: LOOK_MS },
  );
  const again = useWish(
    (delivery: string, options) => laurel.webhooks.retryDelivery(id, delivery, options),
    () => {
      forget('deliveries');
      toast({ text: say('delivery.sent') });
    },
  );
  const kind = { delivered: 'good', failed: 'bad', pending: 'plain' } as const;
  return (
    <>
      <div className="filters">
        <StatusFilter
          statuses={DELIVERY_STATUSES}
          status={status}
          nameOf={(one) => say(`delivery.${one}`)}
          paging={paging}
        />
      </div>
      {again.refused !== null && <Trouble error={again.refused} />}
      <PagedTable
        query={deliveries}
        paging={paging}
        lines={6}
        empty={<Empty title={say('deliveries.empty')} />}
        label={say('deliveries.title')}
        keyOf={(row) => row.id}
        columns={[
          { title: say('delivery.event'), cell: (row) => row.event_type },
          {
            title: say('state'),
            cell: (row) => <Badge kind={kind[row.status]}>{say(`delivery.${row.status}`)}</Badge>,
          },
          {
            title: say('delivery.answer'),
            cell: ({ response_status, last_error }) =>
              response_status ?? (last_error ? tellUnheard(say, last_error) : ''),
            // On a phone what can be done stands in its place; looking tells the answer.
            isExtra: true,
          },
          {
            title: say('when'),
            cell: (row) => {
              const at = row.delivered_at ?? row.next_attempt_at;
              return at ? format.moment(at) : '';
            },
            isBelow: true,
          },
          {
            title: say('actions'),
            isActions: true,
            cell: (row) => (
              <span className="row">
                <button
                  type="button"
                  className="text-button"
                  onClick={() => change({ delivery: row.id })}
                >
                  {say('delivery.look')}
                </button>
                <button
                  type="button"
                  className="text-button"
                  disabled={again.isBusy || !wasTried(row)}
                  onClick={() => void again.send(row.id)}
                >
                  {say('delivery.again')}
                </button>
              </span>
            ),
          },
        ]}
      />
      {search.delivery && (
        <Delivery
          webhookId={id}
          id={search.delivery}
          onAgain={() => {
            change({ delivery: undefined });
            void again.send(search.delivery!);
          }}
          onClose={() => change({ delivery: undefined })}
        />
      )}
    </>
  );
}

/** What waits for its next try may be sent at once; what is on its way for the first time is. */
function wasTried({
  status,
  response_status,
  last_error,
}: {
  status: string;
  response_status?: number | null;
  last_error?: string | null;
}): boolean {
  return status !== 'pending' || Boolean(response_status ?? last_error);
}
