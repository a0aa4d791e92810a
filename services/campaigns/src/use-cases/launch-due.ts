import { Refusal } from '@laurel/errors';
import { type Room, runInContext, systemContext } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { launch } from './launch-campaign';

/** Some of every workspace each time: many that cannot be launched stand in the way of their own only. */
const ROOM: Room = { count: 50, share: 5, inHand: new Map() };

/** Launches the scheduled campaigns whose time has come, or came while nobody was there. */
export async function launchDue(deps: Deps): Promise<{ more: boolean }> {
  const due = await deps.campaigns.findDue(deps.clock.now(), ROOM);
  for (const campaign of due) {
    const { workspace_id, id } = campaign;
    const context = systemContext({ workspaceId: workspace_id, background: true });
    await runInContext(context, () => launchQuietly(deps, { workspace_id, id }));
  }
  return { more: false };
}

async function launchQuietly(
  deps: Deps,
  request: { workspace_id: string; id: string },
): Promise<void> {
  try {
    await launch(deps, request);
  } catch (error) {
    // Another replica was faster, or somebody unscheduled or cancelled it.
    if (error instanceof Refusal && [404, 409].includes(error.httpStatus)) return;
    deps.logger.warn({ err: error, campaign: request.id }, 'a campaign could not be launched yet');
  }
}
