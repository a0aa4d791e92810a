import { type CollectionIndexes, type Connection, type Session, StaleWrite } from '@laurel/mongo';
import { type Distribution, OPEN_ENDED } from '../domain/distribution/distribution';

const COLLECTION = 'distributions';
const NEWEST = { date_created: -1, _id: -1 } as const;

export const distributionIndexes: CollectionIndexes = {
  collection: COLLECTION,
  growth: {
    per: 'distribution',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, ...NEWEST }, name: 'newest' },
    { key: { workspace_id: 1, project_id: 1, ...NEWEST }, name: 'of_project' },
    { key: { workspace_id: 1, pass_template_id: 1 }, name: 'of_template' },
    {
      key: { token_sha256: 1 },
      name: 'token_unique',
      unique: true,
      partialFilterExpression: { token_sha256: { $exists: true } },
    },
  ],
};

/** One without a token lacks `token_sha256`, because the unique index covers only documents that have it. */
interface DistributionDocument extends Omit<Distribution, 'id' | 'token_sha256'> {
  _id: string;
  token_sha256?: string;
}

export function createDistributionStore(connection: Connection) {
  const distributions = connection.collection<DistributionDocument>(COLLECTION);

  return {
    async insert(distribution: Distribution, session: Session): Promise<void> {
      await distributions.insertOne(toDocument(distribution), { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Distribution | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      const document = await distributions.findOne(filter, session ? { session } : {});
      return document && toDistribution(document);
    },

    /** By what its page or token says, whatever workspace it is of. */
    async findByDoor(door: { id: string } | { tokenSha256: string }): Promise<Distribution | null> {
      const filter = 'id' in door ? { _id: door.id } : { token_sha256: door.tokenSha256 };
      const document = await distributions.findOne(filter);
      return document && toDistribution(document);
    },

    /** Newest first; of one project where it is named. */
    async list(
      workspaceId: string,
      projectId?: string,
      session?: Session,
    ): Promise<Distribution[]> {
      const filter = {
        workspace_id: workspaceId,
        ...(projectId === undefined ? {} : { project_id: projectId }),
      };
      const rows = await distributions
        .find(filter, session ? { session } : {})
        .sort(NEWEST)
        .toArray();
      return rows.map(toDistribution);
    },

    async hasAny(workspaceId: string): Promise<boolean> {
      const filter = { workspace_id: workspaceId };
      return (await distributions.findOne(filter, { projection: { _id: 1 } })) !== null;
    },

    /** Those that give a template out. */
    async namesOn(
      workspaceId: string,
      templateId: string,
      session: Session,
    ): Promise<{ id: string; name: string }[]> {
      const filter = { workspace_id: workspaceId, pass_template_id: templateId };
      const options = { session, projection: { name: 1 } };
      const rows = await distributions.find(filter, options).sort(NEWEST).toArray();
      return rows.map(({ _id: id, name }) => ({ id, name }));
    },

    /** Gives out another template, of whatever project it is, wherever this one was given out. */
    async moveToTemplate(
      workspaceId: string,
      templateId: string,
      target: { id: string; project_id: string },
      session: Session,
    ): Promise<void> {
      await distributions.updateMany(
        { workspace_id: workspaceId, pass_template_id: templateId },
        {
          $set: { pass_template_id: target.id, project_id: target.project_id },
          $inc: { revision: 1 },
        },
        { session },
      );
    },

    /** Writes the next revision. Throws StaleWrite when it is no longer the one that was read. */
    async replace(distribution: Distribution, session: Session): Promise<void> {
      const { id, workspace_id, revision } = distribution;
      const document = toDocument({ ...distribution, revision: revision + 1 });
      const filter = { _id: id, workspace_id, revision };
      const { matchedCount } = await distributions.replaceOne(filter, document, { session });
      if (matchedCount === 0) throw new StaleWrite('the distribution');
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId };
      return (await distributions.deleteOne(filter, { session })).deletedCount === 1;
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await distributions.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function toDocument({ id, token_sha256, ...columns }: Distribution): DistributionDocument {
  return { _id: id, ...columns, ...(token_sha256 === null ? {} : { token_sha256 }) };
}

function toDistribution({ _id, token_sha256, ...columns }: DistributionDocument): Distribution {
  return { ...OPEN_ENDED, ...columns, id: _id, token_sha256: token_sha256 ?? null };
}
