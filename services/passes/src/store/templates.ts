import {
  type Connection,
  collection,
  KEY_INDEX,
  type Rows,
  type Session,
  StaleWrite,
  withoutMissingKey,
} from '@laurel/mongo';
import { createTurns, dueIndex, type Room } from '@laurel/work';
import type { Template } from '../domain/template/template';
import { createProjectLists, NEWEST } from './project-lists';
import { createTemplateDoors } from './template-doors';

const ABANDONED = { column: 'date_updated', where: { migrating_to: { $exists: true } } };

interface TemplateDocument extends Omit<Template, 'id' | 'migrating_to'> {
  _id: string;
  /** Absent rather than null, because the index covers only documents that have it. */
  migrating_to?: string;
}

export const templates = collection<TemplateDocument>('pass_templates', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: { copied: 'all', but: inUse, inner: fieldIds },
  growth: {
    per: 'template',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, ...NEWEST }, name: 'newest' },
    { key: { workspace_id: 1, project_id: 1, ...NEWEST }, name: 'of_project' },
    {
      key: { migrating_to: 1 },
      name: 'migrating',
      partialFilterExpression: { migrating_to: { $exists: true } },
    },
    dueIndex(ABANDONED),
    KEY_INDEX,
  ],
});

/** Phones know the fields of a card by them. */
function fieldIds({ front_fields, secondary_fields, back_fields }: TemplateDocument): string[] {
  return [...front_fields, ...secondary_fields, ...back_fields].map(({ id }) => id);
}

/** There are no passes to be moved in a clone. */
function inUse({ migrating_to: _target, ...row }: TemplateDocument): TemplateDocument {
  return { ...row, migrated: 0 };
}

/** Templates and their doors: one that is there has all of its doors, until it is deleted. */
export function createTemplateStore(connection: Connection) {
  const rows = templates.open(connection);
  const doors = createTemplateDoors(connection);

  return {
    ...doors,
    ...createMigrations(connection, rows),
    ...createProjectLists(rows, toTemplate),
    ...createTemplateReadings(rows),

    async insert(template: Template, session: Session): Promise<void> {
      await rows.insertOne(toDocument(template), { session });
      await doors.openDoors(template.workspace_id, template.id, session);
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Template | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document && toTemplate(document);
    },

    /** Which workspace a template belongs to; null where there is none of that id. */
    async workspaceOf(id: string): Promise<string | null> {
      const options = { projection: { workspace_id: 1 } };
      return (await rows.ofEverybody.findOne({ _id: id }, options))?.workspace_id ?? null;
    },

    /** Writes the next revision. Throws StaleWrite when it is no longer the one that was read. */
    async replace(template: Template, session: Session): Promise<void> {
      const { id, workspace_id, revision } = template;
      const document = toDocument({ ...template, revision: revision + 1 });
      const own = rows.of(workspace_id);
      const { matchedCount } = await own.replaceOne({ _id: id, revision }, document, { session });
      if (matchedCount === 0) throw new StaleWrite('the pass template');
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      return (await rows.of(workspaceId).deleteOne({ _id: id }, { session })).deletedCount === 1;
    },
  };
}

function createTemplateReadings(rows: Rows<TemplateDocument>) {
  return {
    async findMany(workspaceId: string, ids: readonly string[]): Promise<Template[]> {
      const found = rows.of(workspaceId).find({ _id: { $in: [...ids] } });
      return (await found.toArray()).map(toTemplate);
    },

    /** When each of some templates was last changed, whatever workspace it is of. */
    async changedAt(ids: readonly string[]): Promise<Map<string, Date>> {
      const options = { projection: { date_updated: 1 } };
      const found = rows.ofEverybody.find({ _id: { $in: [...ids] } }, options);
      return new Map((await found.toArray()).map((row) => [row._id, row.date_updated]));
    },

    countOfProject: (workspaceId: string, projectId: string): Promise<number> =>
      rows.of(workspaceId).count({ project_id: projectId }),
  };
}

/** Templates whose passes are being moved to another one. */
function createMigrations(connection: Connection, rows: Rows<TemplateDocument>) {
  const abandonedInTurns = createTurns(connection, templates.collection, ABANDONED);

  return {
    /** Whether passes are being moved to the template. */
    isTarget: (workspaceId: string, id: string, session: Session): Promise<boolean> =>
      rows.of(workspaceId).has({ migrating_to: { $exists: true, $eq: id } }, { session }),

    /** Templates whose passes were being moved by somebody who has not been heard of since `before`; in turns. */
    async listAbandoned(before: Date, room: Room): Promise<Template[]> {
      const ids = (await abandonedInTurns(before, room)).map(({ id }) => id);
      if (ids.length === 0) return [];
      return (await rows.ofEverybody.find({ _id: { $in: ids } }).toArray()).map(toTemplate);
    },
  };
}

function toDocument({ id, migrating_to, ...columns }: Template): TemplateDocument {
  const document = { ...withoutMissingKey(columns), _id: id };
  return { ...document, ...(migrating_to === null ? {} : { migrating_to }) };
}

function toTemplate({ _id, ...columns }: TemplateDocument): Template {
  const later = { expires_after_days: columns.expires_after_days ?? null };
  return { ...columns, ...later, id: _id, migrating_to: columns.migrating_to ?? null };
}
