import { runInBackground, within } from '@laurel/lifecycle';
import { type AuditRecord, BATCH_SIZE } from './audit-stream';

const BUSY_MS = 250;
const HOLD_MS_MAX = 2_000;

/** Audit records that only this process has, while Redis is away. */
export class HeldAudits {
  private readonly held = new Set<AuditRecord>();
  private readonly pass: (records: AuditRecord[]) => Promise<unknown>;
  private sending: Promise<void> | undefined;

  /** @param pass brings records to where the end of this process does not reach them */
  constructor(pass: (records: AuditRecord[]) => Promise<unknown>) {
    this.pass = pass;
  }

  get size(): number {
    return this.held.size;
  }

  /** What is not taken yet. */
  get left(): Iterable<AuditRecord> {
    return this.held;
  }

  /** Gathers what others want sent in the same turn, then waits for it; gives up after a while, the record stays held. */
  async hold(record: AuditRecord): Promise<void> {
    this.held.add(record);
    const until = Date.now() + HOLD_MS_MAX;
    while (this.held.has(record) && Date.now() < until) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      await within(until - Date.now(), this.send()).catch(() => pause(BUSY_MS));
    }
  }

  /** Passes on a batch of what is held; those who ask meanwhile wait for the same. */
  send(): Promise<void> {
    this.sending ??= runInBackground('audit', async () => {
      const records = [...this.held].slice(0, BATCH_SIZE);
      await this.pass(records);
      for (const sent of records) this.held.delete(sent);
    }).finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
