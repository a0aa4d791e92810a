import { stableId } from '@laurel/lifecycle';
import { beneath, type Connection, isDuplicateKey, type Rows, type Session } from '@laurel/mongo';
import { createDue, type Due } from '@laurel/work';
import { createJobLists } from './outbound-job-lists';
import { createRemovals } from './outbound-job-removals';
import {
  DUE,
  integrationKey,
  type LeasedJob,
  type OutboundAction,
  type OutboundJobRow,
  outboundJobs,
} from './outbound-job-rows';

const ATTEMPTS_MAX = 5;
/** So many are made due again at a time. */
const PIECE = 200;

export interface NewOutboundJob {
  workspaceId: string;
  provider: string;
  clientId: string;
  action: OutboundAction;
  externalId?: string | null;
}

export interface Waiting {
  /** It waits until it is released: its integration is switched off. */
  isHeld?: boolean;
  /** There is no integration of its provider. */
  isUnaddressed?: boolean;
}

export interface Postponement {
  /** Null: for good. */
  until: Date | null;
  /** Null where it waits for another part of the platform, which costs no attempt. */
  error: string | null;
  failures: number;
  now: Date;
}

const jobKey = ({ workspaceId, provider, clientId }: Omit<NewOutboundJob, 'action'>): string =>
  `${integrationKey(workspaceId, provider)}:${clientId}`;

export function createOutboundJobStore(connection: Connection) {
  const rows = outboundJobs.open(connection);
  const due = createDue<OutboundJobRow, LeasedJob>(connection, outboundJobs.collection, {
    ...DUE,
    read: (row) => row,
  });

  const wishes = createWishes(rows);

  return {
    /** What outside systems are to hear; integrations take turns. */
    due,

    ...wishes,
    ...createTellings(rows, due, wishes.rearm),
    ...createHolds(rows),
    ...createJobLists(rows),
    ...createRemovals(connection, rows),
  };
}

/** What there is to tell, and to tell again. */
function createWishes(rows: Rows<OutboundJobRow>) {
  const isGone = async (job: NewOutboundJob): Promise<boolean> =>
    (await rows.of(job.workspaceId).findOne({ _id: jobKey(job), action: 'delete_customer' })) !==
    null;
  return {
    /**
     * Notes that there is something to tell. A client that is gone stays gone, whatever is heard later.
     */
    async enqueue(job: NewOutboundJob, now: Date, how: Waiting = {}): Promise<void> {
      const { workspaceId, provider, clientId, action, externalId } = job;
      const known = externalId === undefined ? {} : { external_id: externalId };
      const aim = how.isUnaddressed ? { unaddressed: true as const } : {};
      const fresh = { status: 'pending' as const, failures: 0, updated_at: now };
      const change = { action, ...fresh, ...known, ...aim };
      const due = how.isHeld
        ? { $set: change, $unset: { due_at: '' as const } }
        : { $set: { ...change, due_at: now } };
      const mayChange = action === 'delete_customer' ? {} : { action };
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
        try {
          await rows.of(workspaceId).updateOne(
            { _id: jobKey(job), lease: { $exists: false }, ...mayChange },
            {
              ...due,
              $inc: { version: 1 },
              $setOnInsert: {
                id: stableId(`outbound job ${jobKey(job)}`),
                attempts: 0,
                told: null,
                workspace_id: workspaceId,
                provider,
                integration: integrationKey(workspaceId, provider),
                client_id: clientId,
                last_error: null,
                ...(externalId === undefined ? { external_id: null } : {}),
              },
            },
            { upsert: true },
          );
          return;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
        // The replica that has the lease finds the version grown, and sends again.
        const { matchedCount } = await rows
          .of(workspaceId)
          .updateOne(
            { _id: jobKey(job), lease: { $exists: true }, ...mayChange },
            { $set: change, $inc: { version: 1 } },
          );
        if (matchedCount === 1 || (await isGone(job))) return;
      }
      throw new Error(`the outbound job ${jobKey(job)} changes too often`);
    },

    /** To be sent again from the start of the schedule, even if it is what was sent last. */
    async rearm(workspaceId: string, id: string, now: Date): Promise<OutboundJobRow | null> {
      const afresh = { status: 'pending' as const, failures: 0, told: null, updated_at: now };
      const own = rows.of(workspaceId);
      const how = { returnDocument: 'after' as const };
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
        const idle = await own.findOneAndUpdate(
          { id, lease: { $exists: false } },
          { $set: { ...afresh, due_at: now }, $inc: { version: 1 } },
          how,
        );
        // The replica that has the lease finds the version grown, and sends again.
        const row =
          idle ??
          (await own.findOneAndUpdate(
            { id, lease: { $exists: true } },
            { $set: afresh, $inc: { version: 1 } },
            how,
          ));
        if (row || !(await own.findOne({ id }, { projection: { _id: 1 } }))) return row;
      }
      throw new Error(`the outbound job ${id} changes too often`);
    },
  };
}

