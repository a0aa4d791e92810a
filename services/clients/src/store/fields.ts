import { type CollectionIndexes, type Connection, type Session, StaleWrite } from '@laurel/mongo';
import type { FieldDefinition } from '../domain/data-model';

const COLLECTION = 'field_definitions';

export const fieldIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1, field_name: 1 }, name: 'name_unique', unique: true }],
};

type FieldDocument = Omit<FieldDefinition, 'id' | 'is_system'> & { _id: string };

/** The custom fields that workspaces defined. System fields are the same everywhere and not stored. */
export function createFieldStore(connection: Connection) {
  const fields = connection.collection<FieldDocument>(COLLECTION);
  const options = (session?: Session) => (session ? { session } : {});

  return {
    async list(workspaceId: string, session?: Session): Promise<FieldDefinition[]> {
      const rows = await fields.find({ workspace_id: workspaceId }, options(session)).toArray();
      return rows.map(fromDocument).sort(bySortOrder);
    },

    async find(
      workspaceId: string,
      id: string,
      session?: Session,
    ): Promise<FieldDefinition | null> {
      const row = await fields.findOne({ _id: id, workspace_id: workspaceId }, options(session));
      return row && fromDocument(row);
    },

    /** Fails as a duplicate key when the name is taken. */
    async insert(field: FieldDefinition, session: Session): Promise<void> {
      await fields.insertOne(toDocument(field), { session });
    },

    async replace(field: FieldDefinition, session: Session): Promise<void> {
      const filter = { _id: field.id, workspace_id: field.workspace_id };
      const { matchedCount } = await fields.replaceOne(filter, toDocument(field), { session });
      if (matchedCount === 0) throw new StaleWrite('the field');
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId };
      return (await fields.deleteOne(filter, { session })).deletedCount > 0;
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await fields.deleteMany({ workspace_id: workspaceId });
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
