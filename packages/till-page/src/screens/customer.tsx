import { Button, Notice } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useTill } from '../context';
import type { WordKey } from '../language';
import { mayWait } from '../may-wait';
import { nameOf, sayUnits } from '../say';
import type { Action, Reward } from '../shapes';
import type { Card } from './card';

/** Actions that are a form or an amount; rewards stand below with their prices. */
const ENTRIES = new Set(['add_transaction', 'add_points', 'remove_points', 'update_client_data']);

/** A form without a question is none. */
const isAskable = ({ action_type: type, form_fields: fields }: Action): boolean =>
  ENTRIES.has(type) && (type !== 'update_client_data' || fields.length > 0);

/** Who it is, what they have, and what can be done. */
export function Customer({
  card: { pass, code },
  onAction,
  onReward,
  onBack,
}: {
  card: Card;
  onAction: (action: Action) => void;
  onReward: (action: Action, reward: Reward) => Promise<void>;
  onBack: () => void;
}): VNode {
  const { language, app } = useTill();
  const { say } = language;
  const typeOf = (wanted: string) => app.wallet_types.find((type) => type.code === wanted);
  const isDead = pass !== null && pass.status !== 'active';
  const actions = app.actions.filter(
    (action) => isAskable(action) && (pass !== null || mayWait(action)),
  );
  return (
    <>
      <h1 tabIndex={-1}>{pass ? nameOf(language, pass.client) : say('customer.unknown')}</h1>
      {!pass && <Notice>{say('customer.offline', { code })}</Notice>}
      {isDead && <Notice kind="bad">{say('customer.dead')}</Notice>}
      {pass?.tier && <p class="chip">{pass.tier.name}</p>}
      {pass && (
        <ul class="balances" aria-label={say('customer.balances')}>
          {pass.wallets.map(({ wallet_type_code: name, active_balance: amount }) => (
            <li key={name}>{sayUnits(language, amount, typeOf(name))}</li>
          ))}
          {pass.wallets.length === 0 && <li class="hint">{say('customer.noBalance')}</li>}
        </ul>
      )}
      {!isDead && (
        <div class="actions">
          {actions.map((action, index) => (
            <Button
              type="button"
              key={action.id}
              kind={index === 0 ? 'main' : 'quiet'}
              onClick={() => onAction(action)}
            >
              {action.name}
            </Button>
          ))}
        </div>
      )}
      {pass && !isDead && <Rewards passId={pass.id} onReward={onReward} />}
      <Button type="button" kind="link" onClick={onBack}>
        {say('back')}
      </Button>
    </>
  );
}

function Rewards({
  passId,
  onReward,
}: {
  passId: string;
  onReward: (action: Action, reward: Reward) => Promise<void>;
}): VNode | null {
  const { language, api, app } = useTill();
  const { say, number } = language;
  const redeem = app.actions.find((action) => action.action_type === 'redeem_reward');
  const give = app.actions.find((action) => action.action_type === 'grant_reward');
  const [rewards, setRewards] = useState<Reward[] | null>(null);
  const [chosen, choose] = useState<Reward | null>(null);
  const [isBusy, setBusy] = useState(false);
  // State arrives with the next drawing; two taps may come before it.
  const busy = useRef(false);
  useEffect(() => {
    if (redeem || give)
      api.rewards(passId).then(
        (all) => setRewards([...all].sort((one, other) => rank(one) - rank(other))),
        () => setRewards([]),
      );
  }, [passId]);
  if (!rewards || rewards.length === 0) return null;
  const confirm = async (action: Action) => {
    if (busy.current || !chosen) return;
    busy.current = true;
    setBusy(true);
    await onReward(action, chosen);
    busy.current = false;
    setBusy(false);
  };
  return (
    <section class="stack" aria-label={say('rewards.title')}>
      <h2>{say('rewards.title')}</h2>
      <ul class="list">
        {rewards.map((reward) => {
          const isOpen = chosen?.id === reward.id;
          const mayHave = redeem && reward.can_afford && !reward.is_locked;
          return (
            <li key={reward.id}>
              <button
                type="button"
                class="line"
                disabled={!mayHave && !give}
                aria-expanded={isOpen}
                onClick={() => choose(isOpen ? null : reward)}
              >
                <span>{reward.name}</span>
                <span class={mayHave ? '' : 'hint'}>
                  {mayHave || !reward.reason
                    ? number(reward.cost_in_points)
                    : say(reasonOf(reward.reason))}
                </span>
              </button>
              {isOpen && (
                <div class="row confirm">
                  {mayHave && redeem && (
                    <Button type="button" isBusy={isBusy} onClick={() => confirm(redeem)}>
                      {say('rewards.redeem', { cost: reward.cost_in_points })}
                    </Button>
                  )}
                  {give && (
                    <Button
                      type="button"
                      kind="quiet"
                      isBusy={isBusy}
                      onClick={() => confirm(give)}
                    >
                      {give.name}
                    </Button>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What can be had now comes first. */
const rank = ({ can_afford, is_locked }: Reward): number => (is_locked ? 2 : can_afford ? 0 : 1);

const REASONS: Readonly<Record<string, WordKey>> = {
  insufficient_points: 'reason.points',
  tier_locked: 'reason.tier',
  out_of_coupons: 'reason.gone',
  usage_limit_reached: 'reason.gone',
  client_limit_reached: 'reason.had',
};
const reasonOf = (reason: string): WordKey => REASONS[reason] ?? 'reason.other';
