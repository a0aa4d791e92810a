import { Button, Notice } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { offeredActions } from '../actions';
import { useTill } from '../context';
import { nameOf, sayUnits } from '../say';
import type { Action, Reward, WholePass } from '../shapes';
import type { Card } from './card';
import { EntryForm } from './entry';
import { Handover, useHandover } from './handover';
import { isReady, Rewards, useRewards } from './rewards';

/** Who it is, what they have, the pad of what most come for, and what else can be done. */
export function Customer({
  card,
  onEntered,
  onAction,
  onReward,
}: {
  card: Card;
  /** The main action was entered here. */
  onEntered: (action: Action, data: Record<string, unknown>, title: string) => Promise<void>;
  /** Another action is wanted, which has a screen of its own. */
  onAction: (action: Action) => void;
  onReward: (action: Action, reward: Reward) => Promise<void>;
}): VNode {
  const { language, app } = useTill();
  const { say } = language;
  const { pass, code } = card;
  const rewardsId = useId();
  const handoverId = useId();
  const typeOf = (wanted: string) => app.wallet_types.find((type) => type.code === wanted);
  const isDead = pass !== null && hasEnded(pass);
  const { main, others } = offeredActions(app.actions, pass !== null);
  const offer = useRewards(isDead || !pass ? null : pass.id);
  const ready = offer.rewards.filter(isReady);
  const open = useHandover(isDead || !pass ? null : pass.id);
  const toRewards = () => {
    go(rewardsId);
    // Where there is no choice, its button is what was wanted.
    if (ready.length === 1) offer.choose(ready[0]!);
  };
  return (
    <>
      <header class="who">
        <h1 tabIndex={-1}>{pass ? nameOf(language, pass.client) : say('customer.unknown')}</h1>
        {pass?.tier && <p class="chip">{pass.tier.name}</p>}
      </header>
      {!pass && <Notice>{say('customer.offline', { code })}</Notice>}
      {isDead && <Notice kind="bad">{say('customer.dead')}</Notice>}
      {pass && (
        <div class="has">
          <ul class="balances" aria-label={say('customer.balances')}>
            {pass.wallets.map(({ wallet_type_code: name, active_balance: amount }) => (
              <li key={name}>{sayUnits(language, amount, typeOf(name))}</li>
            ))}
            {pass.wallets.length === 0 && <li class="hint">{say('customer.noBalance')}</li>}
          </ul>
          {/* It has its place from the start: what comes later must not move the pad under a thumb. */}
          {open.length > 0 ? (
            <button type="button" class="chip" onClick={() => go(handoverId)}>
              {say('handover.open', { count: open.length })}
            </button>
          ) : (
            (offer.isAsking || offer.rewards.length > 0) && (
              <button type="button" class="chip" onClick={toRewards}>
                {ready.length > 0
                  ? say('rewards.ready', { count: ready.length })
                  : say('rewards.title')}
              </button>
            )
          )}
        </div>
      )}
      {main && !isDead && (
        <EntryForm
          card={card}
          action={main}
          onSubmit={(data, title) => onEntered(main, data, title)}
        >
          <h2>{main.name}</h2>
        </EntryForm>
      )}
      {others.length > 0 && !isDead && (
        <div class="actions">
          {others.map((action) => (
            <Button type="button" key={action.id} kind="quiet" onClick={() => onAction(action)}>
              {action.name}
            </Button>
          ))}
        </div>
      )}
      {open.length > 0 && <Handover id={handoverId} redemptions={open} />}
      {pass && offer.rewards.length > 0 && (
        <Rewards id={rewardsId} wallets={pass.wallets} offer={offer} onReward={onReward} />
      )}
    </>
  );
}

/** Whether nothing may be done with it any more: voided, or expired by now. */
const hasEnded = ({ status, expires_at: end }: WholePass): boolean =>
  status !== 'active' || (end !== null && new Date(end).getTime() <= Date.now());

function go(headingId: string): void {
  const heading = document.getElementById(headingId);
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView();
}
