import type { RowsJob } from './job';

/** Rows of an earlier version are looked for that often: its replicas may write some until the last of them is gone. */
const ADOPT_MS = 60_000;

/**
 * Makes rows that an earlier version wrote due by today's column. At the start, and every minute after it, because an
 * upgrade goes replica by replica; where no such row was ever written the first look finds no index of theirs, and none
 * follows.
 */
export function adoptAtStart({ due, clock }: RowsJob): () => Promise<void> {
  let wanted: boolean | undefined;
  let nextAt = 0;
  return async () => {
    if (wanted === false || performance.now() < nextAt) return;
    wanted ??= (await due.hasFormerRows?.()) ?? false;
    if (!wanted) return;
    nextAt = performance.now() + ADOPT_MS;
    await due.adopt?.(clock?.now() ?? new Date());
  };
}
