import { CannotCalculate } from './numbers';

/**
 * What one account of evaluations may take, in characters that are looked at. Each step costs at most what its values are long, but a
 * loop takes it once for every member of a list that callers send: the product of the two had no end, on a thread that
 * others share and in a memory that ends with the process.
 */
const EFFORT_MAX = 10_000_000;
const STEP = 10;
const MEMBER = 10;
/** What a function may take that is given a moment: it may ask for the calendar of a time zone. */
export const MOMENT = 4_000;

const TOO_MUCH = new CannotCalculate('the expression takes too long with these values');

/** What is left of what the evaluations of one happening may take together: many small ones are as long as one large one. */
export interface Effort {
  left: number;
}

/** @param times what one evaluation may take, so many times */
export const newEffort = (times = 1): Effort => ({ left: times * EFFORT_MAX });

/** What was taken of an effort that was new for one evaluation. What ended it was not done, and counts for no more than that. */
export const takenOf = ({ left }: Effort): number => EFFORT_MAX - Math.max(left, 0);

/** Evaluation never waits, so one is under way at a time. */
let current = newEffort();

/** Evaluates within bounds; throws CannotCalculate where that takes, or gives, too much. */
export function withinEffort<Value>(evaluate: () => Value, effort: Effort): Value {
  current = effort;
  const value = evaluate();
  // Once more at the end: "or" and `exists` take a part that fails for one that does not hold.
  spend(weightWithin(value));
  return value;
}

/** Takes one step, and what it costs beyond that. */
export function spend(effort = 0): void {
  current.left -= STEP + effort;
  if (current.left < 0) throw TOO_MUCH;
}

/** What it takes to go through a value once, but not into its members. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.length * MEMBER;
  if (value instanceof Uint8Array) return value.length;
  return membersOf(value).length * MEMBER;
}

/** The same with all that is within it. */
export function weightWithin(value: unknown): number {
  if (typeof value !== 'object' || value === null) return weightOf(value);
  const known = weights.get(value);
  if (known !== undefined) return known;
  const weight = membersOf(value).reduce<number>(
    (sum, member) => sum + weightWithin(member),
    weightOf(value),
  );
  weights.set(value, weight);
  return weight;
}

/** What a list becomes as one text with a separator in between: the two as often as there are members. */
export function weightOfJoined([list, separator]: readonly unknown[]): number {
  if (!Array.isArray(list)) return 0;
  const texts = list.reduce<number>((sum, member) => sum + weightOf(member), 0);
  return texts + list.length * weightOf(separator);
}

/** Variables do not change while they are asked, and neither does what was made of them. */
const weights = new WeakMap<object, number>();
const members = new WeakMap<object, readonly unknown[]>();

function membersOf(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Date || value instanceof Uint8Array) return [];
  const known =
    members.get(value) ?? (value instanceof Map ? [...value.values()] : Object.values(value));
  members.set(value, known);
  return known;
}
