import type { JsonObject } from '@laurel/errors';
import {
  type Connection,
  collection,
  KEY_INDEX,
  type Session,
  StaleWrite,
  withoutMissingKey,
} from '@laurel/mongo';
import { freeMembers, type Project } from '../domain/project/project';

export const projects = collection<ProjectDocument>('projects', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
  growth: {
    per: 'project',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1, date_created: -1, _id: -1 }, name: 'newest' }, KEY_INDEX],
});

/** Free members are kept as text: their names may be anything, those of stored members may not. */
interface ProjectDocument extends Omit<Project, 'id' | 'extra'> {
  _id: string;
  extra_json: string;
}

export function createProjectStore(connection: Connection) {
  const rows = projects.open(connection);

  return {
    async insert(project: Project, session: Session): Promise<void> {
      await rows.insertOne(toDocument(project), { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Project | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document && toProject(document);
    },

    async findMany(workspaceId: string, ids: readonly string[]): Promise<Project[]> {
      const found = rows.of(workspaceId).find({ _id: { $in: [...ids] } });
      return (await found.toArray()).map(toProject);
    },

    /** Newest first. */
    async list(workspaceId: string): Promise<Project[]> {
      const found = rows.of(workspaceId).find().sort({ date_created: -1, _id: -1 });
      return (await found.toArray()).map(toProject);
    },

    /** Which workspace a project belongs to; null where there is none of that id. */
    async workspaceOf(id: string): Promise<string | null> {
      const row = await rows.ofEverybody.findOne({ _id: id }, { projection: { workspace_id: 1 } });
      return row?.workspace_id ?? null;
    },

    /** Writes the next revision. Throws StaleWrite when it is no longer the one that was read. */
    async replace(project: Project, session: Session): Promise<void> {
      const { id, workspace_id, revision } = project;
      const document = toDocument({ ...project, revision: revision + 1 });
      const filter = { _id: id, revision };
      const own = rows.of(workspace_id);
      const { matchedCount } = await own.replaceOne(filter, document, { session });
      if (matchedCount === 0) throw new StaleWrite('the project');
    },

    /** Writes to the project so that it cannot be deleted at the same moment; false where it is gone. */
    async touch(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const { matchedCount } = await rows
        .of(workspaceId)
        .updateOne({ _id: id }, { $inc: { revision: 1 } }, { session });
      return matchedCount === 1;
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      return (await rows.of(workspaceId).deleteOne({ _id: id }, { session })).deletedCount === 1;
    },
  };
}

function toDocument({ id, extra, ...columns }: Project): ProjectDocument {
  return { ...withoutMissingKey(columns), _id: id, extra_json: JSON.stringify(extra) };
}

function toProject({ _id, extra_json, ...columns }: ProjectDocument): Project {
  return { ...columns, id: _id, extra: freeMembers(JSON.parse(extra_json) as JsonObject) };
}
