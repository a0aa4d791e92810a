import { addressMark, type PortalLink } from '@laurel/auth-cache';
import { Refusal } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { refusals } from '../../refusals';
import { referralCodeOf, tierOf, walletsOf } from './gather-facts';

const REDEMPTIONS_MAX = 100;
const EMPTY: api.LoyaltyRenderData = {
  wallets: [],
  benefits: [],
  active_rewards: [],
  available_rewards: [],
  portal_url: null,
  referral_code: null,
};

type RenderDeps = Pick<
  PassDeps,
  | 'clients'
  | 'passes'
  | 'ledger'
  | 'tiers'
  | 'rewards'
  | 'referrals'
  | 'identity'
  | 'portalLinks'
  | 'publicUrl'
>;

/** Everything about the loyalty of its client that a pass may show, asked of the services that know. */
export async function getLoyaltyRenderData(
  deps: RenderDeps,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.LoyaltyRenderData> {
  const pass = await deps.passes.find(workspaceId, id);
  if (!pass) throw refusals.passNotFound();
  return pass.client_id === null ? EMPTY : loyaltyRenderData(deps, workspaceId, pass.client_id);
}

export async function loyaltyRenderData(
  deps: RenderDeps,
  workspaceId: string,
  clientId: string,
): Promise<api.LoyaltyRenderData> {
  const [wallets, tier, activeRewards, availableRewards, portalUrl, referralCode] =
    await Promise.all([
      walletsOf(deps, workspaceId, clientId),
      tierOf(deps, workspaceId, clientId),
      activeRewardsOf(deps, workspaceId, clientId),
      availableRewardsOf(deps, workspaceId, clientId),
      portalUrlOf(deps, { workspaceId, clientId }),
      referralCodeOf(deps, workspaceId, clientId),
    ]);
  return {
    wallets: wallets.map(({ code, points, ...wallet }) => ({
      wallet_type_code: code,
      balance: points,
      ...wallet,
    })),
    ...(tier ? { tier: toRenderedTier(tier) } : {}),
    benefits: tier?.benefits ?? [],
    active_rewards: activeRewards,
    available_rewards: availableRewards,
    portal_url: portalUrl,
    referral_code: referralCode,
  };
}

function toRenderedTier(tier: NonNullable<Awaited<ReturnType<typeof tierOf>>>): api.RenderedTier {
  const { id, name, level, color = null, icon = null, description = null } = tier;
  return { id, name, level, color, icon, description };
}

export async function activeRewardsOf(
  { rewards }: RenderDeps,
  workspaceId: string,
  clientId: string,
): Promise<api.ActiveReward[]> {
  const { redemptions } = await rewards.ListRedemptions({
    workspace_id: workspaceId,
    client_id: clientId,
    status: 'fulfilled',
    limit: REDEMPTIONS_MAX,
    offset: 0,
  });
  return redemptions
    .filter((redemption) => !redemption.used_at)
    .map(({ id, reward_id, reward_name, coupon_code, redemption_date }) => ({
      redemption_id: id,
      reward_id,
      name: reward_name,
      coupon_code: coupon_code ?? null,
      redemption_date,
    }));
}

export async function availableRewardsOf(
  deps: RenderDeps,
  workspaceId: string,
  clientId: string,
): Promise<api.AvailableReward[]> {
  const found = await deps.rewards.ListClientRewards({
    workspace_id: workspaceId,
    client_id: clientId,
    purchasable_only: true,
  });
  return found.rewards
    .filter(({ is_locked }) => !is_locked)
    .map(({ reward, can_afford }) => ({
      id: reward!.id,
      name: reward!.name,
      description: reward!.description ?? null,
      cost_in_points: reward!.cost_in_points,
      can_afford,
    }));
}

/**
 * The way into the portal, signed in; null while the workspace has none.
 *
 * @param whose.mailedTo the client's own address, where it goes there: to open it proves that address, for as long as it is
 *   theirs. Any other link ends once the address is proven, unless it was before
 */
export async function portalUrlOf(
  {
    clients,
    identity,
    portalLinks,
    publicUrl,
  }: Pick<PassDeps, 'clients' | 'identity' | 'portalLinks' | 'publicUrl'>,
  {
    workspaceId,
    clientId,
    mailedTo,
  }: { workspaceId: string; clientId: string; mailedTo?: string | null },
): Promise<string | null> {
  const workspace = { workspace_id: workspaceId };
  const { config } = await identity.GetPortalConfig(workspace);
  if (!config?.is_enabled) return null;
  const proof = mailedTo
    ? { mailedTo: addressMark(mailedTo) }
    : await proofOf(clients, workspaceId, clientId);
  const token = portalLinks.sealPortalLink({ workspaceId, clientId, ...proof });
  return `${publicUrl}/portal/${config.workspace_slug}?token=${token}`;
}

/** What a link on a card proves: the address that its client has proven, for as long as that is theirs. */
async function proofOf(
  clients: Pick<PassDeps['clients'], 'GetClientStanding'>,
  workspace_id: string,
  client_id: string,
): Promise<Pick<PortalLink, 'isProven' | 'mailedTo'>> {
  try {
    const standing = await clients.GetClientStanding({ workspace_id, client_id });
    const { address_proven_at, proven_email } = standing;
    if (proven_email !== undefined) return { mailedTo: addressMark(proven_email) };
    return { isProven: address_proven_at !== undefined };
  } catch (error) {
    // Deleted meanwhile: the link leads nowhere either way.
    if (error instanceof Refusal && error.httpStatus === 404) return {};
    throw error;
  }
}
