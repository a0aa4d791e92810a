import { groupBy } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { toUnits } from '@laurel/values/amount';
import type { Deps } from '../deps';
import type { Client } from '../domain/client';
import type { Profile } from '../domain/segments/profile';
import { withTier, withWallet } from '../domain/segments/profile-changes';
import { EPOCH } from '../domain/segments/running-sum';
import { addChange } from './insert-trail';
import { rebuildProfiles } from './rebuild-profiles';

const BATCH = 200;

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
 * Gives the next clients that were there before profiles were kept as they are now a profile each, and says whether more may be
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
  const living = clients.filter(({ status }) => status !== 'anonymized');
  for (const [workspaceId, own] of groupBy(living, (client) => client.workspace_id)) {
    await backfill(deps, workspaceId, own);
  }
  await deps.backfills.advance(clients.at(-1)!.id);
  return { more: true };
}

/** The profiles are there before others are asked, so that whatever happens meanwhile finds them. */
async function backfill(
  deps: BackfillDeps,
  workspaceId: string,
  clients: readonly Client[],
): Promise<void> {
  const { connection, profiles } = deps;
  const ids = clients.map(({ id }) => id);
  await unitOfWork(connection, async (session) => {
    await profiles.insertMissing(workspaceId, clients, session);
    // Of those that there were what is made of columns may be of an earlier form.
    await profiles.followAll(clients, session);
    await rebuildProfiles(deps, { workspaceId, session }, ids);
  });
  const learned = await askOthers(deps, workspaceId, ids);
  await unitOfWork(connection, (session) => profiles.revise(workspaceId, learned, session));
  await followSince(deps, workspaceId, clients);
}

/** Takes over what changed about the clients since they were read: they had no profile to follow it. */
async function followSince(
  { clients: store, connection, profiles }: BackfillDeps,
  workspaceId: string,
  clients: readonly Client[],
): Promise<void> {
  await unitOfWork(connection, async (session) => {
    const found = await store.findMany(
      workspaceId,
      clients.map(({ id }) => id),
      session,
    );
    const now = new Map(found.map((client) => [client.id, client]));
    for (const { id, revision } of clients) {
      const client = now.get(id);
      if (!client) await profiles.remove(workspaceId, id, session);
      else if (client.revision !== revision) await profiles.followAll([client], session);
    }
  });
}

/** What ledger and tiers say of clients; what was learned from later events stays. */
async function askOthers(
  { ledger, tiers }: BackfillDeps,
  workspaceId: string,
  clientIds: readonly string[],
): Promise<Map<string, (profile: Profile) => Profile>> {
  const asked = { workspace_id: workspaceId, client_ids: [...clientIds] };
  const [{ placements }, { heads }] = await Promise.all([
    tiers.GetClientTiers(asked),
    ledger.ListWalletHeads(asked),
  ]);
  const changes = new Map<string, (profile: Profile) => Profile>();
  for (const { client_id: id, tier_id: tierId } of placements) {
    const position = { revision: 0, at: EPOCH };
    addChange(changes, id, (profile) => withTier(profile, tierId ?? null, position));
  }
  for (const head of heads) {
    const wallet = {
      active: toUnits(head.active_balance),
      pending: toUnits(head.pending_balance),
      earned: toUnits(head.total_earned),
      spent: toUnits(head.total_spent),
      sequence: head.sequence,
    };
    addChange(changes, head.client_id, (profile) =>
      withWallet(profile, head.wallet_type_code, wallet),
    );
  }
  return changes;
}
