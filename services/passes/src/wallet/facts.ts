import type { PortalLinks } from '@laurel/auth-cache';
import type { Json, JsonObject } from '@laurel/errors';
import type { clients, identity, ledger, RpcClient, tiers } from '@laurel/rpc';
import type {
  ActiveRewardFacts,
  FactsNeeded,
  PassFacts,
  RewardFacts,
  TierFacts,
  WalletFacts,
} from './domain/facts';

/** Whom a pass asks about what it shows. */
export interface FactSources {
  clients: Pick<RpcClient<'clients'>, 'GetClients'>;
  identity: Pick<RpcClient<'identity'>, 'GetWorkspace'>;
  ledger: Pick<RpcClient<'ledger'>, 'GetBalances' | 'ListWalletTypes'>;
  referrals: Pick<RpcClient<'referrals'>, 'GetClientReferral'>;
  rewards: Pick<RpcClient<'rewards'>, 'ListClientRewards' | 'ListRedemptions'>;
  tiers: Pick<RpcClient<'tiers'>, 'GetClientTiers' | 'ListTiers'>;
  portalLinks: Pick<PortalLinks, 'sealPortalLink'>;
  publicUrl: string;
}

interface Whom {
  workspaceId: string;
  clientId: string | null;
}

const REWARDS_SHOWN = 10;
const REDEMPTIONS_READ = 50;
const IDENTITY_FIELDS = ['first_name', 'last_name', 'email', 'phone', 'birth_date'] as const;

/** Gathers what a pass shows of its client; asks only for what is needed. A client that is gone shows nothing. */
export async function gatherFacts(
  sources: FactSources,
  { workspaceId, clientId }: Whom,
  needed: FactsNeeded,
): Promise<PassFacts> {
  const workspace = await sources.identity.GetWorkspace({ workspace_id: workspaceId });
  const organizationName = workspace.name;
  const client = clientId === null ? null : await findClient(sources, workspaceId, clientId);
  if (!client) return { ...NOTHING, organizationName };
  const about = { workspace_id: workspaceId, client_id: client.id };
  const [wallets, tier, referralCode, availableRewards, activeRewards] = await Promise.all([
    needed.wallets ? walletsOf(sources, about) : [],
    needed.tier ? tierOf(sources, about) : null,
    needed.referralCode ? referralCodeOf(sources, about) : null,
    needed.availableRewards ? availableRewardsOf(sources, about) : [],
    needed.activeRewards ? activeRewardsOf(sources, about) : [],
  ]);
  return {
    organizationName,
    identity: identityOf(client),
    customFields: (client.custom_fields ?? {}) as JsonObject,
    wallets,
    tier,
    referralCode,
    availableRewards,
    activeRewards,
    portalUrl: needed.portalUrl ? portalUrlOf(sources, workspace, client.id) : null,
  };
}

const NOTHING: Omit<PassFacts, 'organizationName'> = {
  identity: null,
  customFields: {},
  wallets: [],
  tier: null,
  referralCode: null,
  availableRewards: [],
  activeRewards: [],
  portalUrl: null,
};

interface About {
  workspace_id: string;
  client_id: string;
}

async function findClient({ clients }: FactSources, workspaceId: string, clientId: string) {
  const found = await clients.GetClients({ workspace_id: workspaceId, ids: [clientId] });
  return found.clients[0] ?? null;
}

function identityOf(client: clients.Client): Record<string, Json> {
  return Object.fromEntries(IDENTITY_FIELDS.map((name) => [name, client[name] ?? null]));
}

async function walletsOf({ ledger }: FactSources, about: About): Promise<WalletFacts[]> {
  const { wallets } = await ledger.GetBalances(about);
  return wallets.map(({ wallet, wallet_type: type }) =>
    walletFacts(type!, wallet?.active_balance ?? 0),
  );
}

