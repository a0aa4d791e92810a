import { orStale, type Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';

type QueueDeps = Pick<PassDeps, 'passes' | 'passUpdates' | 'templateRefreshes' | 'clock'>;

/** Whose passes are to be drawn again on phones. */
export type WalletUpdate =
  | { workspaceId: string; passIds: readonly string[] }
  | { workspaceId: string; clientIds: readonly string[] }
  | { workspaceId: string; templateIds: readonly string[] };

/**
 * Asks for a wallet update of everything that a change shows on. Whatever changes what a pass shows calls this, in the
 * transaction of the change where it is a change of this service. A pass is pushed at most every 5 seconds however
 * often it is called; the passes of a template are walked through by a paced job (part 3, section 10).
 */
export async function queueWalletUpdate(
  { passes, passUpdates, templateRefreshes, clock }: QueueDeps,
  update: WalletUpdate,
  session?: Session,
): Promise<void> {
  const { workspaceId } = update;
  if ('templateIds' in update) {
    for (const templateId of update.templateIds)
      await orStale('the refresh', templateRefreshes.ask(workspaceId, templateId, session));
    return;
  }
  const passIds =
    'passIds' in update
      ? update.passIds
      : await passes.idsOfClients(workspaceId, update.clientIds, session);
  await passUpdates.ask(workspaceId, { passIds, now: clock.now() }, session);
}
