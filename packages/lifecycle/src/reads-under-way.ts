import { mayFail } from './may-fail';
import { within } from './within';

/** Half of what a caller has time for as a rule: who asks behind a read whose answer is lost is answered in time. */
const SILENT_MS_MAX = 5_000;
/** So long at most is a reply of the store waited for. */
const LOST_MS_MAX = 120_000;

/**
 * The reads of one question: one at a time. Of one that has been silent for long the answer may be lost, so the next begins
 * beside it, up to `countMax` of them. One more waits for the end of any, however long that takes: slow reads look the same,
 * and a store that is slow must not be asked the same more often for it. One who asks at a time.
 */
export function createReadsUnderWay(countMax: number) {
  const reads: { ended: Promise<void>; since: number }[] = [];

  return {
    /** Resolves when the next read may begin. */
    async turn(): Promise<void> {
      const oldest = reads[0];
      const newest = reads.at(-1);
      if (oldest === undefined || newest === undefined) return;
      const end =
        reads.length < countMax ? newest.since + SILENT_MS_MAX : oldest.since + LOST_MS_MAX;
      const msLeft = end - performance.now();
      if (msLeft <= 0) return;
      await within(msLeft, Promise.race(reads.map(({ ended }) => ended)), () => undefined);
    },

    /** Takes on a read that has just begun; `onIdle` is called at an end after which none is under way. */
    begun(read: Promise<unknown>, onIdle?: () => void): void {
      const settled = read.then(() => undefined, mayFail('its callers hear of it'));
      const ended = settled.then(() => {
        const at = reads.indexOf(own);
        if (at >= 0) reads.splice(at, 1);
        if (reads.length === 0) onIdle?.();
      });
      const own = { ended, since: performance.now() };
      reads.push(own);
      if (reads.length > countMax) reads.shift();
    },
  };
}
