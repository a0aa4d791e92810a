import type { Redis } from '@laurel/backend';
import { platform, Refusal } from '@laurel/errors';
import { every, type Logger, later, newId, runInBackground, type Timer } from '@laurel/lifecycle';
import type { RpcClients } from '../rpc-clients';
import { auditBacklog } from './metrics';

export type AuditRecord = Parameters<RpcClients['identity']['RecordAudits']>[0]['records'][number];

/** Where records stand from the answer until identity has them; the same for all gateways. */
const STREAM = 'audit:records';
/** What identity would not take, for somebody to look at. */
const PARKED = 'audit:parked';
/** Held by the gateway that sends, only so that the others need not. */
const SENDER = 'audit:sender';
/** How long a sender that died stands in the way of the next one. */
const SENDER_MS = 5_000;
const BATCH_SIZE = 500;
/** Records stand safe meanwhile, and whoever reads the log has them sent first: gathering costs nobody anything. */
const FLUSH_MS = 250;
const BUSY_MS = 250;
const RETRY_MS = 1_000;
const SWEEP_MS = 10_000;
const SEND_MS_MAX = 10_000;
const KEEP_MS_MAX = 500;
const HOLD_MS_MAX = 2_000;
const HELD_MAX = 5_000;
const BACKLOG_MAX = 1_000_000;
const ATTEMPTS_MAX = 5;

interface Kept {
  id: string;
  record: AuditRecord;
}

export interface AuditTrail {
  /** Throws SERVICE_UNAVAILABLE while there is no room left to keep what a change would have to record. */
  admit(): void;
  /** Resolves once the record stands where the end of this process does not reach it. */
  keep(record: AuditRecord): Promise<void>;
  /** Sends what has been kept until now by any gateway. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

interface Parts {
  identity: Pick<RpcClients['identity'], 'RecordAudits'>;
  redis: Redis;
  logger: Logger;
}

/**
 * The way of audit records from an answer to identity (docs/adr/0009). They are kept in Redis before the
 * answer goes out, and removed from there when identity has them; identity tells repeats by their content, so any
 * gateway may send them, twice if need be. Without Redis they go to identity at once, and the answer waits for that.
 */
export function createAuditTrail({ identity, redis, logger }: Parts): AuditTrail {
  const me = newId();
  const held = new Set<AuditRecord>();
  const attempts = new Map<string, number>();
  let waiting: Timer | undefined;
  let flushing: Promise<void> | undefined;
  let holding: Promise<void> | undefined;
  let backlog = 0;
  let stopped = false;

  function schedule(delayMs: number): void {
    if (stopped || waiting) return;
    waiting = later('audit', delayMs, () => {
      waiting = undefined;
      void flush();
    });
  }

  function flush(): Promise<void> {
    flushing ??= runInBackground('audit', async () => {
      try {
        if (held.size > 0) await sendHeld();
        if (!redis.isReady) return;
        if (!(await leads())) return schedule(BUSY_MS);
        await sendKept('+');
        backlog = 0;
        await redis.del(SENDER);
      } catch (error) {
        await tellWaiting(error);
        schedule(RETRY_MS);
      }
    }).finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  async function leads(): Promise<boolean> {
    const expiration = { type: 'PX', value: SENDER_MS } as const;
    if ((await redis.set(SENDER, me, { condition: 'NX', expiration })) !== null) return true;
    return (await redis.get(SENDER)) === me && (await redis.pExpire(SENDER, SENDER_MS)) === 1;
  }

  /** Sends what stands in the stream up to the entry `last`, oldest first. */
  async function sendKept(last: string): Promise<void> {
    for (;;) {
      const found = await redis.xRange(STREAM, '-', last, { COUNT: BATCH_SIZE });
      const batch = (found ?? []).flatMap((entry) => (entry ? [readEntry(entry)] : []));
      if (batch.length === 0) return;
      await send(batch);
      if (redis.isReady) await redis.pExpire(SENDER, SENDER_MS);
    }
  }

  /** A batch with a record that identity cannot take is taken apart until only that one is left, which is parked. */
  async function send(batch: readonly Kept[]): Promise<void> {
    try {
      await record(batch.map((kept) => kept.record));
    } catch (error) {
      if (isPassing(error)) throw error;
      if (batch.length === 1) return refuse(batch[0]!, error);
      const middle = Math.ceil(batch.length / 2);
      await send(batch.slice(0, middle));
      return send(batch.slice(middle));
    }
    const ids = batch.map(({ id }) => id);
    await redis.xDel(STREAM, ids);
    for (const id of ids) attempts.delete(id);
  }

  async function refuse({ id, record: refused }: Kept, error: unknown): Promise<void> {
    const count = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, count);
    if (count < ATTEMPTS_MAX) throw error;
    logger.error({ err: error, action: refused.action }, 'an audit record was parked');
    // In this order: who dies in between has it parked twice, and never lost.
    await redis.xAdd(PARKED, '*', { record: JSON.stringify(refused) });
    await redis.xDel(STREAM, id);
    attempts.delete(id);
  }

  /** Everything that waits in memory, to Redis if it is back, else to identity. */
  function sendHeld(): Promise<void> {
    holding ??= runInBackground('audit', async () => {
      const records = [...held].slice(0, BATCH_SIZE);
      if (redis.isReady) await Promise.all(records.map(put));
      else await record(records);
      for (const sent of records) held.delete(sent);
    }).finally(() => {
      holding = undefined;
    });
    return holding;
  }

  async function put(kept: AuditRecord): Promise<void> {
    const adding = redis.xAdd(STREAM, '*', { record: JSON.stringify(kept) });
    await within(KEEP_MS_MAX, adding);
  }

  /** Gathers what others want sent in the same turn, then waits for it; gives up after a while, the record stays held. */
  async function hold(kept: AuditRecord): Promise<void> {
    held.add(kept);
    schedule(FLUSH_MS);
    const until = Date.now() + HOLD_MS_MAX;
    while (held.has(kept) && Date.now() < until) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      await within(until - Date.now(), sendHeld()).catch(() => pause(BUSY_MS));
    }
  }

