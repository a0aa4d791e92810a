import type { Tier } from '@laurel/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../../console';
import { useAsk, useForget } from '../../parts/ask';
import { Loaded, Trouble } from '../../parts/loaded';
import { Empty, Page } from '../../parts/page';
import { useToast } from '../../parts/toast';
import { useWish } from '../../parts/wish';
import { type Condition, sayConditions } from './conditions';
import { Ladder } from './ladder';
import { TierSheet } from './tier-sheet';

/** The ladder: what each rung asks for, and how many stand on it. */
export function Tiers(): ReactNode {
  const shop = useConsole();
  const { laurel, language } = shop;
  const { say } = language;
  const set = useAsk(['tiers', 'set'], () => laurel.tiers.getSet());
  const counts = useAsk(['tiers', 'counts'], () => laurel.tiers.countClients());
  const currencies = useAsk(['wallet-types'], () => laurel.walletTypes.list());
  const [open, setOpen] = useState<Tier | 'new' | null>(null);
  const found = set.data;
  const countOf = (id: string) => (counts.data as unknown as Record<string, number>)?.[id] ?? 0;
  const all = (found?.tiers ?? []).reduce((sum, { id }) => sum + countOf(id), 0);
  return (
    <Page
      title={say('tiers.title')}
      lead={say('tiers.lead')}
      actions={
        found && (
          <Button data-key="c" onClick={() => setOpen('new')}>
            {say('tiers.new')}
          </Button>
        )
      }
    >
      <Loaded query={set} lines={8}>
        {(ladder) =>
          ladder === null ? (
            <FirstLadder />
          ) : (
            <>
              <ol className="cards-list">
                {[...ladder.tiers]
                  .sort((a, b) => b.sort_order - a.sort_order)
                  .map((tier) => (
                    <li key={tier.id} className="panel rule-row">
                      <div className="grow">
                        <h2 className="rung">
                          <span
                            className="rung-mark"
                            style={tier.color ? { background: tier.color } : {}}
                          />
                          {tier.name}
                        </h2>
                        <p>
                          {sayConditions(shop, tier, {
                            conditions: ladder.conditions,
                            currencies: currencies.data ?? [],
                          })}
                        </p>
                        {tier.benefits.length > 0 && (
                          <p className="hint">
                            {tier.benefits.map(({ label }) => label).join(' · ')}
                          </p>
                        )}
                      </div>
                      <div className="row">
                        <span className="share">
                          <b>{say('tiers.count', { count: countOf(tier.id) })}</b>
                          <span aria-hidden="true">
                            <i style={{ width: `${all ? (countOf(tier.id) / all) * 100 : 0}%` }} />
                          </span>
                        </span>
                        <Button
                          variant="default"
                          size="xs"
                          aria-label={`${say('edit')}: ${tier.name}`}
                          onClick={() => setOpen(tier)}
                        >
                          {say('edit')}
                        </Button>
                      </div>
                    </li>
                  ))}
              </ol>
              {counts.data && counts.data.untiered > 0 && (
                <p className="hint">{say('tiers.untiered', { count: counts.data.untiered })}</p>
              )}
              <Ladder set={ladder} />
            </>
          )
        }
      </Loaded>
      {open !== null && found && (
        <TierSheet set={found} tier={open === 'new' ? null : open} onClose={() => setOpen(null)} />
      )}
    </Page>
  );
}

/** What may be counted; the first is what most begin with. */
const WAYS = [
  { type: 'transaction_count', word: 'tiers.byVisits', variant: 'filled' },
  { type: 'total_spending', word: 'tiers.bySpending', variant: 'default' },
] as const;

/** Two rungs to begin with. */
function FirstLadder(): ReactNode {
  const [chosen, setChosen] = useState<Condition['type'] | null>(null);
  const { laurel, language } = useConsole();
  const { say } = language;
  const forget = useForget();
  const toast = useToast();
  const wish = useWish(
    async (type: Condition['type'], { idempotencyKey }) => {
      const key = (name: string) => ({ idempotencyKey: `${idempotencyKey}-${name}` });
      await laurel.tiers.createSet(
        {
          name: say('tiers.title'),
          active: true,
          conditions: [{ type }],
          downgrade_config: { lookback_days: 365 },
        },
        key('set'),
      );
      const [low, high] = type === 'total_spending' ? [0, 500] : [0, 20];
      await laurel.tiers.create(
        { name: say('tiers.first'), sort_order: 1, condition_values: { [type]: low } },
        key('low'),
      );
      await laurel.tiers.create(
        { name: say('tiers.second'), sort_order: 2, condition_values: { [type]: high } },
        key('high'),
      );
    },
    () => {
      forget('tiers', 'tier', 'names');
      toast({ text: say('tiers.made') });
    },
  );
  return (
    <Empty
      title={say('tiers.empty')}
      action={
        <div className="stack">
          {wish.refused !== null && <Trouble error={wish.refused} />}
          <div className="row">
            {WAYS.map(({ type, word, variant }) => (
              <Button
                key={type}
                variant={variant}
                loading={wish.isBusy && chosen === type}
                disabled={wish.isBusy && chosen !== type}
                onClick={() => {
                  setChosen(type);
                  void wish.send(type);
                }}
              >
                {say(word)}
              </Button>
            ))}
          </div>
        </div>
      }
    >
      {say('tiers.empty.text')}
    </Empty>
  );
}
