import { Refusal } from '@laurel/errors';
import { runInContext, systemContext } from '@laurel/lifecycle';
import type { Again, Room } from '@laurel/work';
import type { Deps } from '../deps';
import { launchInTime } from './launch-campaign';

/** Some of every workspace each time: many that cannot be launched stand in the way of their own only. */
const ROOM: Room = { count: 50, share: 5, inHand: new Map() };
const RETRY_MS = 2_000;

/** Launches the scheduled campaigns whose time has come, or came while no worker ran. */
export async function launchDue(deps: Deps): Promise<Again> {
  const due = await deps.campaigns.findDue(deps.clock.now(), ROOM);
  let launched = 0;
  for (const campaign of due) {
    const { workspace_id, id } = campaign;
    const context = systemContext({ workspaceId: workspace_id, background: true });
    const isLaunched = await runInContext(context, () => launchQuietly(deps, { workspace_id, id }));
    if (isLaunched) launched += 1;
  }
  return { more: launched > 0 };
}

async function launchQuietly(
  deps: Deps,
  request: { workspace_id: string; id: string },
): Promise<boolean> {
  try {
    await launchInTime(deps, request);
    return true;
  } catch (error) {
    // Another replica was faster, or somebody unscheduled, moved or cancelled it.
    if (error instanceof Refusal && [404, 409].includes(error.httpStatus)) return false;
    deps.logger.warn({ err: error, campaign: request.id }, 'a campaign could not be launched yet');
    deps.campaigns.launches.wake(undefined, new Date(deps.clock.now().getTime() + RETRY_MS));
    return false;
  }
}
