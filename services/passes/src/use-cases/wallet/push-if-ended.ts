import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';

/**
 * Asks for one more push of a pass that ended while a phone was given it: the push that tells of the end may
 * have gone out before anybody knew of that one.
 *
 * @param pass as it was when it was given; nothing happens where it had ended by then
 */
export async function pushIfEnded(
  { passes, passUpdates, clock }: Pick<PassDeps, 'passes' | 'passUpdates' | 'clock'>,
  { id, workspace_id: workspaceId, retired }: Pick<Pass, 'id' | 'workspace_id' | 'retired'>,
): Promise<void> {
  if (retired) return;
  const current = await passes.find(workspaceId, id);
  if (!current || current.retired)
    await passUpdates.ask(workspaceId, { passIds: [id], now: clock.now() });
}
