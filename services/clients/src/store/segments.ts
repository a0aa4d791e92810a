import {
  type Connection,
  collection,
  KEY_INDEX,
  orStale,
  refuseTakenKey,
  type Session,
  withoutMissingKey,
} from '@laurel/mongo';
import { nestedIn, type Segment, type SegmentFilter } from '../domain/segments/filter';
import { refusals } from '../refusals';

const keyTaken = () => refusals.keyTaken({ field: 'key' });

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

export const segments = collection<SegmentDocument>('segments', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: { copied: 'all', inner: ({ filters }) => filtersIn(filters).map(({ id }) => id) },
  growth: {
    per: 'segment',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1, _id: -1 }, name: 'newest' }, KEY_INDEX],
});

export const segmentLocks = collection<LockDocument>('segment_locks', {
  tenant: '_id',
  person: 'nobody',
  clone: 'left: made anew by the first change',
  growth: {
    per: 'workspace',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1 }, name: 'workspace' }],
});

export function createSegmentStore(connection: Connection) {
  const rows = segments.open(connection);
  const locks = segmentLocks.open(connection);

  return {
    /**
     * Makes all changes of a workspace's segments wait for each other until the transaction ends, so that none is
     * decided on a nesting that another is changing. It comes before anything the transaction reads.
     */
    async lock(workspaceId: string, session: Session): Promise<void> {
      const change = { $inc: { changes: 1 }, $set: { workspace_id: workspaceId } };
      const how = { upsert: true, session };
      await orStale('the segments', locks.of(workspaceId).updateOne({}, change, how));
    },

    async insert(segment: Segment, session: Session): Promise<void> {
      await refuseTakenKey(rows.insertOne(toDocument(segment), { session }), keyTaken);
    },

    async replace(segment: Segment, session: Session): Promise<void> {
      const { _id, ...columns } = toDocument(segment);
      const written = rows.of(segment.workspace_id).replaceOne({ _id }, columns, { session });
      await refuseTakenKey(written, keyTaken);
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: id }, { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Segment | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document && fromDocument(document);
    },

    async findMany(workspaceId: string, ids: readonly string[]): Promise<Segment[]> {
      const some = rows.of(workspaceId).find({ _id: { $in: [...ids] } });
      return (await some.toArray()).map(fromDocument);
    },

    /** All segments of a workspace, newest first. */
    async list(workspaceId: string, session?: Session): Promise<Segment[]> {
      const own = rows.of(workspaceId).find({}, { session });
      return (await own.sort({ _id: -1 }).toArray()).map(fromDocument);
    },

    count: (workspaceId: string, session: Session): Promise<number> =>
      rows.of(workspaceId).count({}, { session }),

    /** The segments with these ids and all that is nested in them, by id. */
    async withNested(workspaceId: string, ids: readonly string[]): Promise<Map<string, Segment>> {
      const found = new Map<string, Segment>();
      let wanted = [...new Set(ids)];
      while (wanted.length > 0) {
        const some = rows.of(workspaceId).find({ _id: { $in: wanted } });
        const these = (await some.toArray()).map(fromDocument);
        for (const segment of these) found.set(segment.id, segment);
        const nested = these.flatMap(({ filters }) => nestedIn(filters));
        wanted = [...new Set(nested)].filter((id) => !found.has(id) && !wanted.includes(id));
      }
      return found;
    },

    /** The segments in which this one is nested. */
    async madeOf(workspaceId: string, id: string, session: Session): Promise<Segment[]> {
      const outer = rows.of(workspaceId).find({ nested_ids: id }, { session });
      return (await outer.sort({ _id: -1 }).toArray()).map(fromDocument);
    },

    /** The workspace that a segment belongs to, for routes that name only the segment. */
    async workspaceOf(id: string): Promise<string | null> {
      const projection = { workspace_id: 1 };
      return (await rows.ofEverybody.findOne({ _id: id }, { projection }))?.workspace_id ?? null;
    },
  };
}

function toDocument({ id, filters, ...columns }: Segment): SegmentDocument {
  const document = { ...withoutMissingKey(columns), _id: id, filters: JSON.stringify(filters) };
  return { ...document, nested_ids: nestedIn(filters) };
}

function fromDocument({ _id, filters, nested_ids: _ids, ...columns }: SegmentDocument): Segment {
  return { id: _id, ...columns, filters: filtersIn(filters) };
}

function filtersIn(text: string): SegmentFilter[] {
  return JSON.parse(text) as SegmentFilter[];
}
