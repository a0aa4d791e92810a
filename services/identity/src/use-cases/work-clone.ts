import { isRefusedAs, platform } from '@laurel/errors';
import { runInContext, systemContext } from '@laurel/lifecycle';
import { type CopyOrder, translatorOf } from '@laurel/mongo';
import type { Process } from '@laurel/work';
import type { Deps } from '../deps';
import { rolesOf } from '../domain/roles';
import { SANDBOX_MS } from '../domain/sandbox';
import type { ClaimedClone } from '../store/workspace-clones';
import type { WorkspaceRow } from '../store/workspaces';
import { copyMembers } from './copy-members';
import { endClone } from './end-clone';
import { openClone } from './open-clone';

/** Longer than any service is away that is started anew. */
const GIVES_UP_MS = 3_600_000;

/**
 * Makes a clone (docs/adr/0042): copies what all services keep, which repeats harmlessly, and opens it when all of it is
 * there. A worker that takes it over begins anew and finds done what was done. One that does not come to an end is removed.
 */
export async function workClone(deps: Deps, row: ClaimedClone, process: Process): Promise<void> {
  const { actor, request_id: requestId, _id: workspaceId } = row;
  await runInContext(systemContext({ actor, requestId, workspaceId, background: true }), () =>
    orGiveUp(deps, row, () => copyAndOpen(deps, row, process)),
  );
}

async function copyAndOpen(deps: Deps, row: ClaimedClone, process: Process): Promise<void> {
  const { clock, clockPeers, clonePeers, workspaceClones, workspaces } = deps;
  const source = await workspaces.find(row.workspace_id);
  if (!source) return endClone(deps, row, 'its source was deleted');
  // Every service knows that nothing of it may leave, before there is anything of it.
  if (row.sandbox) await clockPeers.move(row._id, 0, new Date(clock.now().getTime() + SANDBOX_MS));
  const order = await orderOf(deps, row, source);
  const isStopping = () => process.isStopping();
  const isThere =
    (await clonePeers.copy(order, 'all but rules', isStopping)) &&
    (await copyMembers(deps, row, isStopping)) &&
    (await clonePeers.copy(order, 'rules', isStopping));
  if (!isThere) return void (await workspaceClones.release(row, clock.now()));
  await openClone(deps, row, translatorOf(order));
}

async function orderOf(
  { clonePeers }: Deps,
  { _id: clone }: ClaimedClone,
  { _id: source, brand, portal }: WorkspaceRow,
): Promise<CopyOrder> {
  const roles = new Map(rolesOf(clone).map(({ name, id }) => [name, id]));
  const renamed = rolesOf(source).map(({ name, id }) => [id, roles.get(name)!] as const);
  const ids = await clonePeers.survey(source, { brand, portal });
  return { source, clone, ids, renamed: new Map(renamed) };
}

/** A fault is tried again as long as it may pass. */
async function orGiveUp(deps: Deps, row: ClaimedClone, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // No room for one more sandbox: nothing that passes by itself.
    if (isRefusedAs(error, platform.conflict)) return endClone(deps, row, error.message);
    if (deps.clock.now().getTime() - row.created_at.getTime() < GIVES_UP_MS) throw error;
    deps.logger.error({ err: error, clone: row._id }, 'a clone is given up');
    await endClone(deps, row, 'it could not be finished within an hour');
  }
}