  const record = (records: AuditRecord[]): Promise<unknown> =>
    runInBackground('audit', () => identity.RecordAudits({ records }), {
      deadlineAt: Date.now() + SEND_MS_MAX,
    });

  async function tellWaiting(error: unknown): Promise<void> {
    backlog = await redis.xLen(STREAM).catch(() => backlog);
    auditBacklog.set(backlog + held.size);
    logger.warn({ err: error, kept: backlog, held: held.size }, 'audit records wait for identity');
  }

  const sweeping = every('audit', SWEEP_MS, () => void flush());
  schedule(FLUSH_MS);

  return {
    admit() {
      if (held.size < HELD_MAX && backlog < BACKLOG_MAX) return;
      throw platform.serviceUnavailable({
        message: 'no change can be recorded at the moment',
        retryAfterSeconds: 5,
      });
    },

    async keep(kept) {
      try {
        if (!redis.isReady) throw new Error('Redis is away');
        await put(kept);
        schedule(FLUSH_MS);
      } catch (error) {
        logger.warn({ err: error }, 'audit records go to identity without Redis');
        await hold(kept);
      }
    },

    async settle() {
      try {
        if (held.size > 0) await sendHeld();
        if (!redis.isReady) return;
        const newest = (await redis.xRevRange(STREAM, '+', '-', { COUNT: 1 }))?.[0];
        if (newest) await sendKept(newest.id);
      } catch (error) {
        await tellWaiting(error);
      }
    },

    async stop() {
      sweeping.cancel();
      waiting?.cancel();
      await flushing;
      await flush();
      stopped = true;
      waiting?.cancel();
      // Both places are away: the log is the last one.
      for (const lost of held) logger.error({ audit: lost }, 'an audit record was not kept');
    },
  };
}

function readEntry({ id, message }: { id: string; message: Record<string, string> }): Kept {
  return { id, record: JSON.parse(message.record!) as AuditRecord };
}

/** Identity is away, busy or slow: the same records are welcome a little later. */
function isPassing(error: unknown): boolean {
  return error instanceof Refusal && (error.httpStatus >= 500 || error.httpStatus === 429);
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), Math.max(ms, 0));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
