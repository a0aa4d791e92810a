import { resealAll } from './reseal';
import type { SealedRows } from './sealed-rows';
import type { Vault } from './vault';

const HOUR_MS = 3_600_000;

interface Resealing<Row extends { _id: string }> {
  /** What is sealed: `reseal-webhooks`. */
  name: string;
  rows: SealedRows<Row>;
  vault: Vault;
  logger: {
    info(what: object, message: string): void;
    error(what: object, message: string): void;
  };
}

/**
 * The row in jobs.ts of a store that seals: finishes a rotation of keys, at the start, and every hour for what a replica
 * still on the other key wrote meanwhile. Says in the log when nothing needs the other key any more, and when something
 * needs one that is gone.
 */
export function resealJob<Row extends { _id: string }>({
  name,
  rows,
  vault,
  logger,
}: Resealing<Row>) {
  return {
    name,
    every: HOUR_MS,
    work: async (): Promise<undefined> => {
      const first = await resealAll(vault, rows);
      if (first.resealed > 0) logger.info({ rows: first.resealed }, `${name}: sealed anew`);
      const left = first.resealed > 0 ? await resealAll(vault, rows) : first;
      if (left.unreadable.length > 0)
        logger.error(
          { rows: left.unreadable.length, first: left.unreadable[0] },
          `${name}: rows are sealed with a key that was taken away, to be given as SECRETS_KEY_PREVIOUS, or were damaged`,
        );
      else if (left.resealed === 0 && vault.readsOtherKey)
        logger.info({}, `${name}: nothing needs SECRETS_KEY_PREVIOUS any more`);
    },
  };
}
