import type { Redis } from '@laurel/backend';
import { Refusal } from '@laurel/errors';
import { type Logger, newId, within } from '@laurel/lifecycle';
import type { RpcClients } from '../rpc-clients';

export type AuditRecord = Parameters<RpcClients['identity']['RecordAudits']>[0]['records'][number];

/** Where records stand from the answer until identity has them; the same for all gateways. */
const STREAM = 'audit:records';
/** What identity would not take, for somebody to look at. */
const PARKED = 'audit:parked';
/** Held by the gateway that sends, only so that the others need not. */
const SENDER = 'audit:sender';
/** How long a sender that died stands in the way of the next one. */
const SENDER_MS = 5_000;
export const BATCH_SIZE = 500;
const KEEP_MS_MAX = 500;
const ATTEMPTS_MAX = 5;

interface Kept {
  id: string;
  record: AuditRecord;
}

interface Parts {
  redis: Redis;
  logger: Logger;
  /** Resolves when identity has the records. */
  deliver: (records: AuditRecord[]) => Promise<unknown>;
}

/** Audit records in Redis, and their way from there to identity. */
export class AuditStream {
  private readonly me = newId();
  private readonly attempts = new Map<string, number>();
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async put(record: AuditRecord): Promise<void> {
    const adding = this.parts.redis.xAdd(STREAM, '*', { record: JSON.stringify(record) });
    await within(KEEP_MS_MAX, adding);
  }

  length(): Promise<number> {
    return this.parts.redis.xLen(STREAM);
  }

  /** Whether this gateway is the one that sends, for a while. */
  async leads(): Promise<boolean> {
    const { redis } = this.parts;
    const expiration = { type: 'PX', value: SENDER_MS } as const;
    if ((await redis.set(SENDER, this.me, { condition: 'NX', expiration })) !== null) return true;
    return (await redis.get(SENDER)) === this.me && (await redis.pExpire(SENDER, SENDER_MS)) === 1;
  }

  /** Lets another gateway send. */
  async resign(): Promise<void> {
    await this.parts.redis.del(SENDER);
  }

  /** Sends everything that stands there, also what is added meanwhile. */
  sendAll(): Promise<void> {
    return this.sendUpTo('+');
  }

  /** Sends what stands there at this moment. */
  async sendWhatStands(): Promise<void> {
    const newest = (await this.parts.redis.xRevRange(STREAM, '+', '-', { COUNT: 1 }))?.[0];
    if (newest) await this.sendUpTo(newest.id);
  }

  /** Oldest first. */
  private async sendUpTo(last: string): Promise<void> {
    const { redis } = this.parts;
    for (;;) {
      const found = await redis.xRange(STREAM, '-', last, { COUNT: BATCH_SIZE });
      const batch = (found ?? []).flatMap((entry) => (entry ? [readEntry(entry)] : []));
      if (batch.length === 0) return;
      await this.send(batch);
      if (redis.isReady) await redis.pExpire(SENDER, SENDER_MS);
    }
  }

  /** A batch with a record that identity cannot take is taken apart until only that one is left, which is parked. */
  private async send(batch: readonly Kept[]): Promise<void> {
    try {
      await this.parts.deliver(batch.map((kept) => kept.record));
    } catch (error) {
      if (isPassing(error)) throw error;
      if (batch.length === 1) return this.refuse(batch[0]!, error);
      const middle = Math.ceil(batch.length / 2);
      await this.send(batch.slice(0, middle));
      return this.send(batch.slice(middle));
    }
    const ids = batch.map(({ id }) => id);
    await this.parts.redis.xDel(STREAM, ids);
    for (const id of ids) this.attempts.delete(id);
  }

  private async refuse({ id, record: refused }: Kept, error: unknown): Promise<void> {
    const { redis, logger } = this.parts;
    const count = (this.attempts.get(id) ?? 0) + 1;
    this.attempts.set(id, count);
    if (count < ATTEMPTS_MAX) throw error;
    logger.error({ err: error, action: refused.action }, 'an audit record was parked');
    // In this order: who dies in between has it parked twice, and never lost.
    await redis.xAdd(PARKED, '*', { record: JSON.stringify(refused) });
    await redis.xDel(STREAM, id);
    this.attempts.delete(id);
  }
}

function readEntry({ id, message }: { id: string; message: Record<string, string> }): Kept {
  return { id, record: JSON.parse(message.record!) as AuditRecord };
}

/** Identity is away, busy or slow: the same records are welcome a little later. */
function isPassing(error: unknown): boolean {
  return error instanceof Refusal && (error.httpStatus >= 500 || error.httpStatus === 429);
}
