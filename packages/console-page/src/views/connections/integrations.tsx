import type { Integration } from '@laurel/client';
import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { Loaded, Trouble } from '../../parts/loaded';
import { Notice } from '../../parts/notice';
import { Empty, Panel } from '../../parts/page';
import { Table } from '../../parts/table';
import { useWish } from '../../parts/wish';
import { Secret } from './secret';

/** Shop systems that report purchases: where they send them, and what became of each. */
export function Integrations(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const found = useAsk(['integrations'], () => laurel.integrations.list());
  const [token, setToken] = useState<string | null>(null);
  const provision = useWish(
    async (provider: string, options) => {
      await laurel.integrations.set(
        provider,
        { enabled_inbound: true },
        { idempotencyKey: `${options.idempotencyKey}-on` },
      );
      return laurel.integrations.provisionInbox(provider, options);
    },
    (made) => {
      setToken(made.token);
      forget('integrations', 'overview');
    },
  );
  return (
    <>
      {provision.refused !== null && <Trouble error={provision.refused} />}
      {token && <Secret value={token} />}
      <Loaded query={found}>
        {({ data, available_providers }) => {
          const free = available_providers.filter(
            (name) => !data.some(({ provider }) => provider === name),
          );
          const add = (
            <NativeSelect
              label={say('integrations.add')}
              value=""
              disabled={provision.isBusy}
              onChange={(event) => {
                if (event.currentTarget.value) void provision.send(event.currentTarget.value);
              }}
              data={[{ value: '', label: say('choose') }, ...free]}
            />
          );
          return data.length === 0 ? (
            <Empty title={say('integrations.empty')} action={add}>
              {say('integrations.empty.text')}
            </Empty>
          ) : (
            <>
              {data.map((one) => (
                <One key={one.id} integration={one} />
              ))}
              {free.length > 0 && add}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

const SHOWN = 10;

function One({ integration }: { integration: Integration }): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const { provider } = integration;
  const messages = useAsk(['inbox', provider], () =>
    laurel.integrations.listInboxMessages(provider, { limit: SHOWN }),
  );
  const again = useWish(
    (id: string, options) => laurel.integrations.retryInboxMessage(provider, id, options),
    () => forget('inbox'),
  );
  return (
    <Panel
      title={provider}
      aside={
        <Badge
          kind={integration.last_error ? 'bad' : integration.enabled_inbound ? 'good' : 'plain'}
        >
          {say(
            integration.last_error
              ? 'integrations.trouble'
              : integration.enabled_inbound
                ? 'on'
                : 'off',
          )}
        </Badge>
      }
    >
      {integration.last_error && <Notice kind="warn">{integration.last_error}</Notice>}
      {integration.inbox_ingest_url && (
        <p>
          {say('integrations.sendTo')} <code>{integration.inbox_ingest_url}</code>
        </p>
      )}
      {again.refused !== null && <Trouble error={again.refused} />}
      <Loaded query={messages} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="hint">{say('integrations.noMessages')}</p>
          ) : (
            <Table
              label={say('integrations.messages', { name: provider })}
              rows={data}
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
          )
        }
      </Loaded>
    </Panel>
  );
}
