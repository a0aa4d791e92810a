import { clockSkewMs, newKey, Refused } from '@laurel/page-kit';
import type { Executed } from '../shapes';
import {
  giveTo,
  isFull,
  mayGive,
  nextToSend,
  type QueueEvent,
  step,
  type Whose,
  type Wish,
} from './machine';
import type { WishStore } from './store';

/** The one who asked for the turn hears what became of it; the next one begins. */
const heardByItsCaller = (): undefined => undefined;

/** What the queue asks of the platform. */
export interface Platform {
  /** The id of the pass behind a code. */
  find(code: string): Promise<string>;
  /** Under the wish's key: sent again, it is answered again and not done again. */
  execute(wish: Wish): Promise<Executed>;
}

export type Outcome =
  | { state: 'done'; executed: Executed }
  | { state: 'kept' }
  | { state: 'unsure' }
  | { state: 'refused'; problem: { code: string; message: string } };

export interface Queue {
  all(): Promise<Wish[]>;
  /** Writes the wish down, sends what can be sent, and says what became of this one. */
  add(wish: Wish): Promise<Outcome>;
  /** Sends what waits; what gets no answer holds up its own card, and all where there is no network. */
  drain(): Promise<void>;
  /** Sends it again: under its key where it may have been done, and as another wish where it was refused. */
  askAgain(key: string): Promise<Outcome>;
  /**
   * Does what was refused for another customer, under a key of its own and in the place of the refused one: whatever becomes
   * of the page, once. Null where there is nothing left to give.
   */
  give(key: string, whose: Whose, newKey: string): Promise<Outcome | null>;
  /** Takes back what was never sent; false where it may have been. */
  withdraw(key: string): Promise<boolean>;
  dismiss(key: string): Promise<void>;
  /** Hears of every change. */
  subscribe(listener: () => void): () => void;
}

interface Dependencies {
  store: WishStore;
  platform: Platform;
  now?: () => number;
  skewMs?: () => number;
  /** One sender at a time, over all tabs of this browser. */
  alone?: <T>(work: () => Promise<T>) => Promise<T>;
}

export class QueueFull extends Error {}

