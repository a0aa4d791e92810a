import type { Json } from '@laurel/errors';
import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { presentReferral } from '../store/mapping';

/** Everything held on a person here: their codes and the referrals they are part of; of others, only the ids. */
export async function exportClient(
  { codes, referrals }: Pick<Deps, 'codes' | 'referrals'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ClientExport> {
  const [held, rows] = await Promise.all([
    codes.allOf(workspaceId, clientId),
    referrals.allOf(workspaceId, clientId),
  ]);
  return {
    data: {
      codes: held.map(({ code, createdAt }) => ({ code, date_created: createdAt.toISOString() })),
      referrals: rows.map(presentReferral) as unknown as Json,
    },
  };
}
