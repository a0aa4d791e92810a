import { currentContext, sandboxAheadMs } from '@laurel/lifecycle';
import type { Connection, Session } from '@laurel/mongo';

type Listener = (at: number) => void;

/** Says to whoever works off the rows of a collection, in this process, that some are or will be due. */
export interface Wakes {
  /**
   * Wakes those who work these rows off: at once, or for a moment that is still to come, which need not be said of what
   * is further away than a sweep looks. Given the session of a transaction it waits until that has ended, for nobody can
   * find the rows before.
   */
  wake(session?: Session, at?: Date): void;
  /** Calls `listener` with the time in epoch milliseconds from which on something is due; returns how to end that. */
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

function createWakes(): Wakes {
  const listeners = new Set<Listener>();
  /** What each open transaction asked for, to be told at its end. */
  const waiting = new WeakMap<Session, Set<number>>();
  const tell = (at: number): void => {
    for (const listener of listeners) listener(at);
  };
  return {
    wake(session, at) {
      // What a sandbox calls noon may be this morning by the timers that are set for it.
      const ahead = (at && sandboxAheadMs(currentContext().workspaceId)) ?? 0;
      const moment = at ? at.getTime() - ahead : 0;
      if (!session) return tell(moment);
      const asked = waiting.get(session);
      // A transaction that is run again asks again.
      if (asked) {
        asked.add(moment);
        return;
      }
      const moments = new Set([moment]);
      waiting.set(session, moments);
      session.once('ended', () => moments.forEach(tell));
    },
    onWake(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
