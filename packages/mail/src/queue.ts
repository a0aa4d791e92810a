import { type Job, type Logger, newId } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import type { Deliver, Outgoing } from './transport';

const COLLECTION = 'messages';
const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const ATTEMPTS_MAX = 10;
const PAUSE_MS_FIRST = 2_000;
const PAUSE_MS_MAX = 30 * 60_000;
const BATCH = 20;

interface MessageRow extends Omit<Outgoing, 'id'> {
  _id: string;
  workspace_id: string | null;
  attempts: number;
  due_at: Date;
  expires_at: Date | null;
}

export interface NewMessage extends Omit<Outgoing, 'id'> {
  /** null for what concerns a person and no workspace. */
  workspaceId: string | null;
  /** Given when a retry must make the same message again. */
  id?: string;
  /** After this moment it is no use to anybody and is dropped. */
  expiresAt?: Date;
}

export interface MessageQueue {
  /** Writes a message in the caller's transaction; it leaves as soon as that is committed. */
  enqueue(message: NewMessage, session: Session): Promise<void>;
  /** Forgets what has not left yet for a workspace that is gone. */
  removeAll(workspaceId: string, session: Session): Promise<void>;
  /** Sends what is due; part of the service's jobs. */
  job: Job;
}

/** The indexes of the queue; part of the list of every service that has one. */
export const messageIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { due_at: 1 }, name: 'due' },
    { key: { workspace_id: 1 }, name: 'workspace' },
  ],
};

/**
 * Mails and texts that were promised in a commit and leave at least once after it, in collection
 * `messages` of the service's own database. A message that left is deleted: codes, links and
 * addresses do not pile up.
 */
export function createMessageQueue(
  connection: Connection,
  deliver: Deliver,
  logger: Logger,
): MessageQueue {
  const rows = connection.collection<MessageRow>(COLLECTION);

  /** Takes one due message for a while; whoever dies with it lets another try. */
  async function claim(): Promise<MessageRow | null> {
    const now = new Date();
    return rows.findOneAndUpdate(
      { due_at: { $lte: now } },
      { $set: { due_at: new Date(now.getTime() + LEASE_MS) }, $inc: { attempts: 1 } },
      { sort: { due_at: 1 }, returnDocument: 'after' },
    );
  }

  async function send(row: MessageRow): Promise<void> {
    const { _id: id, channel, to, subject, text, html } = row;
    try {
      await deliver({
        id,
        channel,
        to,
        text,
        ...(subject === undefined ? {} : { subject }),
        ...(html === undefined ? {} : { html }),
      });
      await rows.deleteOne({ _id: id });
    } catch (error) {
      logger.warn(
        { err: error, message_id: id, attempts: row.attempts },
        'a message did not leave',
      );
      if (row.attempts >= ATTEMPTS_MAX) {
        logger.error({ message_id: id, channel }, 'a message was given up');
        await rows.deleteOne({ _id: id });
        return;
      }
      const pauseMs = Math.min(PAUSE_MS_FIRST * 2 ** row.attempts, PAUSE_MS_MAX);
      await rows.updateOne({ _id: id }, { $set: { due_at: new Date(Date.now() + pauseMs) } });
    }
  }

  async function sendDue(): Promise<{ more: boolean }> {
    for (let sent = 0; sent < BATCH; sent += 1) {
      const row = await claim();
      if (!row) return { more: false };
      if (row.expires_at !== null && row.expires_at <= new Date()) {
        await rows.deleteOne({ _id: row._id });
      } else {
        await send(row);
      }
    }
    return { more: true };
  }

  const woken = new WeakSet<Session>();
  function sendWhenCommitted(session: Session): void {
    if (woken.has(session)) return;
    woken.add(session);
    session.once('ended', () => {
      // The job tries again soon, so a failure here loses nothing.
      sendDue().catch((error: unknown) => logger.warn({ err: error }, 'messages wait'));
    });
  }

  return {
    async enqueue({ workspaceId, id = newId(), expiresAt, ...message }, session) {
      sendWhenCommitted(session);
      await rows.insertOne(
        {
          _id: id,
          workspace_id: workspaceId,
          ...message,
          attempts: 0,
          due_at: new Date(),
          expires_at: expiresAt ?? null,
        },
        { session },
      );
    },
    async removeAll(workspaceId, session) {
      await rows.deleteMany({ workspace_id: workspaceId }, { session });
    },
    job: { name: 'send-messages', everyMs: POLL_MS, run: sendDue },
  };
}
