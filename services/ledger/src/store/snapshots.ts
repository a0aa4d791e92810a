import { type Logger, runInBackground } from '@laurel/lifecycle';
import type { Head } from './head';
import type { Heads } from './heads';
import type { WalletStore } from './wallets';

const BATCH_SIZE = 500;
const RETRY_MS = 200;
const REMEMBERED_MAX = 50_000;

export type Snapshots = ReturnType<typeof createSnapshots>;

/** Lets the snapshots follow the log in bulk: at once when idle, gathering while a write is in flight. */
export function createSnapshots({
  wallets,
  heads,
  logger,
}: {
  wallets: WalletStore;
  heads: Heads;
  logger: Logger;
}) {
  const waiting = new Map<string, Head>();
  /** Sequences at which snapshots surely stand, because they were written here. */
  const standing = new Map<string, number>();
  let running: Promise<void> | null = null;

  async function save(batch: readonly Head[]): Promise<void> {
    if (!(await wallets.save(batch))) return;
    for (const { ref, wallet } of batch) {
      standing.delete(ref.id);
      standing.set(ref.id, wallet.sequence);
      if (standing.size > REMEMBERED_MAX) standing.delete(standing.keys().next().value!);
    }
  }

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()].slice(0, BATCH_SIZE);
      for (const head of batch) waiting.delete(head.ref.id);
      try {
        await save(batch);
      } catch (error) {
        logger.warn({ err: error, wallets: batch.length }, 'snapshots could not be written');
        for (const head of batch) putBack(head);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    running = null;
  }

  function putBack(head: Head): void {
    const newer = waiting.get(head.ref.id);
    if (!newer || newer.wallet.sequence < head.wallet.sequence) waiting.set(head.ref.id, head);
  }

  return {
    /** Asks for a snapshot at `head`; does not wait for it. */
    follow(head: Head): void {
      putBack(head);
      running ??= runInBackground('ledger.snapshots', run);
    },

    /** Resolves when every snapshot asked for so far stands. */
    async settled(): Promise<void> {
      while (running !== null) await running;
    },

    /** Sees to it that the snapshots of some wallets stand at least where their entries are. */
    async ensure(needed: readonly { head: Head['ref']; sequence: number }[]): Promise<void> {
      while (running !== null) await running;
      const unsure = needed.filter(({ head, sequence }) => (standing.get(head.id) ?? 0) < sequence);
      if (unsure.length === 0) return;
      const reached = await wallets.sequences([...new Set(unsure.map(({ head }) => head.id))]);
      const lagging = unsure.filter(({ head, sequence }) => (reached.get(head.id) ?? 0) < sequence);
      const refs = [...new Map(lagging.map(({ head }) => [head.id, head])).values()];
      const fresh = await heads.proven(refs);
      await save([...fresh.values()]);
    },
  };
}
