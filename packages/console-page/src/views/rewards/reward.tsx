import type { Reward, RewardsCreateBody } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { useAsk } from '../../parts/ask';
import { Editing, readSeen, type Seen } from '../../parts/editing';
import { usePathPart, useSearch } from '../../parts/go';
import { Loaded } from '../../parts/loaded';
import { Managed } from '../../parts/managed';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { Coupons } from './coupons';
import { payerOf } from './payer-of';
import { RedemptionTable } from './redemption-table';
import { RewardForm } from './reward-form';

/** A reward: what it is, its codes, who took it. */
export function RewardPage(): ReactNode {
  const id = usePathPart(1);
  return id === 'new' ? <NewReward /> : <KnownReward key={id} id={id} />;
}

function NewReward(): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const [{ example }] = useSearch();
  const types = useAsk(['wallet-types'], (laurel) => laurel.walletTypes.list());
  const name = (['coffee', 'discount', 'surprise'] as const).find((one) => one === example);
  return (
    <Page title={say('rewards.new')} back={{ to: '/rewards', label: say('rewards.title') }}>
      <Loaded query={types}>
        {(found) => {
          const type = found.find(({ is_default }) => is_default) ?? found[0];
          const first: RewardsCreateBody = {
            name: name ? say(`rewards.example.${name}`) : '',
            cost_in_points: name ? 100 : 0,
            active: true,
            purchasable: true,
            ...(type ? { wallet_type_id: type.id } : {}),
          };
          return <RewardForm first={first} />;
        }}
      </Loaded>
    </Page>
  );
}

function KnownReward({ id }: { id: string }): ReactNode {
  const { language } = useConsole();
  const { say } = language;
  const reward = useAsk<Seen<Reward>>(['rewards', id], (laurel) =>
    readSeen(laurel.rewards.get(id)),
  );
  return (
    <Loaded query={reward} lines={12}>
      {(found) => (
        <Page title={found.name} back={{ to: '/rewards', label: say('rewards.title') }}>
          <Managed kind="rewards" name={found.key} />
          <Stats reward={found} />
          <Tabs
            label={found.name}
            tabs={[
              {
                id: 'edit',
                title: say('reward.edit'),
                view: () => (
                  <Editing query={reward}>{(row) => <RewardForm id={id} first={row} />}</Editing>
                ),
              },
              { id: 'codes', title: say('coupons.title'), view: () => <Coupons rewardId={id} /> },
              {
                id: 'redemptions',
                title: say('rewards.redemptions'),
                view: () => <RedemptionTable rewardId={id} />,
              },
            ]}
          />
        </Page>
      )}
    </Loaded>
  );
}

function Stats({ reward }: { reward: Reward }): ReactNode {
  const { format, language } = useConsole();
  const { say } = language;
  const types = useAsk(['wallet-types'], (laurel) => laurel.walletTypes.list());
  const type = payerOf(reward, types.data);
  const { id } = reward;
  const stats = useAsk(['rewards', id, 'stats'], (laurel) => laurel.rewards.getStats(id));
  return (
    <Loaded query={stats} lines={2}>
      {(found) => (
        <div className="figures-row">
          {(
            [
              ['redeemed', format.number(found.redeemed)],
              ['used', format.number(found.used)],
              ['remaining', found.remaining === null ? '∞' : format.number(found.remaining)],
              ['spent', format.units(found.points_spent, type)],
            ] as const
          ).map(([name, value]) => (
            <section key={name} className="panel figure" aria-label={say(`reward.stats.${name}`)}>
              <span>{say(`reward.stats.${name}`)}</span>
              <b>{value}</b>
              {/* What was redeemed is told with it, what was paid in all without. */}
              {name === 'redeemed' && found.cancelled > 0 && (
                <small>{say('reward.stats.cancelled', { count: found.cancelled })}</small>
              )}
            </section>
          ))}
        </div>
      )}
    </Loaded>
  );
}
