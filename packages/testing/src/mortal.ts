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

/** What a process asks of others, one call after another, until it is killed. */
class Life {
  readonly died: Promise<'died'>;
  isDead = false;
  isArmed = false;
  /** What the server does when the connections of the process break. */
  readonly undo: (() => Promise<void>)[] = [];
  private calls = 0;
  /** What other steps of the process are asking meanwhile. */
  private readonly underWay = new Set<Promise<unknown>>();
  private announce: (value: 'died') => void = () => {};
  private readonly never = new Promise<never>(() => {});

  constructor(private readonly death: Death) {
    this.died = new Promise((resolve) => {
      this.announce = resolve;
    });
  }

  async call<T>(work: () => Promise<T>): Promise<T> {
    if (this.isDead) return this.never;
    if (this.isArmed) this.calls += 1;
    const isLast = this.isArmed && this.death.atCall === this.calls;
    if (isLast && this.death.when === 'before') return this.die();
    const result = await this.asking(work());
    if (this.isDead) return this.never;
    return isLast ? this.die() : result;
  }

  private async asking<T>(answer: Promise<T>): Promise<T> {
    this.underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.underWay.delete(answer);
    }
  }

  private async die(): Promise<never> {
    this.isDead = true;
    // An abort that overtakes the first write of its transaction would leave it open for a minute, with all that it locks.
    await Promise.allSettled(this.underWay);
    for (const step of this.undo) await step();
    this.announce('died');
    return this.never;
  }
}

/** The same object, whose functions count as calls: those that are named, or all. */
function counted<T extends object>(
  life: Life,
  real: T,
  {
    isCall = () => true,
    wrapped = (_name, result) => result,
  }: {
    isCall?: (name: string) => boolean;
    /** What another function gives back, as the process sees it. */
    wrapped?: (name: string, result: unknown) => unknown;
  } = {},
): T {
  return new Proxy(real, {
    get(target, property) {
      const value = Reflect.get(target, property) as unknown;
      if (typeof value !== 'function') return value;
      const name = String(property);
      return (...given: unknown[]) =>
        isCall(name)
          ? life.call(() => value.apply(target, given) as Promise<unknown>)
          : wrapped(name, value.apply(target, given));
    },
  });
}

function countedCursor<T extends object>(life: Life, cursor: T): T {
  return counted(life, cursor, {
    isCall: (name) => name === 'toArray',
    wrapped: (_name, result) => (result === cursor ? countedCursor(life, cursor) : result),
  });
}

const countedCollection = <T extends object>(life: Life, collection: T): T =>
  counted(life, collection, {
    isCall: (name) => METHODS.has(name),
    wrapped: (name, result) =>
      name === 'find' || name === 'aggregate' ? countedCursor(life, result as object) : result,
  });

async function countedSession(life: Life, real: Connection) {
  const session = await real.startSession();
  const commit = session.commitTransaction.bind(session);
  session.commitTransaction = () => life.call(commit);
  life.undo.push(async () => {
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
    await session.endSession().catch(() => undefined);
  });
  return session;
}

/**
 * A connection as a process sees it that is killed with SIGKILL at a given call: that call is made or
 * not, its answer never arrives, and nothing the process wanted to do after it happens. What the server does
 * when a connection breaks happens too: open transactions are undone.
 */
export function mortal(real: Connection, death: Death): Mortal {
  const life = new Life(death);
  const connection = new Proxy(real, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name === 'collection')
        return (collection: string) => countedCollection(life, target.collection(collection));
      if (name === 'startSession') return () => countedSession(life, real);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    connection,
    peer: (realPeer) => counted(life, realPeer),
    died: life.died,
    isDead: () => life.isDead,
    arm: () => {
      life.isArmed = true;
    },
  };
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
  for (let atCall = 1; atCall <= callsMax; atCall += 1) {
    if (!(await run({ atCall, when }))) continue;
    // A replica that is not wired to die would get through every test of a crash.
    if (atCall === 1) throw new Error('the command makes no call that it could die at');
    return atCall - 1;
  }
  throw new Error(`the command makes more than ${callsMax} calls`);
}
