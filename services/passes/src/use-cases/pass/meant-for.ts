import { successorsOf } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { refusals } from '../../refusals';

interface Meant {
  workspace_id: string;
  /** Of the pass. */
  id: string;
  for_client_id?: string;
}

/**
 * Whose a pass is, where a change is meant for one client: a pass may be handed over between the choice of the client and the
 * change. Of merged clients one of both may still be known here, or to who asks, by the name of then.
 *
 * @returns the client under whose name the pass is; undefined where the change is meant for the pass, whosever it is
 * @throws CONFLICT where it is another client's, RECORD_NOT_FOUND where it is of no client any more, or gone
 */
export async function requireHolder(
  { passes, clients }: Pick<PassDeps, 'passes' | 'clients'>,
  { workspace_id, id, for_client_id: meantFor }: Meant,
): Promise<string | undefined> {
  if (meantFor === undefined) return undefined;
  const pass = await passes.find(workspace_id, id);
  if (!pass) throw refusals.passNotFound();
  const { client_id: holder } = pass;
  if (holder === null) throw refusals.passLeftWithoutClient();
  if (holder === meantFor) return holder;
  const successors = await successorsOf(clients, workspace_id, [holder, meantFor]);
  const nowOf = (clientId: string) => successors.get(clientId) ?? clientId;
  if (nowOf(holder) !== nowOf(meantFor)) throw refusals.passOfAnother();
  return holder;
}

/** The pass was handed over since it was looked whose it is. */
export class HandedOver extends Error {
  override readonly name = 'HandedOver';
}

/** For `tryAgain`: whose it is decides what is to be done. */
export const AS_HANDED_OVER = {
  on: (error: unknown) => error instanceof HandedOver,
  triesMax: 10,
};
