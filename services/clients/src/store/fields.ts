import { type Connection, collection, type Session, StaleWrite } from '@laurel/mongo';
import type { FieldDefinition } from '../domain/data-model';

type FieldDocument = Omit<FieldDefinition, 'id' | 'is_system'> & { _id: string };

export const fields = collection<FieldDocument>('field_definitions', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
  growth: {
    per: 'field',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1, field_name: 1 }, name: 'name_unique', unique: true }],
});

/** The custom fields that workspaces defined. System fields are the same everywhere and not stored. */
export function createFieldStore(connection: Connection) {
  const rows = fields.open(connection);

  return {
    async list(workspaceId: string, session?: Session): Promise<FieldDefinition[]> {
      const own = await rows.of(workspaceId).find({}, { session }).toArray();
      return own.map(fromDocument).sort(bySortOrder);
    },

    async find(
      workspaceId: string,
      id: string,
      session?: Session,
    ): Promise<FieldDefinition | null> {
      const row = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return row && fromDocument(row);
    },

    /** Fails as a duplicate key when the name is taken. */
    async insert(field: FieldDefinition, session: Session): Promise<void> {
      await rows.insertOne(toDocument(field), { session });
    },

    async replace(field: FieldDefinition, session: Session): Promise<void> {
      const { _id, ...columns } = toDocument(field);
      const own = rows.of(field.workspace_id);
      const { matchedCount } = await own.replaceOne({ _id }, columns, { session });
      if (matchedCount === 0) throw new StaleWrite('the field');
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      return (await rows.of(workspaceId).deleteOne({ _id: id }, { session })).deletedCount > 0;
    },
  };
}

function bySortOrder(a: FieldDefinition, b: FieldDefinition): number {
  return a.sort_order - b.sort_order || (a.id < b.id ? -1 : 1);
}

function toDocument({ id, is_system: _system, ...columns }: FieldDefinition): FieldDocument {
  return { _id: id, ...columns };
}

function fromDocument({ _id, ...columns }: FieldDocument): FieldDefinition {
  return { id: _id, ...columns, is_system: false };
}
