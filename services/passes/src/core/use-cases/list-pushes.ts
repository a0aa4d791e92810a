import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import type { Push, PushStatus } from '../store/pushes';
import { queueWalletUpdate } from './queue-wallet-update';

/** What is pushed to the phones of passes, and what became of it; the latest change first. */
export async function listPushes(
  { pushes }: Pick<CoreDeps, 'pushes'>,
  { workspace_id, status, pass_id: passId, limit, cursor }: api.ListPushesRequest,
): Promise<api.PushPage> {
  const filter = { status: status as PushStatus | undefined, passId };
  const page = await pushes.list(workspace_id, filter, { limit, cursor });
  return {
    pushes: page.pushes.map(toReply),
    total: page.total,
    next_cursor: page.nextCursor,
  };
}

/** Asks for another push of the pass; one that is owed is not asked for twice. */
export async function retryPush(
  deps: Pick<CoreDeps, 'pushes' | 'passes' | 'passUpdates' | 'templateRefreshes' | 'clock'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.Push> {
  const known = await deps.pushes.find(workspaceId, id);
  if (!known) throw refusals.pushNotFound();
  await queueWalletUpdate(deps, { workspaceId, passIds: [id] });
  const asked = await deps.pushes.find(workspaceId, id);
  if (!asked) throw refusals.pushNotFound();
  return toReply(asked);
}

function toReply({ passId, status, attempts, error, ...times }: Push): api.Push {
  return {
    id: passId,
    pass_id: passId,
    status,
    attempts,
    error,
    asked_at: times.askedAt.toISOString(),
    tried_at: times.triedAt?.toISOString() ?? null,
    next_attempt_at: times.nextAttemptAt?.toISOString() ?? null,
  };
}
