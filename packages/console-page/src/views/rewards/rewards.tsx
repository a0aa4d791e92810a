import type { RewardRow } from '@laurel/client';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Badge } from '../../parts/badge';
import { CopyButton } from '../../parts/copy-button';
import { Go, useGo } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Empty, Page } from '../../parts/page';
import { Pager } from '../../parts/paged-table';
import { useOffset } from '../../parts/paging';
import { Picture } from '../../parts/picture';
import { Sparkline, sumOfDays } from '../../parts/sparkline';
import { Tabs } from '../../parts/tabs';
import { Audience } from './audience';
import { RedemptionTable } from './redemption-table';
import { RewardPrice } from './reward-price';

/** As many as fill whole lines of two and of three. */
const TILES = 48;
const EXAMPLES = ['coffee', 'discount', 'surprise'] as const;

/** What customers can get, and what they got. */
export function Rewards(): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const go = useGo();
  return (
    <Page
      title={say('rewards.title')}
      actions={
        <Button data-key="c" onClick={() => go('/rewards/new')}>
          {say('rewards.new')}
        </Button>
      }
    >
      <Tabs
        label={say('rewards.title')}
        tabs={[
          { id: 'all', title: say('rewards.all'), view: () => <Offers /> },
          { id: 'redemptions', title: say('rewards.redemptions'), view: () => <RedemptionTable /> },
        ]}
      />
    </Page>
  );
}

function Offers(): ReactNode {
  const { laurel, language } = useConsole();
  const { say } = language;
  const paging = useOffset(TILES);
  const rewards = useAsk(['rewards', 'all', paging.query], () =>
    laurel.rewards.list({ ...paging.query, expand: ['stats', 'last30'] }),
  );
  const types = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  return (
    <Loaded query={rewards} lines={8}>
      {(page) =>
        page.data.length === 0 && !paging.back ? (
          <Empty
            title={say('rewards.empty')}
            action={
              <ul>
                {EXAMPLES.map((one) => (
                  <li key={one}>
                    <Go to="/rewards/new" search={{ example: one }}>
                      {say(`rewards.example.${one}`)}
                    </Go>
                  </li>
                ))}
              </ul>
            }
          >
            {say('rewards.empty.text')}
          </Empty>
        ) : (
          <>
            <div className="grid-3">
              {page.data.map((reward) => (
                <article className="panel tile" key={reward.id}>
                  <Picture source={reward.image} size="width=480" loading="lazy" />
                  <h2>
                    <Go to={`/rewards/${reward.id}`}>{reward.name}</Go>
                  </h2>
                  <RewardPrice reward={reward} types={types.data} />
                  <Audience reward={reward} />
                  <Fares reward={reward} />
                  <p className="row">
                    <Badge kind={reward.active ? 'good' : 'plain'}>
                      {say(reward.active ? 'reward.active' : 'off')}
                    </Badge>
                    {reward.categories.map((category) => (
                      <Badge key={category}>{category}</Badge>
                    ))}
                  </p>
                  <div>
                    <CopyButton
                      name={reward.name}
                      list="rewards"
                      copy={(options) => laurel.rewards.duplicate(reward.id, options)}
                    />
                  </div>
                </article>
              ))}
            </div>
            {(paging.back || paging.nextOf(page)) && <Pager page={page} paging={paging} />}
          </>
        )
      }
    </Loaded>
  );
}

/** How often a reward was taken lately and in all, and what is left of it. */
function Fares({ reward }: { reward: RewardRow }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const { stats, last30 = [] } = reward;
  return (
    <div className="hint">
      <Sparkline text={say('last30', { count: sumOfDays(last30) })} days={last30} />
      {stats && (
        <div>
          {[
            stats.redeemed > 0 && say('rewards.inAll', { amount: format.number(stats.redeemed) }),
            stats.remaining !== null &&
              say('rewards.remaining', { amount: format.number(stats.remaining) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </div>
      )}
    </div>
  );
}
