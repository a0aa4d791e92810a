import { randomInt } from 'node:crypto';
import { type CollectionIndexes, type Connection, type Session, StaleWrite } from '@laurel/mongo';
import type { Room } from '@laurel/work';
import { createTurns, dueIndex } from '@laurel/work';
import type { Template } from '../domain/template/template';

const COLLECTION = 'pass_templates';
const DOORS = 'template_doors';
const ABANDONED = { column: 'date_updated', where: { migrating_to: { $exists: true } } };
/** Passes come to one template from many sides at once; each goes through one of so many doors. */
const DOORS_PER_TEMPLATE = 8;

export const templateIndexes: readonly CollectionIndexes[] = [
  {
    collection: COLLECTION,
    growth: {
      per: 'template',
      end: 'stays: what a workspace has set up',
      shardKey: 'whole',
    },
    indexes: [
      { key: { workspace_id: 1, date_created: -1, _id: -1 }, name: 'newest' },
      { key: { workspace_id: 1, project_id: 1, date_created: -1, _id: -1 }, name: 'of_project' },
      {
        key: { migrating_to: 1 },
        name: 'migrating',
        partialFilterExpression: { migrating_to: { $exists: true } },
      },
      dueIndex(ABANDONED),
    ],
  },
  {
    collection: DOORS,
    growth: {
      per: 'template',
      end: 'stays: what a workspace has set up',
      shardKey: 'whole',
    },
    indexes: [{ key: { workspace_id: 1, template_id: 1 }, name: 'of_template' }],
  },
];

interface TemplateDocument extends Omit<Template, 'id' | 'migrating_to'> {
  _id: string;
  /** Absent rather than null, because the index covers only documents that have it. */
  migrating_to?: string;
}
interface DoorDocument {
  _id: string;
  workspace_id: string;
  template_id: string;
  entries: number;
}

/**
 * Templates and their doors. Whoever puts a pass on a template writes to one of its doors in the same transaction, and
 * whoever deletes it takes the doors away first: the two cannot both commit, however they race.
 */
export function createTemplateStore(connection: Connection) {
  const abandonedInTurns = createTurns(connection, COLLECTION, ABANDONED);
  const templates = connection.collection<TemplateDocument>(COLLECTION);
  const doors = connection.collection<DoorDocument>(DOORS);

  return {
    async insert(template: Template, session: Session): Promise<void> {
      await templates.insertOne(toDocument(template), { session });
      await this.openDoors(template.workspace_id, template.id, session);
    },

    async openDoors(workspace_id: string, id: string, session: Session): Promise<void> {
      const rows = Array.from({ length: DOORS_PER_TEMPLATE }, (_, index) => ({
        _id: doorId(id, index),
        workspace_id,
        template_id: id,
        entries: 0,
      }));
      await doors.insertMany(rows, { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Template | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      const document = await templates.findOne(filter, session ? { session } : {});
      return document && toTemplate(document);
    },

    async findMany(workspaceId: string, ids: readonly string[]): Promise<Template[]> {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      return (await templates.find(filter).toArray()).map(toTemplate);
    },

    /** When each of some templates was last changed, whatever workspace it is of. */
    async changedAt(ids: readonly string[]): Promise<Map<string, Date>> {
      const projection = { date_updated: 1 };
      const rows = await templates.find({ _id: { $in: [...ids] } }, { projection }).toArray();
      return new Map(rows.map((row) => [row._id, row.date_updated]));
    },

    /** Newest first; of one project where it is named. */
    async list(workspaceId: string, projectId?: string, session?: Session): Promise<Template[]> {
      const filter = {
        workspace_id: workspaceId,
        ...(projectId === undefined ? {} : { project_id: projectId }),
      };
      const rows = await templates
        .find(filter, session ? { session } : {})
        .sort({ date_created: -1, _id: -1 })
        .toArray();
      return rows.map(toTemplate);
    },

    async hasAny(workspaceId: string): Promise<boolean> {
      const filter = { workspace_id: workspaceId };
      return (await templates.findOne(filter, { projection: { _id: 1 } })) !== null;
    },

    async countOfProject(workspaceId: string, projectId: string): Promise<number> {
      return templates.countDocuments({ workspace_id: workspaceId, project_id: projectId });
    },

    /** Which workspace a template belongs to; null where there is none of that id. */
    async workspaceOf(id: string): Promise<string | null> {
      const row = await templates.findOne({ _id: id }, { projection: { workspace_id: 1 } });
      return row?.workspace_id ?? null;
    },

    /** Writes the next revision. Throws StaleWrite when it is no longer the one that was read. */
    async replace(template: Template, session: Session): Promise<void> {
      const { id, workspace_id, revision } = template;
      const document = toDocument({ ...template, revision: revision + 1 });
      const filter = { _id: id, workspace_id, revision };
      const { matchedCount } = await templates.replaceOne(filter, document, { session });
      if (matchedCount === 0) throw new StaleWrite('the pass template');
    },

    /** Lets a pass in; false where the template is gone or is being deleted. */
    async enter(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const filter = { _id: doorId(id, randomInt(DOORS_PER_TEMPLATE)), workspace_id: workspaceId };
      const { matchedCount } = await doors.updateOne(filter, { $inc: { entries: 1 } }, { session });
      return matchedCount === 1;
    },

    /** Lets no pass in any more, from the moment of the commit. */
    async closeDoors(workspaceId: string, id: string, session: Session): Promise<void> {
      await doors.deleteMany({ workspace_id: workspaceId, template_id: id }, { session });
    },

    /** Whether passes are being moved to the template. */
    async isTarget(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const filter = { migrating_to: { $exists: true, $eq: id }, workspace_id: workspaceId };
      return (await templates.findOne(filter, { session, projection: { _id: 1 } })) !== null;
    },

    /** Templates whose passes were being moved by somebody who has not been heard of since `before`; in turns. */
    async listAbandoned(before: Date, room: Room): Promise<Template[]> {
      const ids = (await abandonedInTurns(before, room)).map(({ id }) => id);
      if (ids.length === 0) return [];
      return (await templates.find({ _id: { $in: ids } }).toArray()).map(toTemplate);
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId };
      return (await templates.deleteOne(filter, { session })).deletedCount === 1;
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await doors.deleteMany({ workspace_id: workspaceId });
      await templates.deleteMany({ workspace_id: workspaceId });
    },
  };
}

const doorId = (templateId: string, index: number): string => `${templateId}:${index}`;

function toDocument({ id, migrating_to, ...columns }: Template): TemplateDocument {
  return { _id: id, ...columns, ...(migrating_to === null ? {} : { migrating_to }) };
}

function toTemplate({ _id, ...columns }: TemplateDocument): Template {
  const later = { expires_after_days: columns.expires_after_days ?? null };
  return { ...columns, ...later, id: _id, migrating_to: columns.migrating_to ?? null };
}
