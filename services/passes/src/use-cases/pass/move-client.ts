import type { Merge, Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import { rewritePass } from './write-pass';

export type MoveDeps = Pick<
  PassDeps,
  'passes' | 'passUpdates' | 'templateRefreshes' | 'clock' | 'outbox'
>;

/**
 * Hands the passes of a merged client on. Of two on one template the target's stays the only one, and the source's is
 * without a client from then on (part 3, section 16).
 */
export async function moveClient(
  deps: MoveDeps,
  { workspaceId, source, target }: Merge,
  session: Session,
): Promise<void> {
  const held = await deps.passes.listOfClients(workspaceId, [target], session);
  const taken = new Set(held.map((pass) => pass.pass_template_id));
  for (const before of await deps.passes.listOfClients(workspaceId, [source], session)) {
    const clientId = taken.has(before.pass_template_id) ? null : target;
    const after = { ...before, client_id: clientId, date_updated: deps.clock.now() };
    await rewritePass(deps, { before, after, source: 'merge' }, session);
  }
}
