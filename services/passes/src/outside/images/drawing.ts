import { platform } from '@laurel/errors';
import { createInTurn, createTurnstile } from '@laurel/lifecycle';

/** Pictures that are drawn at once, of all workspaces: what they leave of the four threads is for all else that needs one. */
const AT_ONCE = 2;
/** Files in memory, those that are drawn among them: what is drawn next is there by then, and of no more workspaces. */
const OPEN_AT_ONCE = 4;
/** Of one workspace so many pictures wait; a page with a catalogue asks for some dozens at once. */
const WAITING_MAX = 60;
/** What was last asked for longer ago is not drawn: its callers are about to go, and would leave the work behind. */
const WAIT_MS_MAX = 5_000;

/** A picture of a workspace in another size. */
interface Wanted<File, Drawn> {
  workspaceId: string;
  /** The same for all who want the same picture. */
  key: string;
  open(): Promise<File>;
  draw(file: File): Promise<Drawn>;
}

/**
 * Draws a picture when there is room for it, once for all who ask for it by then; refuses SERVICE_UNAVAILABLE where too many
 * others wait, or it took too long until there was room.
 */
export type Drawing<File, Drawn> = (wanted: Wanted<File, Drawn>) => Promise<Drawn>;

/** A picture that is on its way. */
interface OnItsWay<Drawn> {
  drawn: Promise<Drawn>;
  /** When it was asked for last. */
  askedAt: number;
}

const comeAgain = () => platform.serviceUnavailable({ retryAfterSeconds: 2 });

/**
 * Anyone may ask for a picture in any size, and a large one takes a core for half a second: one workspace draws one at a
 * time, so that a caller who asks for many of one holds up that one alone.
 */
export function createDrawing<File, Drawn>(
  now: () => number = () => performance.now(),
): Drawing<File, Drawn> {
  const ofWorkspace = createInTurn();
  const opened = createTurnstile(OPEN_AT_ONCE);
  const among = createTurnstile(AT_ONCE);
  const present = new Map<string, Map<string, OnItsWay<Drawn>>>();

  async function drawInTurn({ workspaceId, key, open, draw }: Wanted<File, Drawn>): Promise<Drawn> {
    const ofThis = present.get(workspaceId)!;
    const requireInTime = (): void => {
      if (now() - ofThis.get(key)!.askedAt > WAIT_MS_MAX) throw comeAgain();
    };
    const openAndDraw = async (): Promise<Drawn> => {
      requireInTime();
      const file = await open();
      return among(() => {
        requireInTime();
        return draw(file);
      });
    };
    try {
      return await ofWorkspace(workspaceId, () => opened(openAndDraw));
    } finally {
      ofThis.delete(key);
      if (ofThis.size === 0) present.delete(workspaceId);
    }
  }

  return async (wanted) => {
    const { workspaceId, key } = wanted;
    const ofThis = present.get(workspaceId) ?? new Map<string, OnItsWay<Drawn>>();
    const same = ofThis.get(key);
    if (same) {
      same.askedAt = now();
      return same.drawn;
    }
    if (ofThis.size > WAITING_MAX) throw comeAgain();
    present.set(workspaceId, ofThis);
    const drawn = drawInTurn(wanted);
    ofThis.set(key, { drawn, askedAt: now() });
    return drawn;
  };
}
