import { type Connection, collection, type Session } from '@laurel/mongo';
import type { RetiredPass } from '../domain/pass/retirement';

export const retiredPasses = collection<RetiredPassDocument>('retired_passes', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: it is of passes, which are of clients',
  growth: {
    per: 'pass that ended',
    end: '30 days, as long as phones show the empty card',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { until: 1 }, name: 'ending' },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
});

interface RetiredPassDocument {
  _id: string;
  workspace_id: string;
  template_id: string;
  link_generation?: number;
  look: RetiredPass['look'];
  retired_at: Date;
  until: Date;
}

/** Passes that ended with their client or were deleted: what the empty card on phones is drawn from, and nothing else. */
export function createRetiredPassStore(connection: Connection) {
  const rows = retiredPasses.open(connection);

  return {
    /** The first end of a pass counts: deleting it later does not start the days again. */
    async insert(
      { passId, workspaceId, templateId, linkGeneration = 0, look, retiredAt, until }: RetiredPass,
      session: Session,
    ): Promise<void> {
      const first = {
        template_id: templateId,
        link_generation: linkGeneration,
        look,
        retired_at: retiredAt,
        until,
      };
      await rows
        .of(workspaceId)
        .updateOne({ _id: passId }, { $setOnInsert: first }, { upsert: true, session });
    },

    /** Whatever its workspace: for the holder of a credential of the pass itself. */
    async locate(passId: string, now: Date): Promise<RetiredPass | null> {
      const row = await rows.ofEverybody.findOne({ _id: passId, until: { $gt: now } });
      return row && toRetiredPass(row);
    },

    async listEnded(now: Date, max: number): Promise<RetiredPass[]> {
      const found = rows.ofEverybody.find({ until: { $lte: now } }).limit(max);
      return (await found.toArray()).map(toRetiredPass);
    },

    /** Passes that are known of for longer than until a time. */
    async *idsBeyond(until: Date): AsyncGenerator<string> {
      const options = { projection: { _id: 1 } };
      for await (const { _id } of rows.ofEverybody.find({ until: { $gt: until } }, options))
        yield _id;
    },

    async remove(workspaceId: string, passId: string): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: passId });
    },
  };
}

function toRetiredPass(row: RetiredPassDocument): RetiredPass {
  return {
    passId: row._id,
    workspaceId: row.workspace_id,
    templateId: row.template_id,
    linkGeneration: row.link_generation ?? 0,
    look: row.look,
    retiredAt: row.retired_at,
    until: row.until,
  };
}
