import type { Logger } from '@laurel/lifecycle';
import type { Heads } from './heads';
import type { Head, WalletStore } from './wallets';

const BATCH_SIZE = 500;
const RETRY_MS = 200;

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
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()].slice(0, BATCH_SIZE);
      for (const head of batch) waiting.delete(head.ref.id);
      try {
        const written = await wallets.save(batch);
        for (const [id, sequence] of written) heads.lotsWritten(id, sequence);
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
      running ??= run();
    },

    /** Resolves when every snapshot asked for so far stands. */
    async settled(): Promise<void> {
      while (running !== null) await running;
    },

    /** Sees to it that the snapshots of some wallets stand at least where their entries are. */
    async ensure(needed: readonly { head: Head['ref']; sequence: number }[]): Promise<void> {
      while (running !== null) await running;
      const stored = await wallets.findMany([...new Set(needed.map(({ head }) => head.id))]);
      const reached = new Map(stored.map((wallet) => [wallet._id, wallet.sequence]));
      const lagging = needed.filter(({ head, sequence }) => (reached.get(head.id) ?? 0) < sequence);
      if (lagging.length === 0) return;
      const refs = [...new Map(lagging.map(({ head }) => [head.id, head])).values()];
      const fresh = await heads.proven(refs);
      await wallets.save([...fresh.values()]);
    },
  };
}