function walletFacts(type: ledger.WalletType, points: number): WalletFacts {
  return {
    code: type.code,
    is_default: type.is_default,
    points,
    name: type.name,
    unit_singular_name: type.unit_singular_name ?? null,
    unit_plural_name: type.unit_plural_name ?? null,
  };
}

async function tierOf(
  { tiers }: FactSources,
  { workspace_id, client_id }: About,
): Promise<TierFacts | null> {
  const { placements } = await tiers.GetClientTiers({ workspace_id, client_ids: [client_id] });
  const tierId = placements[0]?.tier_id;
  return tierId ? tierFacts((await tiers.ListTiers({ workspace_id })).tiers, tierId) : null;
}

function tierFacts(all: readonly tiers.Tier[], tierId: string | undefined): TierFacts | null {
  const position = all.findIndex(({ id }) => id === tierId);
  const tier = all[position];
  if (!tier) return null;
  const benefits = tier.benefits.map(({ label, value }) => ({
    label,
    value: value === undefined || value === null ? null : String(value),
  }));
  return { name: tier.name, level: position + 1, benefits };
}

async function referralCodeOf({ referrals }: FactSources, about: About): Promise<string | null> {
  return (await referrals.GetClientReferral(about)).code ?? null;
}

async function availableRewardsOf({ rewards }: FactSources, about: About): Promise<RewardFacts[]> {
  const found = await rewards.ListClientRewards({ ...about, purchasable_only: true });
  return found.rewards
    .filter(({ can_afford, is_locked }) => can_afford && !is_locked)
    .slice(0, REWARDS_SHOWN)
    .map(({ reward }) => ({ name: reward!.name, cost_in_points: reward!.cost_in_points }));
}

/** Redeemed and neither used nor cancelled. */
async function activeRewardsOf(
  { rewards }: FactSources,
  about: About,
): Promise<ActiveRewardFacts[]> {
  const page = { status: 'fulfilled', limit: REDEMPTIONS_READ, offset: 0 };
  const { redemptions } = await rewards.ListRedemptions({ ...about, ...page });
  const open = redemptions.filter(({ used_at }) => !used_at).slice(0, REWARDS_SHOWN);
  return open.map(({ reward_name, coupon_code }) => ({
    name: reward_name,
    coupon_code: coupon_code ?? null,
  }));
}

function portalUrlOf(
  { portalLinks, publicUrl }: FactSources,
  { id, slug }: identity.Workspace,
  clientId: string,
): string {
  const token = portalLinks.sealPortalLink({ workspaceId: id, clientId });
  return `${publicUrl}/portal/${slug}?token=${token}`;
}

const SAMPLE_POINTS = 120;

/** What a preview shows that is of nobody: somebody made up, in the wallets and tiers that the workspace has. */
export async function sampleFacts(
  sources: FactSources,
  workspaceId: string,
  needed: FactsNeeded,
): Promise<PassFacts> {
  const about = { workspace_id: workspaceId };
  const [workspace, types, { tiers }] = await Promise.all([
    sources.identity.GetWorkspace(about),
    needed.wallets ? sources.ledger.ListWalletTypes({ ...about, active: true }) : null,
    needed.tier ? sources.tiers.ListTiers(about) : { tiers: [] },
  ]);
  return {
    ...NOTHING,
    organizationName: workspace.name,
    identity: {
      first_name: 'Alex',
      last_name: 'Morgan',
      email: 'alex@example.com',
      phone: '+15550100',
      birth_date: '1990-05-17',
    },
    wallets: (types?.wallet_types ?? []).map((type) => walletFacts(type, SAMPLE_POINTS)),
    tier: tierFacts(tiers, tiers[0]?.id),
    referralCode: 'ALEX2345',
    availableRewards: [{ name: 'Free coffee', cost_in_points: 100 }],
    activeRewards: [{ name: 'Free muffin', coupon_code: 'MUFFIN-7KQ2' }],
    portalUrl: `${sources.publicUrl}/portal/${workspace.slug}`,
  };
}
