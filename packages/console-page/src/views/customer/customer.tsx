import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { nameOf } from '../../api/find';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { usePathPart } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { CardsOf } from './cards-of';
import { Correct } from './correct';
import { DataOf } from './data-of';
import { Merge } from './merge';
import { PrivacyOf } from './privacy-of';
import { Redeem } from './redeem';
import { RewardsOf } from './rewards-of';
import { Standing } from './standing';
import { Statement } from './statement';
import { Visits } from './visits';

type Open = 'correct' | 'give' | 'redeem' | 'merge' | null;

/** Everything about one person, and what can be done for them. */
export function Customer(): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const id = usePathPart(1);
  const [open, setOpen] = useState<Open>(null);
  const customer = useAsk(['customer', id], (laurel) => laurel.clients.get(id));
  const close = () => setOpen(null);
  return (
    <Loaded query={customer} lines={12}>
      {(client) => {
        const isGone = client.status === 'anonymized';
        return (
          <Page
            title={nameOf(client)}
            back={{ to: '/customers', label: say('customers.title') }}
            lead={
              <>
                {[client.email, client.phone].filter(Boolean).join(' · ')}{' '}
                {client.status !== 'active' && (
                  <Badge kind="warn">{say(`customer.status.${client.status}`)}</Badge>
                )}
              </>
            }
            actions={
              !isGone && (
                <>
                  <Button variant="default" onClick={() => setOpen('merge')}>
                    {say('customer.merge')}
                  </Button>
                  <Button variant="default" onClick={() => setOpen('give')}>
                    {say('customer.give')}
                  </Button>
                  <Button variant="default" onClick={() => setOpen('redeem')}>
                    {say('customer.redeem')}
                  </Button>
                  <Button onClick={() => setOpen('correct')}>{say('customer.correct')}</Button>
                </>
              )
            }
          >
            <Standing client={client} />
            <Tabs
              label={nameOf(client)}
              tabs={[
                {
                  id: 'statement',
                  title: say('customer.statement'),
                  view: () => <Statement id={id} />,
                },
                {
                  id: 'rewards',
                  title: say('customer.rewards'),
                  view: () => <RewardsOf id={id} />,
                },
                { id: 'visits', title: say('customer.visits'), view: () => <Visits id={id} /> },
                { id: 'cards', title: say('customer.cards'), view: () => <CardsOf id={id} /> },
                {
                  id: 'data',
                  title: say('customer.data'),
                  view: () => <DataOf key={client.id} client={client} />,
                },
                {
                  id: 'privacy',
                  title: say('customer.privacy'),
                  view: () => <PrivacyOf client={client} />,
                },
              ]}
            />
            {open === 'correct' && <Correct id={id} onClose={close} />}
            {open === 'redeem' && <Redeem id={id} onClose={close} />}
            {open === 'give' && <Redeem id={id} isGift onClose={close} />}
            {open === 'merge' && <Merge client={client} onClose={close} />}
          </Page>
        );
      }}
    </Loaded>
  );
}
