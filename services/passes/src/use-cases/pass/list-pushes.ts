import type { PushStatus } from '@laurel/contract';
import { invalidField } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { refusals } from '../../refusals';
import type { Push } from '../../store/pushes';
import { queueWalletUpdate } from './queue-wallet-update';

/** What is pushed to the phones of passes, and what became of it; the latest change first. */
export async function listPushes(
  { pushes, passes }: Pick<PassDeps, 'pushes' | 'passes'>,
  { workspace_id: workspaceId, status, pass_id: passId, limit, cursor }: api.ListPushesRequest,
): Promise<api.PushPage> {
  const isKnown = async (id: string) =>
    (await passes.find(workspaceId, id)) !== null || (await pushes.find(workspaceId, id)) !== null;
  if (passId !== undefined && !(await isKnown(passId)))
    throw invalidField('pass_id', 'there is no such pass in the workspace');
  const filter = { status: status as PushStatus | undefined, passId };
  const page = await pushes.list(workspaceId, filter, { limit, cursor });
  const ids = page.pushes.map((push) => push.passId);
  const texts = await pushes.textsOf(workspaceId, ids);
  return {
    pushes: page.pushes.map((push) => toReply(push, texts.get(push.passId) ?? null)),
    total: page.total,
    next_cursor: page.nextCursor,
  };
}

/** Asks for another push of the pass; one that is owed is not asked for twice, and one that failed waits no longer. */
export async function retryPush(
  deps: Pick<PassDeps, 'pushes' | 'passes' | 'passUpdates' | 'templateRefreshes' | 'clock'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.Push> {
  const known = await deps.pushes.find(workspaceId, id);
  if (!known) throw refusals.pushNotFound();
  await queueWalletUpdate(deps, { workspaceId, passIds: [id] });
  await deps.passUpdates.hasten(workspaceId, [id], deps.clock.now());
  const [asked, pass] = await Promise.all([
    deps.pushes.find(workspaceId, id),
    deps.passes.find(workspaceId, id),
  ]);
  if (!asked) throw refusals.pushNotFound();
  // The phones of a pass that was deleted hear so for 30 days.
  return toReply(asked, pass?.notification ?? null);
}

function toReply(
  { passId, status, attempts, error, ...times }: Push,
  notification: string | null,
): api.Push {
  return {
    id: passId,
    pass_id: passId,
    status,
    attempts,
    error,
    asked_at: times.askedAt.toISOString(),
    tried_at: times.triedAt?.toISOString() ?? null,
    next_attempt_at: times.nextAttemptAt?.toISOString() ?? null,
    notification,
  };
}
