import { toUnits } from '@laurel/amount';
import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { Client } from '../domain/client';
import type { Profile } from '../domain/segments/profile';
import { withTier, withWallet } from '../domain/segments/profile-changes';
import { EPOCH } from '../domain/segments/running-sum';
import { rebuildProfile } from './rebuild-profile';

const BATCH = 100;

type BackfillDeps = Pick<
  Deps,
  | 'backfills'
  | 'clients'
  | 'connection'
  | 'events'
  | 'ledger'
  | 'metrics'
  | 'passes'
  | 'profiles'
  | 'tiers'
>;

/**
 * Gives the next clients that were there before profiles were kept a profile each, and says whether more may be
 * waiting. Everything may be repeated: a batch counts as done only when all of it is.
 */
export async function backfillProfiles(deps: BackfillDeps): Promise<{ more: boolean }> {
  const position = await deps.backfills.position();
  if (position === null) return { more: false };
  const clients = await deps.clients.after(position, BATCH);
  if (clients.length === 0) {
    await deps.backfills.finish();
    return { more: false };
  }
  for (const client of clients) {
    if (client.status !== 'anonymized') await backfillProfile(deps, client);
  }
  await deps.backfills.advance(clients.at(-1)!.id);
  return { more: true };
}

/** The profile is there before others are asked, so that whatever happens meanwhile finds it. */
async function backfillProfile(deps: BackfillDeps, client: Client): Promise<void> {
  const { connection, profiles } = deps;
  const { id, workspace_id: workspaceId } = client;
  await unitOfWork(connection, async (session) => {
    await profiles.insertMissing([client], session);
    await rebuildProfile(deps, workspaceId, id, session);
  });
  const learned = await askOthers(deps, workspaceId, id);
  await unitOfWork(connection, async (session) => {
    await profiles.revise(workspaceId, new Map([[id, learned]]), session);
    const now = await deps.clients.find(workspaceId, id, session);
    if (now) await profiles.follow(now, session);
    else await profiles.remove(workspaceId, id, session);
  });
}

/** What ledger and tiers say of the client; what was learned from later events stays. */
async function askOthers(
  { ledger, tiers }: BackfillDeps,
  workspaceId: string,
  clientId: string,
): Promise<(profile: Profile) => Profile> {
  const client = { workspace_id: workspaceId, client_id: clientId };
  const { placements } = await tiers.GetClientTiers({
    workspace_id: workspaceId,
    client_ids: [clientId],
  });
  const { wallet_types: types } = await ledger.ListWalletTypes({ workspace_id: workspaceId });
  // The newest entries come first: balances that are read after them are at least as new.
  const sequences = new Map<string, number>();
  for (const { code } of types) {
    const page = { ...client, wallet_type_code: code, limit: 1, offset: 0 };
    const [newest] = (await ledger.ListClientEntries(page)).entries;
    if (newest) sequences.set(code, newest.sequence);
  }
  const { wallets } = await ledger.GetBalances(client);
  return (profile) => {
    const tierId = placements[0]?.tier_id ?? null;
    const placed = withTier(profile, tierId, { revision: 0, at: EPOCH });
    return wallets.reduce((known, { wallet, wallet_type: type }) => {
      const sequence = sequences.get(type!.code);
      if (sequence === undefined || !wallet) return known;
      return withWallet(known, type!.code, {
        active: toUnits(wallet.active_balance),
        pending: toUnits(wallet.pending_balance),
        earned: toUnits(wallet.total_earned),
        spent: toUnits(wallet.total_spent),
        sequence,
      });
    }, placed);
  };
}