export function createQueue({
  store,
  platform,
  now = Date.now,
  skewMs = clockSkewMs,
  alone = onlyHere(),
}: Dependencies): Queue {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  /** What is left of a wish after an event; null also where somebody has dismissed it meanwhile. */
  async function apply(key: string, event: QueueEvent): Promise<Wish | null> {
    const wish = (await store.all()).find((each) => each.key === key);
    if (!wish) return null;
    const left = step(wish, event);
    if (left) await store.put(left);
    else await store.remove(key);
    tell();
    return left;
  }

  const { want, drain } = createSender({ store, platform, now, skewMs, alone, apply });
  const corrections = createCorrections({ store, now, alone, tell, want, drain });

  return {
    all: () => store.all(),
    async add(wish) {
      if (isFull(await store.all())) throw new QueueFull();
      want(wish.key);
      await store.put(wish);
      tell();
      // It is written: to enter it once more, as a failure would ask for, would be another wish.
      return drain(wish.key).catch((): Outcome => ({ state: wish.mayWait ? 'kept' : 'unsure' }));
    },
    drain: async () => void (await drain()),
    async askAgain(key) {
      const refused = (await store.all()).find((wish) => wish.key === key);
      // The platform answers a key as it did, whatever was mended since: it is another wish by now.
      if (refused && mayGive(refused))
        return (await corrections.give(key, refused, newKey())) ?? { state: 'kept' };
      want(key);
      await apply(key, { type: 'asked again' });
      return drain(key);
    },
    ...corrections,
    async dismiss(key) {
      await store.remove(key);
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** So many cards without an answer end a turn: then it is no one wish that cannot be answered. */
const UNANSWERED_MAX = 3;

interface Sender {
  /** Notes that a person stands before it: what must not wait is sent only then. */
  want(key: string): void;
  /** @param wanted the key whose outcome is asked for */
  drain(wanted?: string): Promise<Outcome>;
}

/** Sends what waits, one after the other. */
function createSender({
  store,
  platform,
  now,
  skewMs,
  alone,
  apply,
}: Required<Dependencies> & {
  apply: (key: string, event: QueueEvent) => Promise<Wish | null>;
}): Sender {
  /** What became of what a person here waits for; another turn may have sent it. */
  const wantedHere = new Map<string, Outcome | null>();
  /** Over turns: those that never get an answer must not be all that every turn gets to. */
  const unanswered = new Set<string>();

  /** @returns what became of it, and what stands in the way of the next */
  async function send(wish: Wish): Promise<{ outcome: Outcome; trouble: Trouble | null }> {
    try {
      const passId = wish.passId ?? (await platform.find(wish.code));
      const moment = { now: now(), skewMs: skewMs() };
      const found = await apply(wish.key, { type: 'found', passId, ...moment });
      const executed = await platform.execute(found ?? { ...wish, passId });
      await apply(wish.key, { type: 'answered' });
      return { outcome: { state: 'done', executed }, trouble: null };
    } catch (error) {
      if (isDecided(error)) {
        const problem = { code: error.code, message: error.message };
        await apply(wish.key, { type: 'refused', problem });
        return { outcome: { state: 'refused', problem }, trouble: null };
      }
      const left = await apply(wish.key, { type: 'lost' });
      return { outcome: outcomeOf(left ?? undefined), trouble: troubleOf(error) };
    }
  }

  /** What must not wait and whose turn did not come, or whose page is gone, is over. */
  async function letGo(wishes: readonly Wish[], isOver: (wish: Wish) => boolean): Promise<void> {
    for (const wish of wishes)
      if (wish.state === 'waiting' && !wish.mayWait && isOver(wish))
        await apply(wish.key, { type: 'lost' });
  }

  function drain(wanted?: string): Promise<Outcome> {
    const turn = alone(async () => {
      await letGo(await store.all(), ({ key }) => !wantedHere.has(key));
      await sendAll();
      await letGo(await store.all(), ({ key }) => key === wanted);
      const seen = wanted === undefined ? null : wantedHere.get(wanted);
      return seen ?? outcomeOf((await store.all()).find(({ key }) => key === wanted));
    });
    return turn.finally(() => wanted !== undefined && wantedHere.delete(wanted));
  }

  async function sendAll(): Promise<void> {
    const passed = new Set<string>();
    for (;;) {
      const wish = nextToSend(await store.all(), now(), { passed, unanswered });
      if (!wish) return;
      const { outcome, trouble } = await send(wish);
      if (wantedHere.has(wish.key)) wantedHere.set(wish.key, outcome);
      unanswered.delete(wish.code);
      if (trouble) passed.add(wish.code);
      if (trouble === 'of this one') unanswered.add(wish.code);
      if (trouble === 'of all' || passed.size >= UNANSWERED_MAX) return;
    }
  }
  return { want: (key) => void wantedHere.set(key, null), drain };
}

/** Whether one wish got no answer, or none would. */
type Trouble = 'of this one' | 'of all';

function troubleOf(error: unknown): Trouble {
  return error instanceof Refused && error.status >= 400 && ![401, 429].includes(error.status)
    ? 'of this one'
    : 'of all';
}

/** What a person does about a wish that was refused, or was not sent yet. */
function createCorrections({
  store,
  now,
  alone,
  tell,
  want,
  drain,
}: Required<Pick<Dependencies, 'store' | 'now' | 'alone'>> & Sender & { tell: () => void }): Pick<
  Queue,
  'give' | 'withdraw'
> {
  return {
    async give(key, whose, newKey) {
      const refused = (await store.all()).find((wish) => wish.key === key);
      if (!refused || !mayGive(refused)) return null;
      const { code, name, passId } = whose;
      const given = giveTo(refused, { code, name, passId }, { key: newKey, at: now() });
      want(newKey);
      if (!(await store.replace(key, given))) return null;
      tell();
      return drain(newKey);
    },
    // In the turn of the sender: what is on its way has its pass by then.
    withdraw: (key) =>
      alone(async () => {
        const wish = (await store.all()).find((each) => each.key === key);
        if (!wish || wish.passId !== null) return false;
        await store.remove(key);
        tell();
        return true;
      }),
  };
}

/** What another tab has sent in the meantime is not known here; it is answered, else it would still be there. */
function outcomeOf(wish: Wish | undefined): Outcome {
  if (wish?.state === 'refused' && wish.problem) return { state: 'refused', problem: wish.problem };
  return { state: wish?.state === 'unsure' ? 'unsure' : 'kept' };
}

/** A refusal for good. Staff who are signed out (401) have not been refused: they pair again, and it is sent then. */
function isDecided(error: unknown): error is Refused {
  return error instanceof Refused && !error.isOpen && error.status !== 401;
}

/** By the browser's locks where it has them; one after the other within this page in any case. */
function onlyHere() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const locked = () =>
      globalThis.navigator?.locks
        ? (navigator.locks.request('laurel-till-queue', work) as Promise<T>)
        : work();
    const turn = last.then(locked, locked);
    last = turn.catch(heardByItsCaller);
    return turn;
  };
}
