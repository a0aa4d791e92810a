import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Go, useGo } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Empty, Page } from '../../parts/page';
import { Siblings } from '../../parts/tabs';
import { useTelling } from '../../rule/use-telling';
import { tellFilter } from '../../segment/filters';

/** Groups of customers that keep themselves up to date. */
export function Segments(): ReactNode {
  const { laurel, format, language } = useConsole();
  const { say } = language;
  const go = useGo();
  const segments = useAsk(['segments'], () => laurel.segments.list());
  const { telling } = useTelling();
  return (
    <Page
      title={say('segments.title')}
      actions={
        <Button data-key="c" onClick={() => go('/segments/new')}>
          {say('segments.new')}
        </Button>
      }
    >
      <Siblings
        label={say('nav.campaigns')}
        pages={[
          { to: '/campaigns', title: say('campaigns.title') },
          { to: '/segments', title: say('segments.title'), isHere: true },
        ]}
      />
      <Loaded query={segments} lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              title={say('segments.empty')}
              action={<Go to="/segments/new">{say('segments.new')}</Go>}
            >
              {say('segments.empty.text')}
            </Empty>
          ) : (
            <ul className="cards-list">
              {rows.map((segment) => (
                <li key={segment.id} className="panel rule-row">
                  <div className="grow">
                    <h2>
                      <Go to={`/segments/${segment.id}`}>{segment.name}</Go>
                    </h2>
                    <p>
                      {telling &&
                        (segment.filters.length === 0
                          ? say('segments.everybody')
                          : segment.filters
                              .map((one) => tellFilter(one, { say, format, names: telling.names }))
                              .join(` ${say('and')} `))}
                    </p>
                  </div>
                  <Count id={segment.id} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

function Count({ id }: { id: string }): ReactNode {
  const { laurel, language } = useConsole();
  const count = useAsk(['segments', id, 'count'], () => laurel.segments.countClients(id));
  return <b>{count.data ? language.say('tiers.count', { count: count.data.total }) : ''}</b>;
}
