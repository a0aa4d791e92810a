import {
  type CollectionIndexes,
  type Connection,
  KEY_INDEX,
  orStale,
  refuseTakenKey,
  type Session,
  withoutMissingKey,
} from '@laurel/mongo';
import { nestedIn, type Segment, type SegmentFilter } from '../domain/segments/filter';
import { refusals } from '../refusals';

const COLLECTION = 'segments';
const LOCKS = 'segment_locks';
const keyTaken = () => refusals.keyTaken({ field: 'key' });

export const segmentIndexes: readonly CollectionIndexes[] = [
  {
    collection: COLLECTION,
    indexes: [{ key: { workspace_id: 1, _id: -1 }, name: 'newest' }, KEY_INDEX],
  },
  { collection: LOCKS, indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }] },
];

interface SegmentDocument extends Omit<Segment, 'id' | 'filters'> {
  _id: string;
  /** As JSON text: names of custom fields may hold what the store keeps for itself. */
  filters: string;
  nested_ids: string[];
}

interface LockDocument {
  /** The workspace's id. */
  _id: string;
  workspace_id: string;
  changes: number;
}

export function createSegmentStore(connection: Connection) {
  const segments = connection.collection<SegmentDocument>(COLLECTION);
  const locks = connection.collection<LockDocument>(LOCKS);
  const options = (session?: Session) => (session ? { session } : {});

  return {
    /**
     * Makes all changes of a workspace's segments wait for each other until the transaction ends, so that none is
     * decided on a nesting that another is changing. It comes before anything the transaction reads.
     */
    async lock(workspaceId: string, session: Session): Promise<void> {
      const change = { $inc: { changes: 1 }, $set: { workspace_id: workspaceId } };
      const how = { upsert: true, session };
      await orStale('the segments', locks.updateOne({ _id: workspaceId }, change, how));
    },

    async insert(segment: Segment, session: Session): Promise<void> {
      await refuseTakenKey(segments.insertOne(toDocument(segment), { session }), keyTaken);
    },

    async replace(segment: Segment, session: Session): Promise<void> {
      const filter = { _id: segment.id, workspace_id: segment.workspace_id };
      const written = segments.replaceOne(filter, toDocument(segment), { session });
      await refuseTakenKey(written, keyTaken);
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<void> {
      await segments.deleteOne({ _id: id, workspace_id: workspaceId }, { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Segment | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      const document = await segments.findOne(filter, options(session));
      return document && fromDocument(document);
    },

    async findMany(workspaceId: string, ids: readonly string[]): Promise<Segment[]> {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      return (await segments.find(filter).toArray()).map(fromDocument);
    },

    /** All segments of a workspace, newest first. */
    async list(workspaceId: string, session?: Session): Promise<Segment[]> {
      const rows = segments.find({ workspace_id: workspaceId }, options(session));
      return (await rows.sort({ _id: -1 }).toArray()).map(fromDocument);
    },

    /** The segments with these ids and all that is nested in them, by id. */
    async withNested(workspaceId: string, ids: readonly string[]): Promise<Map<string, Segment>> {
      const found = new Map<string, Segment>();
      let wanted = [...new Set(ids)];
      while (wanted.length > 0) {
        const filter = { _id: { $in: wanted }, workspace_id: workspaceId };
        const rows = (await segments.find(filter).toArray()).map(fromDocument);
        for (const segment of rows) found.set(segment.id, segment);
        const nested = rows.flatMap(({ filters }) => nestedIn(filters));
        wanted = [...new Set(nested)].filter((id) => !found.has(id) && !wanted.includes(id));
      }
      return found;
    },

    /** The segments in which this one is nested. */
    async madeOf(workspaceId: string, id: string, session: Session): Promise<Segment[]> {
      const filter = { workspace_id: workspaceId, nested_ids: id };
      return (await segments.find(filter, { session }).sort({ _id: -1 }).toArray()).map(
        fromDocument,
      );
    },

    /** The workspace that a segment belongs to, for routes that name only the segment. */
    async workspaceOf(id: string): Promise<string | null> {
      const document = await segments.findOne({ _id: id }, { projection: { workspace_id: 1 } });
      return document?.workspace_id ?? null;
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await segments.deleteMany({ workspace_id: workspaceId });
      await locks.deleteOne({ _id: workspaceId });
    },
  };
}

function toDocument({ id, filters, ...columns }: Segment): SegmentDocument {
  const document = { ...withoutMissingKey(columns), _id: id, filters: JSON.stringify(filters) };
  return { ...document, nested_ids: nestedIn(filters) };
}

function fromDocument({ _id, filters, nested_ids: _ids, ...columns }: SegmentDocument): Segment {
  return { id: _id, ...columns, filters: JSON.parse(filters) as SegmentFilter[] };
}
