import {
  type Connection,
  collection,
  KEY_INDEX,
  type Rows,
  type Session,
  StaleWrite,
  withoutMissingKey,
} from '@laurel/mongo';
import { type Distribution, OPEN_ENDED } from '../domain/distribution/distribution';
import { createProjectLists, NEWEST } from './project-lists';

export const distributions = collection<DistributionDocument>('distributions', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: { copied: 'all', but: withoutToken },
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
    KEY_INDEX,
  ],
});

/** One without a token lacks `token_sha256`, because the unique index covers only documents that have it. */
interface DistributionDocument extends Omit<Distribution, 'id' | 'token_sha256'> {
  _id: string;
  token_sha256?: string;
}

/** A token is of one form; that of a clone is made when somebody asks for it. */
function withoutToken({
  token_sha256: _token,
  ...row
}: DistributionDocument): DistributionDocument {
  return { ...row, token_prefix: null };
}

export function createDistributionStore(connection: Connection) {
  const rows = distributions.open(connection);
  return {
    ...createSingleDistributions(rows),
    ...createProjectLists(rows, toDistribution),
    ...createDistributionsOnTemplates(rows),
  };
}

function createSingleDistributions(rows: Rows<DistributionDocument>) {
  return {
    async insert(distribution: Distribution, session: Session): Promise<void> {
      await rows.insertOne(toDocument(distribution), { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Distribution | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document && toDistribution(document);
    },

    /** By what its page or token says, whatever workspace it is of. */
    async findByDoor(door: { id: string } | { tokenSha256: string }): Promise<Distribution | null> {
      const filter = 'id' in door ? { _id: door.id } : { token_sha256: door.tokenSha256 };
      const document = await rows.ofEverybody.findOne(filter);
      return document && toDistribution(document);
    },

    /** Writes the next revision. Throws StaleWrite when it is no longer the one that was read. */
    async replace(distribution: Distribution, session: Session): Promise<void> {
      const { id, workspace_id, revision } = distribution;
      const document = toDocument({ ...distribution, revision: revision + 1 });
      const filter = { _id: id, revision };
      const own = rows.of(workspace_id);
      const { matchedCount } = await own.replaceOne(filter, document, { session });
      if (matchedCount === 0) throw new StaleWrite('the distribution');
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      return (await rows.of(workspaceId).deleteOne({ _id: id }, { session })).deletedCount === 1;
    },
  };
}

function createDistributionsOnTemplates(rows: Rows<DistributionDocument>) {
  return {
    /** Those that give a template out. */
    async namesOn(
      workspaceId: string,
      templateId: string,
      session: Session,
    ): Promise<{ id: string; name: string }[]> {
      const options = { session, projection: { name: 1 } };
      const found = rows.of(workspaceId).find({ pass_template_id: templateId }, options);
      return (await found.sort(NEWEST).toArray()).map(({ _id: id, name }) => ({ id, name }));
    },

    /** Gives out another template, of whatever project it is, wherever this one was given out. */
    async moveToTemplate(
      workspaceId: string,
      { from, target }: { from: string; target: { id: string; project_id: string } },
      session: Session,
    ): Promise<void> {
      await rows.of(workspaceId).updateMany(
        { pass_template_id: from },
        {
          $set: { pass_template_id: target.id, project_id: target.project_id },
          $inc: { revision: 1 },
        },
        { session },
      );
    },
  };
}

function toDocument({ id, token_sha256, ...columns }: Distribution): DistributionDocument {
  const document = { ...withoutMissingKey(columns), _id: id };
  return { ...document, ...(token_sha256 === null ? {} : { token_sha256 }) };
}

function toDistribution({ _id, token_sha256, ...columns }: DistributionDocument): Distribution {
  return { ...OPEN_ENDED, ...columns, id: _id, token_sha256: token_sha256 ?? null };
}
