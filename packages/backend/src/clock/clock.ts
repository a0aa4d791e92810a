import type { Broker } from '@laurel/events';
import type { Connection } from '@laurel/mongo';
import type { Handlers } from '@laurel/rpc';
import type { Broadcast } from '@laurel/work';
import { createSandboxes } from './sandboxes';
import { type Surveyed, standingOf } from './standing';
import { createTally, type StoredTally } from './tally';

/** What a service knows of the clocks of sandboxes (docs/adr/0029). */
export interface SandboxClock {
  tally: StoredTally;
  handlers(surveyed: Omit<Surveyed, 'tally'>): Handlers<'clock'>;
  stop(): void;
}

/** Takes note of the sandboxes that the service knew before, and of those that its replicas hear of. */
export async function followSandboxes(
  connection: Connection,
  broadcast: Broadcast,
  broker: Broker,
): Promise<SandboxClock> {
  const sandboxes = createSandboxes(connection, broadcast);
  const stop = sandboxes.follow(broker);
  await sandboxes.load();
  const tally = createTally(connection, (workspaceId) => sandboxes.end(workspaceId));
  return {
    tally,
    stop,
    handlers: (surveyed) => ({
      async Move({ workspace_id, ahead_ms, ends_at }) {
        await sandboxes.move(workspace_id, ahead_ms, new Date(ends_at));
        return {};
      },
      Look: ({ workspace_id, until }) =>
        standingOf({ ...surveyed, tally }, workspace_id, new Date(until)),
    }),
  };
}
