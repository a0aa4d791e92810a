import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { useGo } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Empty } from '../../parts/page';
import { Table } from '../../parts/table';
import { IntegrationState } from './integration-state';
import { nameOfProvider } from './providers';

/** Shop systems that report purchases or hear of customers; each has a page. */
export function Integrations(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const found = useAsk(['integrations'], () => laurel.integrations.list());
  const pathOf = (provider: string) => `/connections/integrations/${provider}`;
  return (
    <Loaded query={found}>
      {({ data, available_providers }) => {
        const free = available_providers.filter(
          (name) => !data.some(({ provider }) => provider === name),
        );
        const add = (
          <NativeSelect
            label={say('integrations.add')}
            value=""
            onChange={(event) => {
              if (event.currentTarget.value) go(pathOf(event.currentTarget.value));
            }}
            data={[
              { value: '', label: say('choose') },
              ...free.map((value) => ({ value, label: nameOfProvider(say, value) })),
            ]}
          />
        );
        return data.length === 0 ? (
          <Empty title={say('integrations.empty')} action={add}>
            {say('integrations.empty.text')}
          </Empty>
        ) : (
          <>
            <Table
              label={say('integrations.title')}
              rows={data}
              keyOf={({ id }) => id}
              linkOf={({ provider }) => pathOf(provider)}
              columns={[
                { title: say('name'), cell: ({ provider }) => nameOfProvider(say, provider) },
                { title: say('state'), cell: (row) => <IntegrationState integration={row} /> },
                {
                  title: say('integrations.trouble'),
                  cell: ({ last_error }) => last_error ?? '',
                  isExtra: true,
                },
              ]}
            />
            {free.length > 0 && add}
          </>
        );
      }}
    </Loaded>
  );
}
