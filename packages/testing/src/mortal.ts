import type { Connection } from '@laurel/mongo';

/** Kills a process at one of its calls to the store or to other services. */
export interface Death {
  /** Counted from 1, over everything that the process asks of others. */
  atCall: number;
  when: 'before' | 'after';
}

export interface Mortal {
  connection: Connection;
  /** Another service as the process sees it: its calls count, too. */
  peer<T extends object>(real: T): T;
  /** Resolves when the process died. */
  died: Promise<'died'>;
  isDead(): boolean;
  /** Calls count from here on. */
  arm(): void;
}

const METHODS = new Set([
  'insertOne',
  'insertMany',
  'bulkWrite',
  'replaceOne',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'findOne',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
  'countDocuments',
  'distinct',
]);

/**
 * A connection as a process sees it that is killed with SIGKILL at a given call: that call is made or
 * not, its answer never arrives, and nothing the process wanted to do after it happens. What the server does
 * when a connection breaks happens too: open transactions are undone.
 */
export function mortal(real: Connection, death: Death): Mortal {
  let calls = 0;
  let dead = false;
  let armed = false;
  const undo: (() => Promise<void>)[] = [];
  let announce: (value: 'died') => void = () => {};
  const died = new Promise<'died'>((resolve) => {
    announce = resolve;
  });
  const never = new Promise<never>(() => {});

  async function call<T>(work: () => Promise<T>): Promise<T> {
    if (dead) return never;
    if (armed) calls += 1;
    const last = armed && death.atCall === calls;
    if (last && death.when === 'before') return die();
    const result = await work();
    if (dead) return never;
    return last ? die() : result;
  }

  async function die(): Promise<never> {
    dead = true;
    for (const step of undo) await step();
    announce('died');
    return never;
  }

  function wrapCursor<T extends object>(cursor: T): T {
    return new Proxy(cursor, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (name === 'toArray') return call(() => value.apply(target, given) as Promise<unknown>);
          const result = value.apply(target, given) as unknown;
          return result === target ? wrapCursor(target) : result;
        };
      },
    });
  }

  function wrapCollection<T extends object>(collection: T): T {
    return new Proxy(collection, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (METHODS.has(String(name)))
            return call(() => value.apply(target, given) as Promise<unknown>);
          const result = value.apply(target, given) as unknown;
          return name === 'find' || name === 'aggregate' ? wrapCursor(result as object) : result;
        };
      },
    });
  }

  const connection = new Proxy(real, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name === 'collection')
        return (collection: string) => wrapCollection(target.collection(collection));
      if (name === 'startSession') return startSession;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

  async function startSession() {
    const session = await real.startSession();
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = () => call(commit);
    undo.push(async () => {
      if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
      await session.endSession().catch(() => undefined);
    });
    return session;
  }

  function peer<T extends object>(realPeer: T): T {
    return new Proxy(realPeer, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => call(() => value.apply(target, given) as Promise<unknown>);
      },
    });
  }

  const arm = (): void => {
    armed = true;
  };
  return { connection, peer, died, isDead: () => dead, arm };
}

/**
 * Runs what a command is to survive, once for each call it makes: killed before the first, the second, ... until it
 * gets through. `run` resolves with whether it did.
 */
export async function atEveryCall(
  when: Death['when'],
  run: (death: Death) => Promise<boolean>,
  callsMax = 80,
): Promise<number> {
  for (let atCall = 1; atCall <= callsMax; atCall += 1)
    if (await run({ atCall, when })) return atCall - 1;
  throw new Error(`the command makes more than ${callsMax} calls`);
}
