import { Button } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useTill } from '../context';
import type { Language, WordKey } from '../language';
import { rounded } from '../pad';
import { sayUnits } from '../say';
import type { Action, Reward, WalletType, WholePass } from '../shapes';

/** The rewards of a shop for one card, and the actions by which staff may hand them out. */
interface Offer {
  rewards: readonly Reward[];
  redeem: Action | undefined;
  give: Action | undefined;
  /** Whether the answer is still to come. */
  isAsking: boolean;
  /** The one whose button stands open. */
  chosen: Reward | null;
  choose: (reward: Reward | null) => void;
}

/** @param passId null where there was no network to ask about the card */
export function useRewards(passId: string | null): Offer {
  const { api, app } = useTill();
  const redeem = app.actions.find((action) => action.action_type === 'redeem_reward');
  const give = app.actions.find((action) => action.action_type === 'grant_reward');
  const isWanted = passId !== null && (redeem ?? give) !== undefined;
  const [rewards, setRewards] = useState<Reward[] | null>(isWanted ? null : []);
  const [chosen, choose] = useState<Reward | null>(null);
  useEffect(() => {
    if (isWanted)
      api.rewards(passId).then(
        (all) => setRewards([...all].sort((one, other) => rank(one) - rank(other))),
        () => setRewards([]),
      );
  }, [passId]);
  return { rewards: rewards ?? [], redeem, give, isAsking: rewards === null, chosen, choose };
}

export const isReady = ({ can_afford, is_locked }: Reward): boolean => can_afford && !is_locked;

/** Rewards with their prices; what cannot be had says why. */
export function Rewards({
  id,
  wallets,
  offer: { rewards, redeem, give, chosen, choose },
  onReward,
}: {
  id: string;
  wallets: WholePass['wallets'];
  offer: Offer;
  onReward: (action: Action, reward: Reward) => Promise<void>;
}): VNode | null {
  const { language, app } = useTill();
  const { say } = language;
  const [isBusy, setBusy] = useState(false);
  // State arrives with the next drawing; two taps may come before it.
  const busy = useRef(false);
  if (rewards.length === 0) return null;
  const priceOf = (reward: Reward): Price => {
    const payer = wallets.find(({ wallet_type_id }) => wallet_type_id === reward.wallet_type_id);
    return { reward, type: app.wallet_types.find(({ code }) => code === payer?.wallet_type_code) };
  };
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
      <h2 id={id} tabIndex={-1}>
        {say('rewards.title')}
      </h2>
      <ul class="list">
        {rewards.map((reward) => {
          const isOpen = chosen?.id === reward.id;
          const mayHave = redeem && isReady(reward);
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
                  {mayHave
                    ? sayCost(language, priceOf(reward))
                    : sayLacking(language, priceOf(reward), wallets)}
                </span>
              </button>
              {isOpen && (
                <div class="row confirm" ref={bringIntoView}>
                  {mayHave && redeem && (
                    <Button type="button" isBusy={isBusy} onClick={() => confirm(redeem)}>
                      {say('rewards.redeem', { cost: sayPrice(language, priceOf(reward)) })}
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

/** A reward, and the currency that pays for it. */
interface Price {
  reward: Reward;
  type: WalletType | undefined;
}

const sayPrice = (language: Language, { reward: { cost_in_points: cost }, type }: Price): string =>
  cost === 0 ? language.number(0) : sayUnits(language, cost, type);

const sayCost = (language: Language, price: Price): string =>
  price.reward.cost_in_points === 0 ? language.say('rewards.free') : sayPrice(language, price);

/** What a tap has opened is of no use below the fold. */
const bringIntoView = (opened: HTMLElement | null): void =>
  opened?.scrollIntoView({ block: 'nearest' });

/** What can be had now comes first. */
const rank = ({ can_afford, is_locked }: Reward): number => (is_locked ? 2 : can_afford ? 0 : 1);

/** Why it cannot be had: of one that is too dear what it costs and what is missing, for that is what is asked. */
function sayLacking(language: Language, price: Price, wallets: WholePass['wallets']): string {
  const { say } = language;
  const { cost_in_points: cost, reason, wallet_type_id: typeId } = price.reward;
  if (!reason) return sayPrice(language, price);
  if (reason !== 'insufficient_points') return say(REASONS[reason] ?? 'reason.other');
  const balance = wallets.find((wallet) => wallet.wallet_type_id === typeId)?.active_balance ?? 0;
  return say('rewards.missing', {
    cost: sayPrice(language, price),
    count: rounded(cost - balance),
  });
}

const REASONS: Readonly<Record<string, WordKey>> = {
  tier_locked: 'reason.tier',
  out_of_coupons: 'reason.gone',
  usage_limit_reached: 'reason.gone',
  client_limit_reached: 'reason.had',
};
