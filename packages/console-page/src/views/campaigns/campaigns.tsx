import type { Campaign } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { useGo } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { NameField, useNewName } from '../../parts/new-name';
import { Empty, Page } from '../../parts/page';
import { Pager } from '../../parts/paged-table';
import { partOf, useOffset } from '../../parts/paging';
import { Sheet } from '../../parts/sheet';
import { Table } from '../../parts/table';
import { Siblings } from '../../parts/tabs';
import { useWish } from '../../parts/wish';
import { WishForm } from '../../parts/wish-form';
import { troubleOf } from '../../refusals';

const ROWS = 50;
const KIND = {
  draft: 'plain',
  scheduled: 'warn',
  active: 'good',
  // That it has run says not yet that it reached anybody.
  completed: 'plain',
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
  const paging = useOffset(ROWS);
  // All of them at once: a new one is to have a name that none has.
  const campaigns = useAsk(['campaigns'], () => laurel.campaigns.list());
  const segments = useAsk(['segments'], () => laurel.segments.list());
  const [isMaking, setMaking] = useState(false);
  const create = (
    <Button data-key="c" disabled={campaigns.data === undefined} onClick={() => setMaking(true)}>
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
      <Loaded query={campaigns} lines={6}>
        {({ data: all }) => {
          const page = partOf(all, paging);
          return all.length === 0 ? (
            <Empty title={say('campaigns.empty')} action={create}>
              {say('campaigns.empty.text')}
            </Empty>
          ) : (
            <>
              <Table
                label={say('campaigns.title')}
                rows={page.data}
                keyOf={({ id }) => id}
                linkOf={({ id }) => `/campaigns/${id}`}
                columns={[
                  { title: say('name'), cell: ({ name }) => name },
                  { title: say('state'), cell: ({ status }) => <CampaignState status={status} /> },
                  {
                    title: say('customers.segment'),
                    cell: (row) =>
                      segments.data?.find(({ id }) => id === row.segment_id)?.name ?? '',
                    isExtra: true,
                  },
                  { title: say('when'), cell: whenOf, isExtra: true },
                ]}
              />
              <Pager page={page} paging={paging} />
            </>
          );
        }}
      </Loaded>
      {isMaking && (
        <NewCampaign others={campaigns.data?.data ?? []} onClose={() => setMaking(false)} />
      )}
    </Page>
  );
}

/** Asks what it is called: the list and its figures tell campaigns by nothing else. */
function NewCampaign({
  others,
  onClose,
}: {
  others: readonly Campaign[];
  onClose: () => void;
}): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const forget = useForget();
  const name = useNewName(others, say('campaigns.default'));
  const make = useWish(
    (wanted: string, options) => laurel.campaigns.create({ name: wanted }, options),
    (made) => {
      forget('campaigns');
      go(`/campaigns/${made.id}`);
    },
  );
  return (
    <Sheet title={say('campaigns.new')} onClose={onClose}>
      <WishForm
        wish={make}
        onSend={() => void make.send(name.name)}
        button={say('campaigns.make')}
        missing={name.isGood ? [] : [say('name')]}
      >
        <NameField of={name} error={troubleOf(make.refused, 'name')} />
      </WishForm>
    </Sheet>
  );
}
