import type { Redis } from '@laurel/backend';
import { platform } from '@laurel/errors';
import { every, type Logger, later, mayFail, runInBackground, type Timer } from '@laurel/lifecycle';
import type { RpcClients } from '../rpc-clients';
import { type AuditRecord, AuditStream } from './audit-stream';
import { HeldAudits } from './held-audits';
import { auditBacklog } from './metrics';
import { createRareWarning } from './rare-warning';

/** Records stand safe meanwhile, and a reader of the log has them sent first: gathering costs nothing. */
const FLUSH_MS = 250;
const BUSY_MS = 250;
const RETRY_MS = 1_000;
const SWEEP_MS = 10_000;
const SEND_MS_MAX = 10_000;
const HELD_MAX = 5_000;
const BACKLOG_MAX = 1_000_000;

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
  const deliver = (records: AuditRecord[]): Promise<unknown> =>
    runInBackground('audit', () => identity.RecordAudits({ records }), {
      deadlineAt: Date.now() + SEND_MS_MAX,
    });
  const stream = new AuditStream({ redis, logger, deliver });
  // A Redis that hangs counts as ready until its connection is found silent: identity takes what it does not.
  const held = new HeldAudits(async (records) => {
    const keep = () => Promise.all(records.map((record) => stream.put(record)));
    const isKept = redis.isReady && (await keep().then(() => true, mayFail('identity takes them')));
    if (!isKept) await deliver(records);
  });
  const backlog = createBacklog({ stream, held, logger });
  const warnWithoutRedis = createRareWarning(logger, 'audit records go to identity without Redis');
  const flushing = createFlushing(async () => {
    try {
      if (held.size > 0) await held.send();
      if (!redis.isReady) return null;
      if (!(await stream.leads())) return BUSY_MS;
      await stream.sendAll();
      backlog.clear();
      await stream.resign();
      return null;
    } catch (error) {
      await backlog.report(error);
      return RETRY_MS;
    }
  });

  return {
    admit() {
      if (!backlog.isFull()) return;
      throw platform.serviceUnavailable({
        message: 'no change can be recorded at the moment',
        retryAfterSeconds: 5,
      });
    },

    async keep(record) {
      try {
        if (!redis.isReady) throw new Error('Redis is away');
        await stream.put(record);
        flushing.schedule(FLUSH_MS);
      } catch (error) {
        warnWithoutRedis(error);
        flushing.schedule(FLUSH_MS);
        await held.hold(record);
      }
    },

    async settle() {
      try {
        if (held.size > 0) await held.send();
        if (redis.isReady) await stream.sendWhatStands();
      } catch (error) {
        await backlog.report(error);
      }
    },

    async stop() {
      await flushing.stop();
      // Both places are away: the log is the last one.
      for (const lost of held.left) logger.error({ audit: lost }, 'an audit record was not kept');
    },
  };
}

/** How much waits for identity, as far as this gateway has seen. */
function createBacklog({
  stream,
  held,
  logger,
}: {
  stream: AuditStream;
  held: HeldAudits;
  logger: Logger;
}) {
  let kept = 0;
  return {
    isFull: (): boolean => held.size >= HELD_MAX || kept >= BACKLOG_MAX,
    clear(): void {
      kept = 0;
      auditBacklog.set(held.size);
    },
    async report(error: unknown): Promise<void> {
      kept = await stream.length().catch(() => kept);
      auditBacklog.set(kept + held.size);
      logger.warn({ err: error, kept, held: held.size }, 'audit records wait for identity');
    },
  };
}

/**
 * Flushes soon after it is scheduled, and now and then by itself; never twice at once.
 *
 * @param flush resolves with after how many milliseconds it is to be tried again; null where all is done
 */
function createFlushing(flush: () => Promise<number | null>) {
  let waiting: Timer | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  function schedule(delayMs: number): void {
    if (stopped || waiting) return;
    waiting = later('audit', delayMs, () => {
      waiting = undefined;
      void run();
    });
  }

  function run(): Promise<void> {
    running ??= runInBackground('audit', async () => {
      const againInMs = await flush();
      if (againInMs !== null) schedule(againInMs);
    }).finally(() => {
      running = undefined;
    });
    return running;
  }

  const sweeping = every('audit', SWEEP_MS, () => void run());
  schedule(FLUSH_MS);

  return {
    schedule,
    /** Flushes once more, and then no more. */
    async stop(): Promise<void> {
      sweeping.cancel();
      waiting?.cancel();
      await running;
      await run();
      stopped = true;
      waiting?.cancel();
    },
  };
}
