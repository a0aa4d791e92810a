import { type Connection, collection, type Session } from '@laurel/mongo';
import { createDueTimes } from '@laurel/work';
import type { Enrollment, EnrollmentInput } from '../domain/enrollment/enrollment';

/** As long as a repeat of an operation must be answered as the first time. */
const KEPT_SECONDS = 8 * 86_400;

export const enrollments = collection<EnrollmentDocument>('enrollments', {
  tenant: 'workspace_id',
  person: {
    column: 'none: what came of a form names its client',
    merged: 'stays: what a repeat of the same form is answered, for some days',
    anonymized: 'stays: an id; what was filled in is forgotten when it is done',
    deleted: 'as anonymized',
    exported: 'withheld: what a form made is shown where it is',
  },
  growth: {
    per: 'form that was sent',
    end: '8 days',
    shardKey: 'hashed _id',
  },
  indexes: [
    {
      key: { due_at: 1 },
      name: 'due',
      partialFilterExpression: { due_at: { $exists: true } },
    },
    { key: { opened_at: 1 }, name: 'kept_ttl', expireAfterSeconds: KEPT_SECONDS },
  ],
});

/** What was filled in is kept as text: names of custom fields may be anything, those of stored members may not. */
interface EnrollmentDocument
  extends Omit<Enrollment, 'id' | 'input' | 'due_at' | 'confirms' | 'ended_by'> {
  _id: string;
  /** Absent in what was begun before links were mailed. */
  confirms?: string | null;
  /** Absent in what was begun before it was kept. */
  ended_by?: string | null;
  input_json: string | null;
  /** Absent once it is done. */
  due_at?: Date;
}

const OPEN = { due_at: { $exists: true } };

/** What is found out on the way and could not be a second time; each is written once it is certain. */
export type Progress = Partial<Pick<Enrollment, 'makes_client' | 'makes_pass' | 'client'>>;

/** Enrollments on their way, and for some days what came of them. */
export function createEnrollmentStore(connection: Connection) {
  const rows = enrollments.open(connection);

  return {
    /** When enrollments count as left behind. */
    due: createDueTimes(connection, enrollments.collection, { leads: true }),

    /** Fails as a duplicate key where the operation was begun before. */
    async insert(enrollment: Enrollment): Promise<void> {
      await rows.insertOne(toDocument(enrollment));
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Enrollment | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document && toEnrollment(document);
    },

    async advance(workspaceId: string, id: string, progress: Progress): Promise<void> {
      await rows.of(workspaceId).updateOne({ _id: id, ...OPEN }, { $set: progress });
    },

    /** Ends it and forgets what was filled in; false where somebody else ended it. */
    async finish(
      workspaceId: string,
      {
        id,
        emailSent,
        endedBy,
        ...outcome
      }: Pick<Enrollment, 'id' | 'client' | 'pass' | 'referral_outcome'> & {
        emailSent: boolean;
        endedBy: string;
      },
      session: Session,
    ): Promise<boolean> {
      const change = {
        $set: { ...outcome, email_sent: emailSent, ended_by: endedBy, input_json: null },
        $unset: { due_at: '' as const },
      };
      const open = { _id: id, ...OPEN };
      return (await rows.of(workspaceId).updateOne(open, change, { session })).modifiedCount === 1;
    },

    /** Forgets one that was refused, so that the person may correct the form and send it again; false where it ended. */
    async drop(workspaceId: string, id: string): Promise<boolean> {
      return (await rows.of(workspaceId).deleteOne({ _id: id, ...OPEN })).deletedCount === 1;
    },

    /** Takes over one that no replica works on any more; null when there is none. */
    async claimAbandoned(now: Date, dueAt: Date): Promise<Enrollment | null> {
      const filter = { due_at: { $lte: now } };
      const claim = { $set: { due_at: dueAt } };
      const document = await rows.ofEverybody.findOneAndUpdate(filter, claim, {
        returnDocument: 'after',
      });
      return document && toEnrollment(document);
    },
  };
}

function toDocument({ id, input, due_at, ...columns }: Enrollment): EnrollmentDocument {
  return {
    _id: id,
    ...columns,
    ...(due_at === null ? {} : { due_at }),
    input_json: input && JSON.stringify(input),
  };
}

function toEnrollment({ _id, input_json, due_at, ...columns }: EnrollmentDocument): Enrollment {
  const input = input_json === null ? null : (JSON.parse(input_json) as EnrollmentInput);
  const { confirms = null, ended_by = null } = columns;
  return { ...columns, confirms, ended_by, id: _id, input, due_at: due_at ?? null };
}
