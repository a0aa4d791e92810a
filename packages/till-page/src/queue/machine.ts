/**
 * The till's wishes and what becomes of each, as a pure machine: no clock, no network, no store. The queue that drives it
 * stores a wish before it is sent, and sends it again under the same key until there is an answer; the platform
 * answers a key once (part 3, section 1.3), so that nothing is lost and nothing is done twice.
 */

export interface Wish {
  /** Its Idempotency-Key, for as long as it lives. */
  key: string;
  /** What was scanned. */
  code: string;
  /** The customer's name as far as it was known. */
  name: string | null;
  /** The pass behind the code; null until the platform was reached. */
  passId: string | null;
  actionId: string;
  /** What was wished, in words: shown while it waits. */
  title: string;
  /** Of a purchase, which bears a date of its own; absent in a wish from before. */
  isPurchase?: boolean;
  data: Record<string, unknown>;
  /** When it was wished, in milliseconds. */
  at: number;
  /** When it happened, where that is not `at`: it was given to another customer since. */
  happened?: number;
  /** The moment that is sent with points, as they were late when they were sent first: a key is always about the same request. */
  occurredAt?: number;
  /** False for what must not happen later without the person knowing: then it is never sent by itself. */
  mayWait: boolean;
  /** `waiting` is sent when possible; `unsure` may have been done; `refused` was not. */
  state: 'waiting' | 'unsure' | 'refused';
  /** That it was sent and no answer came yet; `again` where an earlier sending was never answered and may have done it. */
  sent?: 'once' | 'again';
  /** Why it was refused, in a code of the platform and its sentence. */
  problem?: { code: string; message: string };
}

export type QueueEvent =
  /** Its pass is known, and it is about to be sent. */
  | { type: 'found'; passId: string; now: number; skewMs: number }
  | { type: 'answered' }
  | { type: 'refused'; problem: { code: string; message: string } }
  /** No answer, or one that decides nothing; or its turn went by. */
  | { type: 'lost' }
  /** The person wants it tried again. */
  | { type: 'asked again' };

/** What must not wait and was surely not sent is over, as if the network had refused it. */
const NOT_SENT = { code: 'UNREACHABLE', message: 'it was not sent' };

export const WISHES_MAX = 500;
const DAY_MS = 86_400_000;
/** Answers to a key are kept for 7 days: what is older could be done a second time. */
const SENT_MS_MAX = 6 * DAY_MS;
const LATE_MS = DAY_MS;

/** The moment of points is sent from here on: before, the platform's own clock is the better one. */
const TOLD_MS_MIN = 60_000;
/** The platform takes moments of the last 72 hours (part 4, execute); points that are older count from now on. */
const TOLD_MS_MAX = 71 * 3_600_000;

/**
 * What may wait tells when it happened: rules, limits and expiry go by that. A purchase is dated (part 2, Execute `data`) unless
 * staff have entered a date, also where it is sent at once: that it will wait is known when a try has failed, and a key is about
 * one request.
 *
 * @param skewMs from the clock of this phone to that of the platform, which takes nothing of the future
 */
function momentOf(
  { mayWait, isPurchase, data, at, happened = at }: Wish,
  { now, skewMs }: { now: number; skewMs: number },
): Partial<Pick<Wish, 'occurredAt' | 'data'>> {
  if (!mayWait) return {};
  const moment = happened + skewMs;
  if (isPurchase)
    return { data: { transaction_timestamp: new Date(moment).toISOString(), ...data } };
  const ago = now - happened;
  return ago < TOLD_MS_MIN || ago > TOLD_MS_MAX ? {} : { occurredAt: moment };
}

/** What is left of a wish after an event; null when it is done with. */
export function step(wish: Wish, event: QueueEvent): Wish | null {
  switch (event.type) {
    case 'found':
      // Once sent, a wish is never about another pass: it would be another request under the same key.
      return {
        ...wish,
        passId: wish.passId ?? event.passId,
        sent: wish.sent === undefined ? 'once' : 'again',
        ...(wish.sent === undefined ? momentOf(wish, event) : {}),
      };
    case 'answered':
      return null;
    case 'refused': {
      const { sent, ...refused } = wish;
      // Who is refused now may have been served before an answer was lost.
      const open = sent === 'again' ? { sent } : {};
      return { ...refused, ...open, state: 'refused', problem: event.problem };
    }
    case 'lost':
      if (wish.mayWait || wish.state !== 'waiting') return wish;
      return wish.sent === undefined
        ? { ...wish, state: 'refused', problem: NOT_SENT }
        : { ...wish, state: 'unsure' };
    case 'asked again': {
      const { problem: _problem, ...asked } = wish;
      return { ...asked, state: 'waiting' };
    }
  }
}

/** Whose a wish is, as far as that is known. */
export type Whose = Pick<Wish, 'code' | 'name' | 'passId'>;

/** Whether it was surely not done, so that it may be done for another customer. */
export const mayGive = ({ state, sent }: Wish): boolean =>
  state === 'refused' && sent === undefined;

/** The same for another customer, under a key of its own: to the platform it is another request. */
export function giveTo(wish: Wish, whose: Whose, { key, at }: Pick<Wish, 'key' | 'at'>): Wish {
  const { problem: _problem, occurredAt: _told, ...wished } = wish;
  return { happened: wish.at, ...wished, ...whose, key, at, state: 'waiting' };
}

interface Turn {
  /** Cards whose turn is over for now, as one of their wishes got no answer. */
  passed: ReadonlySet<string>;
  /** Cards that got no answer of late, the one whose try lies back furthest first: they come after all others. */
  unanswered: ReadonlySet<string>;
}
const NO_TURN: Turn = { passed: new Set(), unanswered: new Set() };

/** The wish to send now: for each card in the order they were made, the oldest card first. */
export function nextToSend(
  wishes: readonly Wish[],
  now: number,
  { passed, unanswered }: Turn = NO_TURN,
): Wish | null {
  const ranks = [...unanswered];
  const [next = null] = waiting(wishes, now)
    .filter(({ code }) => !passed.has(code))
    .sort((one, other) => ranks.indexOf(one.code) - ranks.indexOf(other.code));
  return next;
}

/** What a person has to look at: refused, unsure, or too old to be sent without doing it twice. */
export function needsLook(wishes: readonly Wish[], now: number): Wish[] {
  return inOrder(wishes).filter((wish) => wish.state !== 'waiting' || isTooOld(wish, now));
}

/** What will be sent as soon as there is a network. */
export function waiting(wishes: readonly Wish[], now: number): Wish[] {
  return inOrder(wishes).filter((wish) => wish.state === 'waiting' && !isTooOld(wish, now));
}

export const isFull = (wishes: readonly Wish[]): boolean => wishes.length >= WISHES_MAX;
export const isTooOld = ({ at }: Wish, now: number): boolean => now - at > SENT_MS_MAX;
/** Whether something waits for so long that somebody should see to the network. */
export const isLate = (wishes: readonly Wish[], now: number): boolean =>
  waiting(wishes, now).some(({ at }) => now - at > LATE_MS);

const inOrder = (wishes: readonly Wish[]): Wish[] =>
  [...wishes].sort((one, other) => one.at - other.at || (one.key < other.key ? -1 : 1));
