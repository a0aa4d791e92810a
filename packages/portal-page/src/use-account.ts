import { usePortal } from './portal-context.ts';
import type { Balance, Person, Referral, Reward, TierProgress } from './shapes.ts';
import { type History, useHistory } from './use-history.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';
import { useReturn } from './use-return.ts';

/** Everything of the client that the page shows, each part on its own: one that fails takes no other with it. */
export interface Account {
  person: Loaded<Person>;
  balances: Loaded<Balance[]>;
  tier: Loaded<TierProgress>;
  rewards: Loaded<Reward[]>;
  referral: Loaded<Referral>;
  history: History;
  /** Fetches again what a redemption changes. */
  afterRedemption(): void;
}

export function useAccount(): Account {
  const { api, config } = usePortal();
  const person = useLoaded(api.me);
  const balances = useLoaded(api.balances);
  const tier = useLoaded(api.tier, config.show_tier);
  const rewards = useLoaded(api.rewards, config.show_rewards);
  const referral = useLoaded(api.referral, config.show_referral);
  const history = useHistory(api, config.show_redemption_history);
  const afterRedemption = () =>
    void Promise.all([balances.reload(), rewards.reload(), history.reload()]);
  const shown = [
    person,
    balances,
    ...(config.show_tier ? [tier] : []),
    ...(config.show_rewards ? [rewards] : []),
    ...(config.show_referral ? [referral] : []),
    ...(config.show_redemption_history ? [history] : []),
  ];
  useReturn(() => {
    for (const { reload } of shown) void reload();
  });
  return { person, balances, tier, rewards, referral, history, afterRedemption };
}
