import type { passes as api, rewards, tiers } from '@laurel/rpc';
import { type Answer, data } from '../../routing';

interface Page {
  limit: number;
  offset?: number;
}

/** All that the app starts with; null without an enabled config (part 2, Mobile app runtime). */
export function presentApp({ config, data_model, wallet_types }: api.MobileApp): object | null {
  if (!config) return null;
  const { actions, ...columns } = config;
  return {
    config: columns,
    actions,
    data_model: data_model.map(({ id: _id, options: _options, ...field }) => field),
    wallet_types: wallet_types.map(({ code, name, unit_singular_name, unit_plural_name }) => ({
      code,
      name,
      unit_singular_name,
      unit_plural_name,
    })),
  };
}

/**
 * The holder of a link of a pass sees all of the card and is the client for the portal (docs/adr/0041): the app does not hand it
 * out, which shows no hidden fields and does what its actions allow.
 */
const NO_LINKS = {
  apple_pass_url: null,
  apple_qrcode_url: null,
  google_pass_url: null,
  google_qrcode_url: null,
};

/** A pass always shows whose it is: null where it has no client. */
export function presentPass(pass: api.Pass): object {
  return { ...pass, ...NO_LINKS, client: pass.client ?? null };
}

export function presentWholePass({ pass, tier, wallets }: api.MobilePass): object {
  return { ...presentPass(pass!), tier: tier ?? null, wallets };
}

export function presentSignUp({ pass, ...links }: api.MobileSignUp): object {
  const { apple_pass_url = null, google_pass_url = null } = links;
  return { ...presentWholePass(pass!), apple_pass_url, google_pass_url };
}

export function presentLoyalty({ wallets, tier, progress }: api.MobilePassLoyalty): object {
  return { wallets, tier: tier ?? null, progress: progress ? presentProgress(progress) : null };
}

function presentProgress(progress: tiers.Progress): object {
  const { current_tier, next_tier } = progress;
  return { ...progress, current_tier: current_tier ?? null, next_tier: next_tier ?? null };
}

export function presentReward({ reward, ...standing }: rewards.ClientReward): object {
  return { ...reward, ...standing };
}

export function presentExecuted(executed: api.ExecutedMobileAppAction): object {
  const { action_id, action_type, result, balances } = executed;
  return { action_id, action_type, status: 'success', result, balances };
}

export function presentFollowed(followed: api.FollowedOperation): object {
  return { ...followed, tier: followed.tier ?? null };
}

/** A list with where its page stands in the whole. */
export function presentPage(
  rows: readonly unknown[],
  total: number,
  { limit, offset = 0 }: Page,
): Answer {
  return data(rows, { total, limit, offset });
}
