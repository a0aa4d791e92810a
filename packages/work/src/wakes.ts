import { currentContext, sandboxAheadMs } from '@laurel/lifecycle';
import { type Connection, onEnded, type Session } from '@laurel/mongo';
import type { Owner } from './passes';

/** By whose clock something is due; undefined where its writer did so for several at once. */
type Whose = Owner | undefined;
type Listener = (at: number, whose: Whose) => void;

/** Says to who works off the rows of a collection, in this process, that some are or will be due. */
export interface Wakes {
  /**
   * Wakes those who work these rows off: at once, or for a moment that is still to come, which need not be said of what
   * is further away than a sweep looks. Given the session of a transaction it waits until that has ended, for no worker can
   * find the rows before.
   */
  wake(session?: Session, at?: Date): void;
  /** Calls `listener` with the real time in epoch milliseconds from which on something is due, and by whose clock; returns how to end that. */
  onWake(listener: Listener): () => void;
}

const known = new WeakMap<Connection, Map<string, Wakes>>();

/** The wake-ups of one kind of rows of one database, the same for all who ask in this process. */
export function wakesOf(connection: Connection, name: string): Wakes {
  let ofConnection = known.get(connection);
  if (!ofConnection) {
    ofConnection = new Map();
    known.set(connection, ofConnection);
  }
  let wakes = ofConnection.get(name);
  if (!wakes) {
    wakes = createWakes();
    ofConnection.set(name, wakes);
  }
  return wakes;
}

interface Wanted {
  at: number;
  whose: Whose;
}

function createWakes(): Wakes {
  const listeners = new Set<Listener>();
  /** What each open transaction asked for, to be sent at its end. */
  const waiting = new WeakMap<Session, Map<string, Wanted>>();
  const tell = ({ at, whose }: Wanted): void => {
    for (const listener of listeners) listener(at, whose);
  };
  return {
    wake(session, at) {
      const wanted = wantedNow(at);
      if (!session) return tell(wanted);
      const name = `${wanted.whose} ${wanted.at}`;
      const asked = waiting.get(session);
      // A transaction that is run again asks again.
      if (asked) {
        asked.set(name, wanted);
        return;
      }
      const all = new Map([[name, wanted]]);
      waiting.set(session, all);
      onEnded(session, () => all.forEach(tell));
    },
    onWake(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What a sandbox calls noon may be this morning by the timers that are set for it. */
function wantedNow(at: Date | undefined): Wanted {
  const { workspaceId } = currentContext();
  const aheadMs = sandboxAheadMs(workspaceId) ?? 0;
  const whose = workspaceId === null ? undefined : aheadMs > 0 ? workspaceId : null;
  return { at: at ? at.getTime() - aheadMs : 0, whose };
}
