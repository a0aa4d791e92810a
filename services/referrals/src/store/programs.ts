import { type Connection, collection, type Session, StaleWrite } from '@laurel/mongo';
import { type Program, sinceEver } from '../domain/program';

interface ProgramDocument extends Omit<Program, 'id'> {
  _id: string;
  /** There until the program is deleted: what the unique index is made of. */
  live?: true;
  /** There once it is deleted, until its pending referrals are closed for good. */
  deleted_at?: Date;
  revision: number;
}

export const programs = collection<ProgramDocument>('programs', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: { copied: 'all', but: (row) => (row.live ? sinceEver(row) : null) },
  growth: {
    per: 'programme',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [
    {
      key: { workspace_id: 1, live: 1 },
      name: 'live_unique',
      unique: true,
      partialFilterExpression: { live: true },
    },
    {
      key: { deleted_at: 1 },
      name: 'deleted',
      partialFilterExpression: { deleted_at: { $exists: true } },
    },
  ],
});

export interface StoredProgram extends Program {
  revision: number;
}

export interface DeletedProgram {
  id: string;
  workspaceId: string;
  deletedAt: Date;
}

/** One live program per workspace, and the deleted ones that something is still to be done about. */
export function createProgramStore(connection: Connection) {
  const rows = programs.open(connection);

  return {
    async find(workspaceId: string, session?: Session): Promise<StoredProgram | null> {
      const filter = { live: true as const };
      const document = await rows.of(workspaceId).findOne(filter, { session });
      return document && toProgram(document);
    },

    /** Fails as a duplicate key when the workspace has a program already. */
    async insert({ id, ...columns }: Program, session: Session): Promise<void> {
      await rows.insertOne({ _id: id, ...columns, live: true, revision: 1 }, { session });
    },

    /** Throws StaleWrite when the program is no longer the one that was read. */
    async replace({ id, revision, ...columns }: StoredProgram, session: Session): Promise<void> {
      const filter = { _id: id, revision, live: true as const };
      const change = { $set: { ...columns, revision: revision + 1 } };
      const own = rows.of(columns.workspace_id);
      const { matchedCount } = await own.updateOne(filter, change, { session });
      if (matchedCount === 0) throw new StaleWrite('the program');
    },

    /** From here on the workspace has no program. Throws StaleWrite when it is no longer the one that was read. */
    async retire(
      { id, workspace_id, revision }: StoredProgram,
      now: Date,
      session?: Session,
    ): Promise<void> {
      const change = {
        $unset: { live: '' as const },
        $set: { deleted_at: now },
        $inc: { revision: 1 },
      };
      const filter = { _id: id, revision, live: true as const };
      const { matchedCount } = await rows.of(workspace_id).updateOne(filter, change, { session });
      if (matchedCount === 0) throw new StaleWrite('the program');
    },

    async findDeleted(limit: number): Promise<DeletedProgram[]> {
      const filter = { deleted_at: { $exists: true } };
      const documents = await rows.ofEverybody.find(filter).limit(limit).toArray();
      return documents.map((document) => ({
        id: document._id,
        workspaceId: document.workspace_id,
        deletedAt: document.deleted_at!,
      }));
    },

    async removeDeleted(workspaceId: string, id: string): Promise<void> {
      const filter = { _id: id, deleted_at: { $exists: true } };
      await rows.of(workspaceId).deleteOne(filter);
    },

    /** A distribution is gone: programs that built their links on it have none. */
    async dropDistribution(
      workspaceId: string,
      distributionId: string,
      session: Session,
    ): Promise<void> {
      await rows
        .of(workspaceId)
        .updateMany(
          { distribution_id: distributionId },
          { $set: { distribution_id: null }, $inc: { revision: 1 } },
          { session },
        );
    },
  };
}

function toProgram({ _id, live: _live, deleted_at: _deleted, ...columns }: ProgramDocument) {
  return { ...columns, id: _id };
}
