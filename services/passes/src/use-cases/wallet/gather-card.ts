import { languageOf } from '@laurel/contract';
import type { identity } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import type { PassFacts, WalletFacts } from '../../domain/pass/placeholders';
import type { BenefitFacts, CardFacts, CardNeeds } from '../../domain/wallet/facts';
import type { ShownPass } from '../../domain/wallet/view';
import { type GatheredFacts, gatherFacts } from '../pass/gather-facts';
import { activeRewardsOf, availableRewardsOf, portalUrlOf } from '../pass/loyalty-render-data';

/** Whom a pass asks about what it shows. */
export type FactSources = Pick<
  PassDeps,
  | 'clients'
  | 'identity'
  | 'ledger'
  | 'passes'
  | 'portalLinks'
  | 'publicUrl'
  | 'referrals'
  | 'rewards'
  | 'tiers'
>;

/** A pass to be drawn: whose it is, and what decides what it shows. */
export type DrawnPass = ShownPass & {
  id: string;
  workspace_id: string;
  client_id: string | null;
} & Partial<Pick<Pass, 'link_generation'>>;

const REWARDS_SHOWN = 10;

/** Gathers what a pass shows of its client; asks only for what is needed. A client that is gone shows nothing. */
export async function gatherCard(
  sources: FactSources,
  pass: DrawnPass,
  needed: CardNeeds,
): Promise<CardFacts> {
  const { workspace_id: workspaceId, client_id: clientId } = pass;
  const [workspace, facts] = await Promise.all([
    sources.identity.GetWorkspace({ workspace_id: workspaceId }),
    gatherFacts(sources, pass, { ...needed, tier: needed.tier || needed.benefits }),
  ]);
  const shown = { ...facts, tier: needed.tier ? facts.tier : null };
  if (clientId === null || facts.identity === null) return cardOf(workspace, shown);
  const [availableRewards, activeRewards, portalUrl] = await Promise.all([
    needed.availableRewards ? availableRewardsOf(sources, workspaceId, clientId) : [],
    needed.activeRewards ? activeRewardsOf(sources, workspaceId, clientId) : [],
    needed.portalUrl ? portalUrlOf(sources, { workspaceId, clientId }) : null,
  ]);
  return {
    ...cardOf(workspace, shown),
    benefits: needed.benefits ? benefitsOf(facts.tier) : [],
    availableRewards: availableRewards
      .filter(({ can_afford }) => can_afford)
      .slice(0, REWARDS_SHOWN),
    activeRewards: activeRewards
      .slice(0, REWARDS_SHOWN)
      .map(({ name, coupon_code }) => ({ name, coupon_code: coupon_code ?? null })),
    portalUrl,
  };
}

function cardOf(workspace: identity.Workspace, facts: PassFacts): CardFacts {
  const nothing = { benefits: [], availableRewards: [], activeRewards: [], portalUrl: null };
  return { ...facts, ...nothing, ...issuerOf(workspace) };
}

function issuerOf({ name, brand, default_locale: locale }: identity.Workspace) {
  return { organizationName: brand?.name ?? name, language: languageOf(locale ?? '') };
}

type Tier = GatheredFacts['tier'];

function benefitsOf(tier: Pick<NonNullable<Tier>, 'benefits'> | null | undefined): BenefitFacts[] {
  return (tier?.benefits ?? []).map(({ label, value }) => ({
    label,
    value: value === undefined || value === null ? null : String(value),
  }));
}

const SAMPLE_POINTS = 120;

/** What a preview shows that has no client: somebody made up, in the wallets and tiers that the workspace has. */
export async function sampleCard(
  sources: FactSources,
  workspaceId: string,
  needed: CardNeeds,
): Promise<CardFacts> {
  const about = { workspace_id: workspaceId };
  const [workspace, types, { tiers }] = await Promise.all([
    sources.identity.GetWorkspace(about),
    needed.wallets ? sources.ledger.ListWalletTypes({ ...about, active: true }) : null,
    needed.tier || needed.benefits ? sources.tiers.ListTiers(about) : { tiers: [] },
  ]);
  const [tier] = tiers;
  return {
    ...issuerOf(workspace),
    passFields: {},
    identity: {
      first_name: 'Alex',
      last_name: 'Morgan',
      email: 'alex@example.com',
      phone: '+15550100',
      birth_date: '1990-05-17',
    },
    customFields: {},
    wallets: (types?.wallet_types ?? []).map(
      (type): WalletFacts => ({
        code: type.code,
        is_default: type.is_default,
        points: SAMPLE_POINTS,
        name: type.name,
        unit_singular_name: type.unit_singular_name ?? null,
        unit_plural_name: type.unit_plural_name ?? null,
      }),
    ),
    tier: tier ? { name: tier.name, level: 1 } : null,
    benefits: benefitsOf(tier),
    referralCode: 'ALEX2345',
    availableRewards: [{ name: 'Free coffee', cost_in_points: 100 }],
    activeRewards: [{ name: 'Free muffin', coupon_code: 'MUFFIN-7KQ2' }],
    portalUrl: `${sources.publicUrl}/portal/${workspace.slug}`,
  };
}
