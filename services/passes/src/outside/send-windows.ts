import { LRUCache } from 'lru-cache';

/** Under way at once to somebody of whom nothing is known, or who failed last. */
const SIZE_MIN = 4;
/** Under way at once to somebody who answers. */
const SIZE_MAX = 64;
const KEPT_MAX = 10_000;

interface Window {
  size: number;
  underWay: number;
  waiting: (() => void)[];
}

export type SendWindows = ReturnType<typeof createSendWindows>;

/**
 * Bounds what is under way at once, for each key by itself: few until answers come, one more with each answer, few again
 * after a failure. A receiver that does not answer has little in hand before the others hear of it, and takes no room of theirs.
 */
export function createSendWindows() {
  const windows = new LRUCache<string, Window>({ max: KEPT_MAX });

  function windowOf(key: string): Window {
    const window = windows.get(key) ?? { size: SIZE_MIN, underWay: 0, waiting: [] };
    windows.set(key, window);
    return window;
  }

  return {
    async through<T>(key: string, send: () => Promise<T>): Promise<T> {
      const window = windowOf(key);
      if (window.underWay >= window.size)
        await new Promise<void>((resolve) => window.waiting.push(resolve));
      else window.underWay += 1;
      try {
        const sent = await send();
        window.size = Math.min(window.size + 1, SIZE_MAX);
        return sent;
      } catch (error) {
        window.size = SIZE_MIN;
        throw error;
      } finally {
        window.underWay -= 1;
        letIn(window);
      }
    },
  };
}

/** A request that is let in is counted at once, so that no other slips in between. */
function letIn(window: Window): void {
  while (window.waiting.length > 0 && window.underWay < window.size) {
    window.underWay += 1;
    window.waiting.shift()!();
  }
}
