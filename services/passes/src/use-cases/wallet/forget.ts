import type { EventOf } from '@laurel/events';
import { inPages } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { WalletDeps } from '../../deps';
import { RETIRED_DAYS, type RetiredPass } from '../../domain/pass/retirement';

const ENDED_PER_RUN = 100;
const DAY_MS = 86_400_000;
/** Twice the time between two runs. */
const SILENCED_MS = 2 * 3_600_000;
const SILENCED_AT_ONCE = 500;

/** A deleted pass is counted on no device any more; what phones need for the empty card stays until its days are over. */
export async function forgetPass(
  { installs }: Pick<WalletDeps, 'installs'>,
  { workspaceid, data: { pass_id: passId } }: EventOf<'passes.pass_deleted'>,
): Promise<void> {
  await installs.remove(workspaceid, passId);
}

/** Removes everything held of passes that were gone 30 days ago; phones that still ask are refused from then on. */
export async function forgetRetiredPasses(deps: WalletDeps): Promise<{ more: boolean }> {
  const ended = await deps.retiredPasses.listEnded(deps.clock.now(), ENDED_PER_RUN);
  for (const { workspaceId, passId } of ended) {
    await forgetDevices(deps, { workspaceId, passId });
    for (const store of [deps.googleObjects, deps.contents, deps.passUpdates, deps.retiredPasses])
      await store.remove(workspaceId, passId);
  }
  return { more: ended.length === ENDED_PER_RUN };
}

/**
 * Takes away the texts that wait on passes whose client was anonymized in the last hours: a replica of the release before
 * knows of none that wait, and leaves them (docs/adr/0047).
 */
export async function silenceRetiredPasses({
  clock,
  passes,
  retiredPasses,
}: Pick<WalletDeps, 'clock' | 'passes' | 'retiredPasses'>): Promise<void> {
  const since = new Date(clock.now().getTime() - SILENCED_MS + RETIRED_DAYS * DAY_MS);
  for await (const ids of inPages(retiredPasses.idsBeyond(since), SILENCED_AT_ONCE))
    await passes.silenceRetired(ids);
}

/** The pass of a client who was anonymized is there still, and would be counted on devices that nothing is heard of any more. */
async function forgetDevices(
  { connection, installs, passes, registrations }: WalletDeps,
  { workspaceId, passId }: Pick<RetiredPass, 'workspaceId' | 'passId'>,
): Promise<void> {
  await unitOfWork(connection, async (session) => {
    await registrations.removeOfPass(workspaceId, passId, session);
    await installs.remove(workspaceId, passId, session);
    await passes.takeOffWallets(workspaceId, passId, session);
  });
}
