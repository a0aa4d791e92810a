import { UsageError } from '../failures';
import { inOneLine } from '../harmless';
import { digestOf } from './digest';
import type { Wanted } from './files';
import { type Body, KINDS } from './kinds';
import type { Found } from './live';
import { pictureInWords } from './pictures';
import { isBody, referencesIn } from './references';
import { type Removal, withReferrers, wordsOfRemovals } from './removal';

/** A field that is otherwise than its file says. */
export interface Difference {
  field: string;
  from: unknown;
  to: unknown;
}

export interface Step {
  action: 'create' | 'update' | 'keep';
  wanted: Wanted;
  /** Of what is there. */
  id: string | null;
  differences: Difference[];
}

export interface Plan {
  steps: Step[];
  /** What is there and in no file; nothing happens to it. */
  others: Found[];
  /** What these files named before, in the order in which it goes; after all else. */
  removals: readonly Removal[];
}

/** What must be done so that a workspace is as its files say. Only what they say is compared. */
export function makePlan(
  wanted: readonly Wanted[],
  found: readonly Found[],
  removals: readonly Removal[] = [],
): Plan {
  const there = new Map(found.map((one) => [`${one.kind}/${one.key}`, one]));
  const meant = new Set(wanted.map(({ kind, key }) => `${kind}/${key}`));
  const steps = wanted.map((one): Step => {
    requireReferences(one, (id) => meant.has(id) || there.has(id));
    const live = there.get(`${one.kind}/${one.key}`);
    // What files name bears their key from then on, so that its name may change.
    const body = KINDS[one.kind].isKeyed ? { ...one.body, key: one.key } : one.body;
    const step = { wanted: { ...one, body } };
    if (!live) return { ...step, action: 'create', id: null, differences: [] };
    const differences = compare(body, live.body);
    const action = differences.length > 0 ? 'update' : 'keep';
    return { ...step, action, id: live.id, differences };
  });
  const leaving = new Set(removals.map(({ kind, key }) => `${kind}/${key}`));
  const others = found.filter(
    ({ kind, key }) =>
      KINDS[kind].identity !== null &&
      !meant.has(`${kind}/${key}`) &&
      !leaving.has(`${kind}/${key}`),
  );
  return { steps, others, removals: withReferrers(removals, stayingOf(wanted, there, removals)) };
}

/** What is there once a plan is done; what files do not say of a thing stays as it is. */
function stayingOf(
  wanted: readonly Wanted[],
  there: ReadonlyMap<string, Found>,
  removals: readonly Removal[],
): Pick<Found, 'kind' | 'key' | 'body'>[] {
  const staying = new Map<string, Pick<Found, 'kind' | 'key' | 'body'>>(there);
  for (const { kind, key, body } of wanted) {
    const id = `${kind}/${key}`;
    staying.set(id, { kind, key, body: { ...staying.get(id)?.body, ...body } });
  }
  for (const { kind, key, action } of removals)
    if (action === 'delete') staying.delete(`${kind}/${key}`);
  return [...staying.values()];
}

function requireReferences({ kind, key, body, file }: Wanted, isThere: (id: string) => boolean) {
  const missing = referencesIn(body).find((id) => !isThere(id));
  if (missing !== undefined)
    throw new UsageError(`${file}: ${kind}/${key} refers to ${missing}, which is nowhere`);
}

/** What of `to` is otherwise in `from`, by its dotted path. */
export function compare(to: unknown, from: unknown, field = ''): Difference[] {
  if (isBody(to) && isBody(from))
    return Object.entries(to).flatMap(([name, value]) =>
      compare(value, from[name], field === '' ? name : `${field}.${name}`),
    );
  if (Array.isArray(to) && Array.isArray(from) && to.length === from.length && !isWords(to))
    return to.flatMap((one, index) => compare(one, from[index], `${field}.${index}`));
  return isSame(to, from) ? [] : [{ field, from: from ?? null, to }];
}

/** Names of things, in whatever order. */
const isWords = (list: readonly unknown[]): boolean => list.every((one) => typeof one === 'string');

function isSame(to: unknown, from: unknown): boolean {
  if (Array.isArray(to) && Array.isArray(from) && isWords(to))
    return JSON.stringify([...to].sort()) === JSON.stringify([...from].sort());
  if (isMoment(to) && isMoment(from)) return Date.parse(to) === Date.parse(from);
  return to === (from ?? null) || JSON.stringify(to) === JSON.stringify(from);
}

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d(T|$)/.test(value);

export const changesOf = ({ steps }: Plan): Step[] =>
  steps.filter(({ action }) => action !== 'keep');

/** How many things would be otherwise afterwards. */
export const countWork = (plan: Plan): number => changesOf(plan).length + plan.removals.length;

/** What a plan would do, as one word: the same files and the same workspace make the same one. */
export function digestOfPlan(plan: Plan): string {
  const changes = changesOf(plan).map(({ action, id, differences, wanted: { kind, key, body } }) =>
    action === 'create' ? [action, kind, key, body] : [action, kind, key, id, differences],
  );
  return digestOf([...changes, ...plan.removals], PLAN_DIGITS);
}
const PLAN_DIGITS = 16;

/** A plan in words: what changes, what is new, and what is none of its business. */
export function wordsOf({ steps, others, removals }: Plan): string[] {
  const count = (action: Step['action']) => steps.filter((step) => step.action === action).length;
  const lines = steps
    .filter(({ action }) => action !== 'keep')
    .flatMap((step) => {
      const { kind, key, body } = step.wanted;
      const title = `${KINDS[kind].noun} ${key}`;
      if (step.action === 'create') return [`+ ${title}  ${briefly(body)}`.trimEnd()];
      return step.differences.map(
        ({ field, from, to }, index) =>
          `${index === 0 ? `~ ${title}` : ' '.repeat(title.length + 2)}  ${field} ${shown(from)} → ${shown(to)}`,
      );
    });
  const strangers = others.map(({ kind, key }) => `  not in the files: ${KINDS[kind].noun} ${key}`);
  const summary = `${count('create')} new, ${count('update')} to change, ${count('keep')} unchanged, ${others.length} not in the files`;
  const leaving = removals.length === 0 ? '' : `, ${removals.length} no longer in the files`;
  return [...lines, ...wordsOfRemovals(removals), ...strangers, `${summary}${leaving}`];
}

const TEXT_MAX = 60;

function briefly({ name, cost_in_points: cost, trigger_type: trigger }: Body): string {
  const words = [name, cost === undefined ? '' : `${cost} points`, trigger ? `on ${trigger}` : ''];
  return inOneLine(words.filter(Boolean).join(', '));
}

function shown(value: unknown): string {
  const text =
    typeof value === 'string' ? inOneLine(pictureInWords(value)) : JSON.stringify(value ?? null);
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text;
}
