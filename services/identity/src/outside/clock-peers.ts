import type { RpcClient } from '@laurel/rpc';
import type { Answer } from '../domain/sandbox';

export interface ClockPeer {
  service: string;
  client: Pick<RpcClient<'clock'>, 'Move' | 'Look'>;
}

/** Every service behind the gateway, as far as the clocks of sandboxes need them (docs/adr/0029). */
export interface ClockPeers {
  /** Tells all of them; rejects where one was out of reach. Telling again changes nothing. */
  move(workspaceId: string, aheadMs: number, endsAt: Date): Promise<void>;
  /** Asks all of them what is left to do, and what is due next until a time. */
  look(workspaceId: string, until: Date): Promise<Answer[]>;
}

export function createClockPeers(peers: readonly ClockPeer[]): ClockPeers {
  return {
    async move(workspaceId, aheadMs, endsAt) {
      const told = { workspace_id: workspaceId, ahead_ms: aheadMs, ends_at: endsAt.toISOString() };
      await Promise.all(peers.map(({ client }) => client.Move(told)));
    },
    look: (workspaceId, until) =>
      Promise.all(
        peers.map(async ({ service, client }) => {
          const asked = { workspace_id: workspaceId, until: until.toISOString() };
          return { service, standing: await client.Look(asked).catch(() => null) };
        }),
      ),
  };
}
