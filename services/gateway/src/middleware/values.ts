import type { Json } from '@laurel/errors';
import type { Answer } from '../routing';
import type { Input, Route } from '../routing/route';

/** What stood in a member before a change, and stands there after it. */
export interface ChangedValue {
  name: string;
  from: Json;
  to: Json;
}

const LENGTH_MAX = 200;
/** What names or reaches a person stays out of the log, also where a shop is set up with it. */
const PERSONAL = new Set(['email', 'phone', 'first_name', 'last_name', 'reply_to']);

/**
 * The row of configuration as it is read before it is changed; null where nothing is read or noted. Only rows
 * that have versions are such: they are of a workspace, and none is of a customer.
 */
export async function standing(
  route: Route,
  reading: Route | undefined,
  input: Input<string, unknown, unknown>,
): Promise<Answer | null> {
  const { method } = route;
  if (!reading?.versioned || !['patch', 'put', 'delete'].includes(method)) return null;
  // A register of thousands of things is not read for a change of none of its plain members.
  if (method !== 'delete' && !Object.values(input.body ?? {}).some(isPlain)) return null;
  try {
    return await reading.handle({ ...input, query: {}, body: undefined });
  } catch {
    // The change itself says what is wrong, and goes through without this.
    return null;
  }
}

/** Of the members that a change names, those whose value is plain and another one by now; of what was deleted its name. */
export function changedValues(
  names: readonly string[],
  before: Answer | null,
  after: Answer,
): ChangedValue[] {
  const was = rowOf(before);
  if (!was) return [];
  const is = rowOf(after);
  if (!is) return isShort(was.name) ? [{ name: 'name', from: was.name, to: null }] : [];
  return names
    .filter((name) => !PERSONAL.has(name) && name in was && name in is)
    .map((name) => ({ name, from: was[name], to: is[name] }))
    .filter(
      (value): value is ChangedValue =>
        isPlain(value.from) && isPlain(value.to) && value.from !== value.to,
    );
}

function rowOf(answer: Answer | null): Record<string, unknown> | null {
  const { data } = (answer?.body ?? {}) as { data?: unknown };
  const isRow = typeof data === 'object' && data !== null && !Array.isArray(data);
  return isRow ? (data as Record<string, unknown>) : null;
}

const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LENGTH_MAX;
const isPlain = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === 'number' || typeof value === 'boolean' || isShort(value);
