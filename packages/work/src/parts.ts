import { newId } from '@laurel/lifecycle';
import {
  beneath,
  type Collection,
  type Connection,
  type IndexSpec,
  type Session,
} from '@laurel/mongo';
import { createDue, type Due } from './due';
import { dueIndex } from './turns';

/** A row that waits for a claim: some of those whom a walk is over. */
export interface PartDocument {
  _id: string;
  workspace_id: string;
  /** The ids that it is to be done for. */
  subjects: readonly string[];
  due_at: Date;
  lease?: string;
  /** How often work on it ended in a fault; absent until it did. */
  faults?: number;
}

export const PART_INDEXES: readonly IndexSpec[] = [dueIndex()];

/** Part of a walk, in the hands of one worker. */
export interface Part {
  id: string;
  workspaceId: string;
  /** The walk that it is of. */
  walk: string;
  subjects: readonly string[];
  /** How often work on it ended in a fault. */
  faults: number;
  lease: string;
}

/**
 * Parts of walks over very many (docs/adr/0045). The holder of a walk reads on, and leaves each page as a row that any
 * replica claims; when it was worked on it is gone. A part says whom it is for, so that it is the same for each who does it
 * again.
 */
export interface Parts {
  due: Due<Part>;
  /** Leaves pages to be worked on, in the session that notes how far the walk was read. */
  leave(of: WalkOf, pages: readonly (readonly string[])[], session: Session): Promise<void>;
  /** How many wait or are in somebody's hands; counted no further than `most`. */
  count(of: Omit<WalkOf, 'now'>, most: number): Promise<number>;
  /** A part was worked on; false when the claim was lost, and nothing was changed then. */
  end(part: Part, session?: Session): Promise<boolean>;
  /** Work on a part ended in a fault: it waits until then for another try. The other parts of its walk do not. */
  tryAgain(part: Part, at: Date): Promise<boolean>;
  /** As `tryAgain`, for some of those whom it is for: all others have had their turn. */
  leaveRest(part: Part, rest: Rest): Promise<boolean>;
}

interface Rest {
  subjects: readonly string[];
  at: Date;
  /** Whether a fault of their own is why they wait, or an outage, which counts for nothing. */
  isFault: boolean;
}

interface WalkOf {
  workspaceId: string;
  /** A UUID. */
  walk: string;
  now: Date;
}

export function createParts(connection: Connection, declared: Collection<PartDocument>): Parts {
  const rows = declared.open(connection);
  const due = createDue<PartDocument, Part>(connection, declared.collection, {
    read: ({ _id, workspace_id, subjects, faults = 0, lease }) => ({
      id: _id,
      workspaceId: workspace_id,
      walk: _id.slice(0, _id.indexOf(':')),
      subjects,
      faults,
      lease,
    }),
  });
  return {
    due,

    async leave({ workspaceId, walk, now }, pages, session) {
      const parts = pages
        .filter((subjects) => subjects.length > 0)
        .map((subjects) => ({
          _id: `${walk}:${newId()}`,
          workspace_id: workspaceId,
          subjects: [...subjects],
          due_at: now,
        }));
      if (parts.length === 0) return;
      due.wake(session);
      await rows.insertMany(parts, { session });
    },

    count: ({ workspaceId, walk }, most) =>
      // A part is called by its walk, so that those of a walk are found without an index for it.
      rows.of(workspaceId).count({ _id: beneath(walk) }, { limit: most }),

    async end({ id, workspaceId, lease }, session) {
      const gone = await rows.of(workspaceId).deleteOne({ _id: id, lease }, { session });
      return gone.deletedCount === 1;
    },

    tryAgain: (part, at) => due.postpone(part, at, { $inc: { faults: 1 } }),

    leaveRest: (part, { subjects, at, isFault }) =>
      due.postpone(part, at, {
        $set: { subjects: [...subjects] },
        ...(isFault ? { $inc: { faults: 1 } } : {}),
      }),
  };
}
