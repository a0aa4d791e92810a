import type { SandboxClockStatus } from '@laurel/contract';

/** How long a sandbox lives. */
export const SANDBOX_MS = 86_400_000;
/** Sandboxes that one person may have at once: each one whose clock was moved is one more look of every job, for everybody. */
export const SANDBOXES_OF_ONE_MAX = 10;
/** As far as one advance goes: leap years included, two years. */
const AHEAD_DAYS_MAX = 731;
const DAY_MS = 86_400_000;

/** An advance of a clock: where to, and what became of it. */
export interface Advance {
  to: Date;
  status: SandboxClockStatus;
  problem: string | null;
  /** Moments it has passed; absent in advances of earlier versions. */
  steps?: number;
}

/** Why a clock cannot go there in one advance; null where it can. */
export function whyNot(now: Date, to: Date): 'backward' | 'too far' | null {
  if (to <= now) return 'backward';
  return to.getTime() - now.getTime() > AHEAD_DAYS_MAX * DAY_MS ? 'too far' : null;
}

interface EventCount {
  type: string;
  count: number;
}

interface QueueAccount {
  name: string;
  /** Patterns of the types that it is bound to. */
  bindings: readonly string[];
  handled: readonly EventCount[];
}

/** What is left to do of a sandbox in one service. */
export interface Standing {
  /** What has something to do now, or has it in hand. */
  busy: readonly string[];
  /** Absent where nothing is due until the time that was asked for. */
  next_due_at?: string;
  /** Since the sandbox was made. */
  sent: readonly EventCount[];
  queues: readonly QueueAccount[];
}

/** What one service says about a sandbox; null where it could not be asked. */
export interface Answer {
  service: string;
  standing: Standing | null;
}

/** What all services together say. */
export interface Account {
  /** What is left to do now; empty where nothing is. */
  waitsFor: string[];
  /** What was sent by all; the same text twice means that nothing was sent in between. */
  figures: string;
  nextDueAt: Date | null;
}

/** Adds up what services say: work in hand, and queues that have handled less than was sent to them. */
export function accountOf(answers: readonly Answer[]): Account {
  const sent = new Map<string, number>();
  for (const { standing } of answers)
    for (const { type, count } of standing?.sent ?? [])
      sent.set(type, (sent.get(type) ?? 0) + count);
  const waitsFor = answers.flatMap(({ service, standing }) =>
    standing
      ? [
          ...standing.busy.map((job) => `${service}.${job}`),
          ...standing.queues.filter((queue) => isBehind(queue, sent)).map(({ name }) => name),
        ]
      : [service],
  );
  const dues = answers.flatMap(({ standing }) =>
    standing?.next_due_at === undefined ? [] : [Date.parse(standing.next_due_at)],
  );
  return {
    waitsFor,
    figures: JSON.stringify([...sent].sort(([one], [other]) => (one < other ? -1 : 1))),
    nextDueAt: dues.length === 0 ? null : new Date(Math.min(...dues)),
  };
}

function isBehind({ bindings, handled }: QueueAccount, sent: ReadonlyMap<string, number>): boolean {
  const done = new Map(handled.map(({ type, count }) => [type, count]));
  return [...sent].some(
    ([type, count]) =>
      (done.get(type) ?? 0) < count && bindings.some((binding) => isBoundTo(binding, type)),
  );
}

/** Whether a pattern of AMQP takes a type: `*` is one word, `#` any number of them. */
export function isBoundTo(pattern: string, type: string): boolean {
  return takes(pattern.split('.'), type.split('.'));
}

function takes([first, ...rest]: readonly string[], words: readonly string[]): boolean {
  if (first === undefined) return words.length === 0;
  if (first === '#')
    return takes(rest, words) || (words.length > 0 && takes([first, ...rest], words.slice(1)));
  if (words.length === 0) return false;
  return (first === '*' || first === words[0]) && takes(rest, words.slice(1));
}
