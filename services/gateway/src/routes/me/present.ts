import type { automations, identity, ledger, passes, rewards } from '@laurel/rpc';
import type { Membership } from '../../middleware/caller';
import { presentUserWithPreferences } from '../user/present';
import { presentWorkspace } from '../workspaces/present';

/** What services say of how far a workspace is set up; null where one does not answer. */
export interface SetupParts {
  currencies: ledger.WalletTypes | null;
  rules: automations.Setup | null;
  rewards: rewards.RewardPage | null;
  cards: passes.Setup | null;
}

export function presentMe(
  { user, workspace, portal_enabled }: identity.Me,
  { role, permissions }: Pick<Membership, 'role' | 'permissions'>,
  { currencies, rules, rewards, cards }: SetupParts,
) {
  const { default_locale: locale, default_currency: currency, timezone } = workspace!;
  return {
    user: presentUserWithPreferences(user!),
    role,
    permissions,
    workspace: presentWorkspace(workspace!),
    settings: { locale, currency, timezone },
    setup: {
      currency: currencies && currencies.wallet_types.length > 0,
      rule: rules?.rule ?? null,
      reward: rewards && rewards.total_count > 0,
      card: cards?.card ?? null,
      form: cards?.form ?? null,
      portal: portal_enabled,
      till: cards?.till ?? null,
    },
    wallets_ready: cards && {
      apple: cards.wallets!.apple!.ready,
      google: cards.wallets!.google!.ready,
    },
  };
}
