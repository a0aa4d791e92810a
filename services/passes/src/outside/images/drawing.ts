import { platform } from '@laurel/errors';
import { createInTurn, createTurnstile } from '@laurel/lifecycle';

/** Pictures that are drawn at once, of all workspaces: what they leave of the four threads is for all else that needs one. */
const AT_ONCE = 2;
/** Of one workspace so many wait; a page with a catalogue asks for some dozens at once. */
const WAITING_MAX = 60;
/** Who has waited longer is asked to come again: their caller is about to go, and would leave the work behind. */
const WAIT_MS_MAX = 5_000;

/** Draws a picture of a workspace when there is room for it; refuses SERVICE_UNAVAILABLE where too many wait. */
export type Drawing = <T>(workspaceId: string, draw: () => Promise<T>) => Promise<T>;

/**
 * Anyone may ask for a picture in any size, and a large one takes a core for half a second: one workspace draws one at a
 * time, so that a caller who asks for many of one holds up that one alone.
 */
export function createDrawing(now: () => number = () => performance.now()): Drawing {
  const ofWorkspace = createInTurn();
  const among = createTurnstile(AT_ONCE);
  const present = new Map<string, number>();

  return async (workspaceId, draw) => {
    const before = present.get(workspaceId) ?? 0;
    if (before > WAITING_MAX) throw platform.serviceUnavailable({ retryAfterSeconds: 2 });
    present.set(workspaceId, before + 1);
    const since = now();
    const inTime = () => {
      if (now() - since > WAIT_MS_MAX) throw platform.serviceUnavailable({ retryAfterSeconds: 2 });
      return draw();
    };
    try {
      return await ofWorkspace(workspaceId, () => among(inTime));
    } finally {
      const left = present.get(workspaceId)! - 1;
      if (left === 0) present.delete(workspaceId);
      else present.set(workspaceId, left);
    }
  };
}
