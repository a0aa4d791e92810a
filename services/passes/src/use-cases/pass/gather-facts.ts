import type { JsonObject } from '@laurel/errors';
import type { clients as clientsApi } from '@laurel/rpc';
import { successorOf } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import {
  type FactNeeds,
  IDENTITY_FIELDS,
  type PassFacts,
  type WalletFacts,
} from '../../domain/pass/placeholders';

type Peers = Pick<PassDeps, 'clients' | 'ledger' | 'tiers' | 'referrals'>;

/** What was gathered: of the tier all that tiers tell, not only what placeholders show. */
export interface GatheredFacts extends PassFacts {
  tier: Awaited<ReturnType<typeof tierOf>>;
}

const NOBODY: GatheredFacts = {
  passFields: {},
  identity: null,
  customFields: {},
  wallets: [],
  tier: null,
  referralCode: null,
};

/** What placeholders on a pass are filled with; only what the texts need is asked for. */
export async function gatherFacts(
  peers: Peers,
  { workspace_id, client_id, pass_fields: passFields }: PassOfClient,
  needs: FactNeeds,
): Promise<GatheredFacts> {
  if (client_id === null) return { ...NOBODY, passFields };
  const [client] = (await peers.clients.GetClients({ workspace_id, ids: [client_id] })).clients;
  if (!client) return { ...NOBODY, passFields };
  const [wallets, tier, referralCode] = await Promise.all([
    needs.wallets ? walletsOf(peers, workspace_id, client_id) : [],
    needs.tier ? tierOf(peers, workspace_id, client_id) : null,
    needs.referralCode ? referralCodeOf(peers, workspace_id, client_id) : null,
  ]);
  return {
    passFields,
    identity: Object.fromEntries(IDENTITY_FIELDS.map((name) => [name, client[name] ?? null])),
    customFields: customFieldsOf(client),
    wallets,
    tier,
    referralCode,
  };
}

/**
 * The same of whom a client became: a pass may still be in the name of a member that was merged, until passes hear of it.
 *
 * @returns current who it is by now
 */
export async function gatherFactsOfHeir(
  peers: Peers,
  { workspace_id, client_id, pass_fields }: PassOfClient,
  needs: FactNeeds,
): Promise<{ current: string | null; facts: GatheredFacts }> {
  const factsOf = (id: string | null) =>
    gatherFacts(peers, { workspace_id, client_id: id, pass_fields }, needs);
  const facts = await factsOf(client_id);
  if (facts.identity !== null || client_id === null) return { current: client_id, facts };
  const successor = await successorOf(peers.clients, workspace_id, client_id);
  return successor === null
    ? { current: client_id, facts }
    : { current: successor, facts: await factsOf(successor) };
}

export interface PassOfClient {
  workspace_id: string;
  client_id: string | null;
  pass_fields: JsonObject;
}

/** A wallet for each active wallet type, the default one first. */
export async function walletsOf(
  { ledger }: Pick<Peers, 'ledger'>,
  workspaceId: string,
  clientId: string,
): Promise<WalletFacts[]> {
  const found = await ledger.GetBalances({ workspace_id: workspaceId, client_id: clientId });
  return found.wallets.map(({ wallet, wallet_type: type }) => ({
    code: type!.code,
    is_default: type!.is_default,
    points: wallet!.active_balance,
    name: type!.name,
    unit_singular_name: type!.unit_singular_name ?? null,
    unit_plural_name: type!.unit_plural_name ?? null,
  }));
}

/** The tier a client is in, with its place from below, counted from 1. */
export async function tierOf(
  { tiers }: Pick<Peers, 'tiers'>,
  workspaceId: string,
  clientId: string,
) {
  const request = { workspace_id: workspaceId, client_ids: [clientId] };
  const [placement] = (await tiers.GetClientTiers(request)).placements;
  if (!placement?.tier_id) return null;
  const all = (await tiers.ListTiers({ workspace_id: workspaceId })).tiers;
  const index = all.findIndex((tier) => tier.id === placement.tier_id);
  return index === -1 ? null : { ...all[index]!, level: index + 1 };
}

export async function referralCodeOf(
  { referrals }: Pick<Peers, 'referrals'>,
  workspaceId: string,
  clientId: string,
): Promise<string | null> {
  const request = { workspace_id: workspaceId, client_id: clientId };
  return (await referrals.GetClientReferral(request)).code ?? null;
}

function customFieldsOf({ custom_fields }: clientsApi.Client): JsonObject {
  return (custom_fields ?? {}) as JsonObject;
}
