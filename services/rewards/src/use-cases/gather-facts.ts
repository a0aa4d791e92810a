import { isRefusedAs, platform } from '@laurel/errors';
import type { clients as api } from '@laurel/rpc';
import { toUnits, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import type { Facts, Payment, Purse } from '../domain/availability';
import { livesOnImports, type Reward } from '../domain/reward';
import { refusals } from '../refusals';

type FactsDeps = Pick<
  Deps,
  'rewards' | 'usages' | 'coupons' | 'ledger' | 'clients' | 'tiers' | 'segments' | 'clock'
>;

export interface Question {
  workspaceId: string;
  rewardId: string;
  clientId: string;
  payment: Payment;
  purchasableOnly: boolean;
}

/**
 * Collects what a redemption is decided on. A reward or client that the workspace does not have is
 * refused as INVALID_PAYLOAD with its field.
 */
export async function gatherFacts(deps: FactsDeps, question: Question): Promise<Facts> {
  const { workspaceId, rewardId, clientId, payment, purchasableOnly } = question;
  const [reward, clientActive] = await Promise.all([
    deps.rewards.find(workspaceId, rewardId),
    isActive(deps, workspaceId, clientId),
  ]);
  if (!reward) throw refusals.unknownReward();
  const { visibility_tiers: tiers, visibility_segments: segmentIds } = reward;
  const [usedByClient, tierId, containing, purse, outOfCoupons] = await Promise.all([
    reward.usage_limit_per_client === null
      ? 0
      : deps.usages.countOf(workspaceId, { rewardId, clientId }),
    tiers.length === 0 ? null : deps.tiers.tierOf(workspaceId, clientId),
    segmentsOf(deps, workspaceId, { segmentIds, clientId }),
    purseOf(deps, reward, clientId),
    isOutOfCoupons(deps, reward),
  ]);
  return {
    reward,
    now: deps.clock.now(),
    payment,
    purchasableOnly,
    clientActive,
    tierId,
    inSegment: containing.length > 0,
    usedByClient,
    purse,
    outOfCoupons,
  };
}

/** Whether the client is active; a stranger is refused. */
export async function isActive(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  clientId: string,
): Promise<boolean> {
  return (await requireStanding({ clients }, workspaceId, clientId)).status === 'active';
}

/** How the client stands in the workspace, which must have it. */
export async function requireStanding(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  clientId: string,
): Promise<api.ClientStanding> {
  try {
    return await clients.GetClientStanding({ workspace_id: workspaceId, client_id: clientId });
  } catch (error) {
    if (isRefusedAs(error, platform.recordNotFound)) throw refusals.unknownClient();
    throw error;
  }
}

/** Those of the segments that the client is in now. */
export async function segmentsOf(
  { segments }: Pick<Deps, 'segments'>,
  workspaceId: string,
  { segmentIds, clientId }: { segmentIds: readonly string[]; clientId: string },
): Promise<string[]> {
  return segmentIds.length === 0
    ? []
    : segments.containing(workspaceId, segmentIds, { id: clientId });
}

/** What the client could pay a reward from; null where it costs nothing, or they have nothing. */
async function purseOf(
  { ledger }: Pick<Deps, 'ledger'>,
  { workspace_id: workspaceId, wallet_type_id: walletTypeId }: Reward,
  clientId: string,
): Promise<Purse | null> {
  if (walletTypeId === null) return null;
  const purses = await pursesOf({ ledger }, workspaceId, clientId);
  return purses.get(walletTypeId) ?? null;
}

/** The client's purses by active wallet type; an empty one where the client has no wallet yet. */
export async function pursesOf(
  { ledger }: Pick<Deps, 'ledger'>,
  workspaceId: string,
  clientId: string,
): Promise<Map<string, Purse>> {
  const client = { workspace_id: workspaceId, client_id: clientId };
  const { wallets } = await ledger.GetBalances(client);
  return new Map(
    wallets.flatMap(({ wallet, wallet_type: type }) => {
      if (!type?.active) return [];
      const active = wallet ? toUnits(wallet.active_balance) : ZERO;
      return [[type.id, { active, mayOverdraw: type.allow_negative_balance }]];
    }),
  );
}

export async function isOutOfCoupons(
  { coupons }: Pick<Deps, 'coupons'>,
  reward: Reward,
): Promise<boolean> {
  if (!livesOnImports(reward)) return false;
  return !(await coupons.hasFree(reward.workspace_id, reward.id));
}
