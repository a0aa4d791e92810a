import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { NAMELESS, type Names } from '../store/people';
import { toReferralReply } from './wire';

const CLIENT_FILTERS = ['referrer_client_id', 'referee_client_id'] as const;

/** Referrals, newest first, with the names of both sides. */
export async function listReferrals(
  deps: Pick<Deps, 'referrals' | 'people' | 'clients'>,
  request: api.ListReferralsRequest,
): Promise<api.ReferralPage> {
  const { workspace_id: workspaceId, limit, offset } = request;
  await requireClients(deps, request);
  const text = request.search?.trim() ?? '';
  const filter = {
    status: request.status,
    referrerId: request.referrer_client_id,
    refereeId: request.referee_client_id,
    search:
      text === '' ? undefined : { text, clientIds: await deps.people.search(workspaceId, text) },
  };
  const { referrals, total } = await deps.referrals.list(workspaceId, filter, { limit, offset });
  const ids = referrals.flatMap((row) => [row.referrer_client_id, row.referee_client_id]);
  const names = await deps.people.namesOf(
    workspaceId,
    ids.filter((id) => id !== null),
  );
  const rows = referrals.map((row) => ({
    referral: toReferralReply(row),
    referrer: sideOf(names, row.referrer_client_id),
    referee: sideOf(names, row.referee_client_id),
  }));
  return { referrals: rows, total };
}

function sideOf(names: ReadonlyMap<string, Names>, id: string | null): Names {
  return (id === null ? undefined : names.get(id)) ?? NAMELESS;
}

/** An id that names no client of the workspace is a mistake worth telling (part 3, section 1.1). */
async function requireClients(
  { clients }: Pick<Deps, 'clients'>,
  request: api.ListReferralsRequest,
): Promise<void> {
  const ids = CLIENT_FILTERS.flatMap((field) => request[field] ?? []);
  if (ids.length === 0) return;
  const found = await clients.GetClients({ workspace_id: request.workspace_id, ids });
  const known = new Set(found.clients.map(({ id }) => id));
  for (const field of CLIENT_FILTERS) {
    const id = request[field];
    if (id !== undefined && !known.has(id)) throw refusals.unknownClient({ field });
  }
}
