import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import type { Enrollment, EnrollmentInput } from '../domain/enrollment';

const COLLECTION = 'enrollments';
/** As long as a repeat of an operation must be answered as the first time. */
const KEPT_SECONDS = 8 * 86_400;

export const enrollmentIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    {
      key: { due_at: 1 },
      name: 'due',
      partialFilterExpression: { due_at: { $exists: true } },
    },
    { key: { workspace_id: 1, 'pass.id': 1, opened_at: 1 }, name: 'of_pass' },
    { key: { opened_at: 1 }, name: 'kept_ttl', expireAfterSeconds: KEPT_SECONDS },
  ],
};

/** What was filled in is kept as text: names of custom fields may be anything, those of stored members may not. */
interface EnrollmentDocument extends Omit<Enrollment, 'id' | 'input' | 'due_at'> {
  _id: string;
  input_json: string | null;
  /** Absent once it is done. */
  due_at?: Date;
}

const OPEN = { due_at: { $exists: true } };

/** What is found out on the way; each is written once it is certain. */
export type Progress = Partial<
  Pick<Enrollment, 'makes_client' | 'makes_pass' | 'client' | 'pass' | 'referral_outcome'>
>;

export type EnrollmentStore = ReturnType<typeof createEnrollmentStore>;

/** Enrollments on their way, and for some days what came of them. */
export function createEnrollmentStore(connection: Connection) {
  const enrollments = connection.collection<EnrollmentDocument>(COLLECTION);

  return {
    /** Fails as a duplicate key where the operation was begun before. */
    async insert(enrollment: Enrollment): Promise<void> {
      await enrollments.insertOne(toDocument(enrollment));
    },

    async find(workspaceId: string, id: string): Promise<Enrollment | null> {
      const document = await enrollments.findOne({ _id: id, workspace_id: workspaceId });
      return document && toEnrollment(document);
    },

    async advance(workspaceId: string, id: string, progress: Progress): Promise<void> {
      const filter = { _id: id, workspace_id: workspaceId, ...OPEN };
      await enrollments.updateOne(filter, { $set: progress });
    },

    /** Ends it and forgets what was filled in; false where somebody else ended it. */
    async finish(
      workspaceId: string,
      id: string,
      emailSent: boolean,
      session: Session,
    ): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId, ...OPEN };
      const change = {
        $set: { email_sent: emailSent, input_json: null },
        $unset: { due_at: '' as const },
      };
      return (await enrollments.updateOne(filter, change, { session })).modifiedCount === 1;
    },

    /** Forgets one that was refused, so that the person may correct the form and send it again. */
    async drop(workspaceId: string, id: string): Promise<void> {
      await enrollments.deleteOne({ _id: id, workspace_id: workspaceId, ...OPEN });
    },

    /** Takes over one that nobody works on any more; null when there is none. */
    async claimAbandoned(now: Date, dueAt: Date): Promise<Enrollment | null> {
      const filter = { due_at: { $lte: now } };
      const claim = { $set: { due_at: dueAt } };
      const document = await enrollments.findOneAndUpdate(filter, claim, {
        returnDocument: 'after',
      });
      return document && toEnrollment(document);
    },

    /** How many mails enrollments have caused about a pass since a moment. */
    async countMails(workspaceId: string, passId: string, since: Date): Promise<number> {
      const filter = { workspace_id: workspaceId, 'pass.id': passId, opened_at: { $gte: since } };
      return enrollments.countDocuments({ ...filter, email_sent: true });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await enrollments.deleteMany({ workspace_id: workspaceId });
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
  return { ...columns, id: _id, input, due_at: due_at ?? null };
}
