import type { Broker } from '@laurel/events';
import { forgetSandbox, mayFail, noteSandbox } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection } from '@laurel/mongo';
import type { Broadcast } from '@laurel/work';

const COLLECTION = 'sandboxes';
/** How long after its end a sandbox of whose deletion no word came is remembered. */
const REMEMBERED_SECONDS = 3_600;
const MOVED = 'sandbox-moved';
const ENDED = 'sandbox-ended';

interface SandboxRow {
  _id: string;
  ahead_ms: number;
  ends_at: Date;
}

export const sandboxIndexes: CollectionIndexes = {
  collection: COLLECTION,
  growth: {
    per: 'sandbox',
    end: 'an hour after it ended',
    shardKey: 'whole',
  },
  indexes: [{ key: { ends_at: 1 }, name: 'ended', expireAfterSeconds: REMEMBERED_SECONDS }],
};

/** The sandboxes that a service knows, in its own database, so that it knows them after a restart. */
export interface Sandboxes {
  move(workspaceId: string, aheadMs: number, endsAt: Date): Promise<void>;
  end(workspaceId: string): Promise<void>;
  /** Takes note of what is stored; before anything is begun. */
  load(): Promise<void>;
  /** Hears what replicas take note of, and reads it again after each time that nothing could be heard. Returns how to end that. */
  follow(broker: Broker): () => void;
}

export function createSandboxes(connection: Connection, broadcast: Broadcast): Sandboxes {
  const rows = connection.collection<SandboxRow>(COLLECTION);

  async function load(): Promise<void> {
    for await (const { _id, ahead_ms } of rows.find()) noteSandbox(_id, ahead_ms);
  }

  function hear(topic: string): void {
    const [what, workspaceId, aheadMs] = topic.split(' ');
    if (what === MOVED) noteSandbox(workspaceId!, Number(aheadMs));
    else if (what === ENDED) forgetSandbox(workspaceId!);
  }

  return {
    load,

    async move(workspaceId, aheadMs, endsAt) {
      await rows.updateOne(
        { _id: workspaceId },
        { $max: { ahead_ms: aheadMs }, $set: { ends_at: endsAt } },
        { upsert: true },
      );
      noteSandbox(workspaceId, aheadMs);
      broadcast.send(`${MOVED} ${workspaceId} ${aheadMs}`);
    },

    async end(workspaceId) {
      await rows.deleteOne({ _id: workspaceId });
      forgetSandbox(workspaceId);
      broadcast.send(`${ENDED} ${workspaceId}`);
    },

    follow(broker) {
      const ends = [
        broadcast.listen(hear),
        broker.onConnected(
          () => void load().catch(mayFail('it is loaded anew when a clock moves')),
        ),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
