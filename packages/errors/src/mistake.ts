import { measurable } from './json';
import type { Problem } from './refusal';

/** What Joi says of one mistake in a value: where it stands, and in which words. */
interface Mistake {
  message: string;
  path: readonly (string | number)[];
  type: string;
  context?: Readonly<Record<string, unknown>> | undefined;
}

/** A schema of Joi, as far as it says what is wrong. */
interface Schema<T> {
  validate(value: unknown, how: object): { value: T; error?: { details: readonly Mistake[] } };
}

/**
 * A value as its schema takes it, or what is wrong with it. A number above 2^53, which is kept as its text (parseJson), is
 * measured as the largest that there is where a number is due: the answer then names the range, not that it is no number.
 */
export function validated<T>(
  schema: Schema<T>,
  value: unknown,
  how: object,
): { value: T; mistakes: readonly Mistake[] } {
  const { value: taken, error } = schema.validate(value, how);
  const mistakes = error?.details ?? [];
  const large = mistakes.filter(isLargeNumber);
  if (large.length === 0) return { value: taken, mistakes };
  const measured = structuredClone(value);
  for (const { path, context } of large) put(measured, path, measurable(context!.value));
  return { value: taken, mistakes: schema.validate(measured, how).error?.details ?? mistakes };
}

function isLargeNumber({ path, type, context }: Mistake): boolean {
  const isMeant = type === 'number.base' && path.length > 0;
  return isMeant && measurable(context?.value) !== context?.value;
}

function put(value: unknown, path: readonly (string | number)[], member: unknown): void {
  const holder = path.slice(0, -1).reduce<unknown>((at, name) => (at as never)[name], value);
  (holder as Record<string | number, unknown>)[path.at(-1)!] = member;
}

/** A mistake as a problem of a refusal. One of the whole value is named by the first member that it is about, if any. */
export function problemOf(mistake: Mistake, word: 'field' | 'key' = 'field'): Problem {
  const { path, type, context } = mistake;
  // What it lacks stands there under one of three names: of several, of some of several, of one.
  const [about] = [context?.missing ?? context?.peers ?? context?.peer].flat() as string[];
  const field = path.length > 0 ? path.join('.') : about;
  const message = type === 'object.unknown' ? `${field} is not a known ${word}` : inDots(mistake);
  return field === undefined || field === '' ? { message } : { message, field };
}

/** Joi writes `effects[0].amount`, where the contract and the field beside the message say `effects.0.amount`. */
function inDots({ message, context = {} }: Mistake): string {
  const labels = Object.entries(context)
    .flatMap(([name, said]) => (/labels?$/i.test(name) ? [said].flat() : []))
    .filter((label) => typeof label === 'string')
    .sort((one, other) => other.length - one.length);
  return labels.reduce(
    (text, label) => text.replaceAll(label, label.replaceAll(/\[(\d+)\]/g, '.$1')),
    message,
  );
}
