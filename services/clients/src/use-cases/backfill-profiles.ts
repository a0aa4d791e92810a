import { groupBy } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { toUnits } from '@laurel/values/amount';
import { type Part, PIECE_LEASE_MS, type PieceJob } from '@laurel/work';
import type { Deps } from '../deps';
import type { Client } from '../domain/client';
import type { Profile } from '../domain/segments/profile';
import { withTier, withWallet } from '../domain/segments/profile-changes';
import { EPOCH } from '../domain/segments/running-sum';
import { addChange } from './insert-trail';
import { rebuildProfile } from './rebuild-profile';

const CLIENTS_PER_PAGE = 200;
/** Pages that wait at most after a look; the next look is a minute later. */
const PAGES_AHEAD = 1_000;
/** What the pages are of, as `Parts` asks for a UUID. */
const WALK = '019acb00-0000-7000-8000-00000000f111';

type BackfillDeps = Pick<
  Deps,
  | 'backfillParts'
  | 'backfills'
  | 'clients'
  | 'clock'
  | 'connection'
  | 'events'
  | 'ledger'
  | 'metrics'
  | 'passes'
  | 'profiles'
  | 'tiers'
>;

/**
 * Reads on in the clients who were there before profiles were kept as they are now, leaves the next of them in pages for
 * whichever replica claims them (docs/adr/0045), and says whether more may be read at once. Two that read at once leave the
 * same page twice, which gives the same profiles.
 */
export async function backfillProfiles(
  { backfillParts, backfills, clients, clock, connection }: BackfillDeps,
  limit = CLIENTS_PER_PAGE,
): Promise<{ more: boolean }> {
  const position = await backfills.position();
  if (position === null) return { more: false };
  const waiting = await backfillParts.countAll(PAGES_AHEAD);
  if (waiting >= PAGES_AHEAD) return { more: false };
  const page = await clients.after(position, limit);
  if (page.length === 0) {
    if (waiting === 0) await backfills.finish();
    return { more: false };
  }
  const living = page.filter(({ status }) => status !== 'anonymized');
  await unitOfWork(connection, async (session) => {
    for (const [workspaceId, own] of groupBy(living, (client) => client.workspace_id)) {
      const of = { workspaceId, walk: WALK, now: clock.now() };
      await backfillParts.leave(of, [own.map(({ id }) => id)], session);
    }
    await backfills.readTo(page.at(-1)!.id, session);
  });
  return { more: true };
}

/** Gives the clients of pages a profile each. Everything may be repeated: a page is gone only when all of it is done. */
export const backfillWorker = (deps: BackfillDeps): PieceJob<Part> => ({
  name: 'profile-parts',
  due: deps.backfillParts.due,
  concurrency: 4,
  share: 1,
  leaseMs: PIECE_LEASE_MS,
  clock: deps.clock,
  work: (part) => workPart(deps, part),
});

async function workPart(deps: BackfillDeps, part: Part): Promise<void> {
  const clients = await deps.clients.findMany(part.workspaceId, part.subjects);
  const living = clients.filter(({ status }) => status !== 'anonymized');
  if (living.length > 0) await backfill(deps, part.workspaceId, living);
  await deps.backfillParts.end(part);
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
  });
  // One by one: what happens to a client waits for the profile of that one alone, and not for those of a whole page.
  for (const id of ids)
    await unitOfWork(connection, (session) => rebuildProfile(deps, { workspaceId, session }, id));
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
