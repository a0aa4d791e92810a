import type { Campaign } from '@laurel/client';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { useGo } from '../../parts/go';
import { Loaded, Trouble } from '../../parts/loaded';
import { Empty, Page } from '../../parts/page';
import { Table } from '../../parts/table';
import { Siblings } from '../../parts/tabs';
import { useWish } from '../../parts/wish';

const KIND = {
  draft: 'plain',
  scheduled: 'warn',
  active: 'good',
  completed: 'good',
  cancelled: 'plain',
} as const;

export function CampaignState({ status }: { status: Campaign['status'] }): ReactNode {
  const { language } = useConsole();
  return <Badge kind={KIND[status]}>{language.say(`campaign.${status}`)}</Badge>;
}

/** Something for many customers at once: past, running, to come. */
export function Campaigns(): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const forget = useForget();
  const campaigns = useAsk(['campaigns'], () => laurel.campaigns.list({ limit: 100 }));
  const segments = useAsk(['segments'], () => laurel.segments.list());
  const make = useWish(
    (name: string, options) => laurel.campaigns.create({ name }, options),
    (made) => {
      forget('campaigns');
      go(`/campaigns/${made.id}`);
    },
  );
  const create = (
    <Button
      data-key="c"
      loading={make.isBusy}
      onClick={() => void make.send(say('campaigns.default'))}
    >
      {say('campaigns.new')}
    </Button>
  );
  const whenOf = ({ started_at, scheduled_at }: Campaign) => {
    const at = started_at ?? scheduled_at;
    return at ? format.moment(at) : '';
  };
  return (
    <Page title={say('campaigns.title')} actions={create}>
      <Siblings
        label={say('nav.campaigns')}
        pages={[
          { to: '/campaigns', title: say('campaigns.title'), isHere: true },
          { to: '/segments', title: say('segments.title') },
        ]}
      />
      {make.refused !== null && <Trouble error={make.refused} />}
      <Loaded query={campaigns} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={say('campaigns.empty')} action={create}>
              {say('campaigns.empty.text')}
            </Empty>
          ) : (
            <Table
              label={say('campaigns.title')}
              rows={data}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/campaigns/${id}`}
              columns={[
                { title: say('name'), cell: ({ name }) => name },
                { title: say('state'), cell: ({ status }) => <CampaignState status={status} /> },
                {
                  title: say('customers.segment'),
                  cell: (row) => segments.data?.find(({ id }) => id === row.segment_id)?.name ?? '',
                  isExtra: true,
                },
                { title: say('when'), cell: whenOf, isExtra: true },
              ]}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
