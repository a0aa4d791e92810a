import { isSandbox, type Logger, newId } from '@laurel/lifecycle';
import { type Connection, collection, type Session } from '@laurel/mongo';
import {
  backoffMs,
  type Claimed,
  createDue,
  type Due,
  type DueSpec,
  dueIndex,
  type Job,
  PIECE_LEASE_MS,
  type PieceJob,
} from '@laurel/work';
import type { Outgoing } from './outgoing';
import type { Deliver } from './transport';

/** A day and a half: a server that mails go through may be away for a night, and its password be wrong until the morning. */
const ATTEMPTS_MAX = 100;
/** The server itself said no to the mail: half an hour, as some say no to whom they do not know yet. */
const REFUSALS_MAX = 10;
const PAUSE = { firstMs: 4_000, mostMs: 30 * 60_000 };
/**
 * What is worked off apart, each with turns of its own (docs/adr/0012): a gateway that hangs does not keep the other kind from
 * leaving, and the mails of one shop not those of another. What is of no shop has no part in their turns, and is little.
 */
const MAILS = { where: { channel: 'email' } };
const TEXTS = { where: { channel: 'sms' } };
const OF_NO_WORKSPACE = { by: 'channel', where: { workspace_id: null } };
const CONCURRENCY = 8;
const SHARE = 4;

interface MessageRow extends Omit<Outgoing, 'id'> {
  _id: string;
  workspace_id: string | null;
  attempts: number;
  due_at: Date;
  lease?: string;
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
  /** Send what is due; part of the service's jobs. */
  jobs: readonly Job[];
}

const LEAVES =
  'stays: it is on its way; nothing is kept of what has left, and what cannot leave is given up within two days';

/** Part of the list of every service that has a queue. */
export const queuedMessages = collection<MessageRow>('messages', {
  tenant: 'workspace_id',
  person: {
    column: 'none: only the address stands here',
    merged: LEAVES,
    anonymized: LEAVES,
    deleted: 'as anonymized',
    exported: 'withheld: it is on its way to the person',
  },
  growth: { per: 'mail on its way', end: 'when it was sent', shardKey: 'whole' },
  indexes: [
    dueIndex(MAILS, 'mails_in_turns'),
    dueIndex(TEXTS, 'texts_in_turns'),
    { key: { workspace_id: 1 }, name: 'workspace' },
  ],
  retired: ['due_in_turns'],
});

/** What an SMTP server answers to an address or a content that it takes at no time. */
const PERMANENT = 500;
/** What the operator can mend, and what passes. */
const NOT_OF_THE_TEXT = [401, 403, 404, 408, 429];

/** Whether who was to take a message was reached, and takes no such one, or to no such address. */
function isRefused(error: unknown): boolean {
  const { code, command, responseCode = PERMANENT, status = 0 } = error as Refused;
  if (code === 'EENVELOPE' || code === 'EMESSAGE')
    return responseCode >= PERMANENT && command !== 'MAIL FROM';
  return status >= 400 && status < 500 && !NOT_OF_THE_TEXT.includes(status);
}

/** What the library for SMTP, and what we ourselves, say of an answer. */
interface Refused {
  code?: string;
  /** Our own address is no fault of the message. */
  command?: string;
  /** Absent where the library itself found the address to be none. */
  responseCode?: number;
  status?: number;
}

const dueOf = (connection: Connection, spec: DueSpec): Due<MessageRow> =>
  createDue<MessageRow, MessageRow>(connection, queuedMessages.collection, {
    ...spec,
    onClaim: { $inc: { attempts: 1 } },
    read: (row) => row,
  });

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
  const rows = queuedMessages.open(connection).ofEverybody;

  const mails = dueOf(connection, MAILS);

  async function send(row: MessageRow, claim: Claimed<unknown>): Promise<void> {
    const { _id: id, channel, to, subject, text, html, fromName, replyTo } = row;
    try {
      await deliver({
        id,
        channel,
        to,
        text,
        ...(subject === undefined ? {} : { subject }),
        ...(html === undefined ? {} : { html }),
        ...(fromName === undefined ? {} : { fromName }),
        ...(replyTo === undefined ? {} : { replyTo }),
      });
      await rows.deleteOne({ _id: id });
    } catch (error) {
      logger.warn(
        { err: error, message_id: id, attempts: row.attempts },
        'a message did not leave',
      );
      if (row.attempts >= (isRefused(error) ? REFUSALS_MAX : ATTEMPTS_MAX)) {
        logger.error({ message_id: id, channel }, 'a message was given up');
        await rows.deleteOne({ _id: id });
        return;
      }
      // A row is named by its claim alone, whatever turns it took.
      await mails.postpone(claim, new Date(Date.now() + backoffMs(row.attempts, PAUSE)));
    }
  }

  async function sendOrDrop(row: MessageRow, claim: Claimed<unknown>): Promise<void> {
    const isLate = row.expires_at !== null && row.expires_at <= new Date();
    // A sandbox sends no mail (docs/adr/0029).
    if (isLate || isSandbox(row.workspace_id)) await rows.deleteOne({ _id: row._id });
    else await send(row, claim);
  }

  const jobOf = (name: string, due: Due<MessageRow>): PieceJob<MessageRow> => ({
    name,
    due,
    concurrency: CONCURRENCY,
    share: SHARE,
    leaseMs: PIECE_LEASE_MS,
    work: sendOrDrop,
  });

  return {
    async enqueue({ workspaceId, id = newId(), expiresAt, ...message }, session) {
      // Wake-ups are of the rows, whatever their turns.
      mails.wake(session);
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
    jobs: [
      jobOf('send-mails', mails),
      jobOf('send-texts', dueOf(connection, TEXTS)),
      jobOf('send-messages-of-no-workspace', dueOf(connection, OF_NO_WORKSPACE)),
    ],
  };
}
