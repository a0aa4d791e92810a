import type { Session } from '@laurel/mongo';
import type { CoreDeps } from '../deps';
import { removePass } from './delete-pass';
import { writePass } from './write-pass';

type ForgetDeps = Pick<
  CoreDeps,
  'passes' | 'passUpdates' | 'templateRefreshes' | 'clock' | 'outbox'
>;

/** Deletes the passes of a deleted client. */
export async function removeClientPasses(
  deps: ForgetDeps,
  workspaceId: string,
  clientId: string,
  session: Session,
): Promise<void> {
  const passes = await deps.passes.listOfClients(workspaceId, [clientId], session);
  for (const pass of passes) await removePass(deps, pass, session);
}

/** Clears what passes say of an anonymized client: overrides, and texts that were filled with a name. */
export async function scrubClientPasses(
  deps: ForgetDeps,
  workspaceId: string,
  clientId: string,
  session: Session,
): Promise<void> {
  for (const before of await deps.passes.listOfClients(workspaceId, [clientId], session)) {
    const scrubbed = { pass_fields: {}, notification: null, date_updated: deps.clock.now() };
    const after = { ...before, ...scrubbed };
    await writePass(deps, { before, after, source: 'anonymize' }, session);
  }
}
