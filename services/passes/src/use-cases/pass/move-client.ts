import type { Merge, Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import { passedOn } from '../../domain/pass/hand-over';
import type { Pass } from '../../domain/pass/pass';
import { homeOf } from '../../domain/pass/tier-sync';
import { type HandOverDeps, handOver } from './hand-over';
import { rewritePass } from './write-pass';

export type MoveDeps = HandOverDeps &
  Pick<PassDeps, 'passes' | 'passUpdates' | 'templateRefreshes' | 'clock' | 'outbox'>;

/**
 * Hands the passes of a merged client on. Of two on one template the target's stays the only one, and the source's is
 * without a client from then on (part 3, section 16); its links end with that, as they do where a pass is taken from a client.
 */
export async function moveClient(
  deps: MoveDeps,
  { workspaceId, source, target, at = deps.clock.now() }: Merge,
  session: Session,
): Promise<void> {
  const held = await deps.passes.listOfClients(workspaceId, [target], session);
  for (const before of await deps.passes.listOfClients(workspaceId, [source], session)) {
    const given = held.some((pass) => isTwin(pass, before))
      ? await handOver(deps, { pass: before, next: null }, session)
      : passedOn(before, target, at);
    const after = { ...given, date_updated: deps.clock.now() };
    await rewritePass(deps, { before, after, source: 'merge' }, session);
  }
}

/** Whether two passes are of one template, or show one: of what they show a client has one alone. */
const isTwin = (one: Pass, other: Pass): boolean =>
  homeOf(one) === homeOf(other) || one.pass_template_id === other.pass_template_id;