const held = ({ _id, lease }: LeasedJob) => ({ _id, lease });

/** What became of a job in the hands of one worker. */
function createTellings(
  rows: Rows<OutboundJobRow>,
  due: Due<LeasedJob>,
  rearm: ReturnType<typeof createWishes>['rearm'],
) {
  return {
    /**
     * It was sent. What changed meanwhile is sent next; so is what was sent under a claim that had ended: another replica
     * may have sent something newer before it arrived. `externalId` is what was learned of it: without, what is known stays.
     */
    async complete(
      job: LeasedJob,
      { externalId, told: digest }: { externalId: string | undefined; told: string | null },
      now: Date,
    ): Promise<void> {
      const learned = externalId === undefined ? {} : { external_id: externalId };
      const told = await rows.of(job.workspace_id).updateOne(
        { ...held(job), version: job.version },
        {
          $set: {
            status: 'done',
            ...learned,
            told: digest,
            failures: 0,
            last_error: null,
            updated_at: now,
          },
          $inc: { attempts: 1 },
          $unset: { due_at: '', lease: '' },
        },
      );
      if (told.modifiedCount === 1) return;
      const { matchedCount } = await rows.of(job.workspace_id).updateOne(held(job), {
        $set: { ...learned, due_at: now },
        $inc: { attempts: 1 },
        $unset: { lease: '' },
      });
      if (matchedCount === 0) await rearm(job.workspace_id, job.id, now);
      due.wake();
    },

    /** Until later, or for good where `until` is null. A change made meanwhile waits for nothing, as one made a moment later. */
    async postpone(job: LeasedJob, { until, error, failures, now }: Postponement): Promise<void> {
      const attempts = error === null ? 0 : 1;
      const unchanged = { ...held(job), version: job.version };
      const fault = { last_error: error, failures, updated_at: now };
      const tried = { $inc: { attempts }, $unset: { lease: '' as const } };
      const written = await (until
        ? rows
            .of(job.workspace_id)
            .updateOne(unchanged, { ...tried, $set: { ...fault, due_at: until } })
        : rows.of(job.workspace_id).updateOne(unchanged, {
            $inc: { attempts },
            $set: { ...fault, status: 'failed' },
            $unset: { due_at: '', lease: '' },
          }));
      if (until) due.wake(undefined, until);
      if (written.modifiedCount === 1) return;
      const { matchedCount } = await rows.of(job.workspace_id).updateOne(held(job), {
        ...tried,
        $set: { due_at: now, last_error: error },
      });
      // What was not answered may have arrived.
      if (matchedCount === 0 && error !== null) await rearm(job.workspace_id, job.id, now);
      due.wake();
    },

    drop: (job: LeasedJob) => rows.of(job.workspace_id).deleteOne(held(job)),
  };
}

/** What waits: for its integration to be switched on again, or for its next try. */
const createHolds = (rows: Rows<OutboundJobRow>) => ({
  /** Keeps it until its integration is switched on again. */
  hold: (job: LeasedJob) =>
    rows.of(job.workspace_id).updateOne(held(job), { $unset: { due_at: '', lease: '' } }),

  /** Makes due what was held. */
  async release(
    workspaceId: string,
    { provider, now }: { provider: string; now: Date },
    session?: Session,
  ): Promise<void> {
    const waiting = { provider, status: 'pending' as const, due_at: { $exists: false } };
    await rows.of(workspaceId).updateMany(waiting, { $set: { due_at: now } }, { session });
  },

  /**
   * Has the next of what was refused tried now, from the start of the schedule, what was given up as well. What is in the hands
   * of a replica, which may know the former state, is sent once more after it.
   *
   * @param after the last job of the piece before, by its `_id`; null for the first piece
   * @returns the last job of this piece; null where no more are left
   */
  async hasten(
    workspaceId: string,
    provider: string,
    { after, now }: { after: string | null; now: Date },
  ): Promise<string | null> {
    const own = rows.of(workspaceId);
    const all = beneath(integrationKey(workspaceId, provider));
    const unsent = { _id: { ...all, $gt: after ?? all.$gt }, status: { $ne: 'done' as const } };
    const piece = await own
      .find(unsent, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(PIECE)
      .toArray();
    const _id = { $in: piece.map((row) => row._id) };
    const afresh = { failures: 0 };
    // In this order: what a replica gives back meanwhile is due, or given up.
    await own.updateMany(
      { _id, status: 'pending', lease: { $exists: true } },
      { $set: afresh, $inc: { version: 1 } },
    );
    await own.updateMany(
      { _id, status: 'pending', lease: { $exists: false }, due_at: { $gt: now } },
      { $set: { ...afresh, due_at: now } },
    );
    await own.updateMany(
      { _id, status: 'failed' },
      { $set: { ...afresh, status: 'pending', due_at: now, updated_at: now } },
    );
    return piece.length < PIECE ? null : piece.at(-1)!._id;
  },
});
