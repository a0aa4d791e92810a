/** A value that criteria compare with. */
export type Scalar = string | number | boolean | Date;

export type Comparing = 'eq' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'starts_with';

/**
 * What a segment asks of a profile, in few enough forms that a store query and a plain function can
 * both be made of it and mean the same. A path leads into the profile, member by member, with dots; where it
 * ends in a list, one element that complies is enough. Values of another type never comply.
 */
export type Criterion =
  | { all: readonly Criterion[] }
  | { any: readonly Criterion[] }
  | { not: Criterion }
  | { path: string; is: Comparing; to: Scalar }
  | { path: string; oneOf: readonly Scalar[] }
  /** There is nothing at the path, or null. */
  | { absent: string }
  /** One element of the list complies with all of it; their paths start at the element. */
  | { path: string; element: readonly Criterion[] };

export const ALWAYS: Criterion = { all: [] };
export const NEVER: Criterion = { any: [] };

export const all = (...criteria: Criterion[]): Criterion => ({ all: criteria });
export const any = (...criteria: Criterion[]): Criterion => ({ any: criteria });
export const not = (criterion: Criterion): Criterion => ({ not: criterion });
export const is = (path: string, comparing: Comparing, to: Scalar): Criterion => ({
  path,
  is: comparing,
  to,
});

/** A name as a step of a path: the characters with a meaning of their own there, or that no store takes, are escaped. */
export function pathStep(name: string): string {
  return name.replace(/[%.$\0]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/** The name that a step of a path was made of. */
export function nameOfStep(step: string): string {
  return step.replace(/%(25|2e|24|0)/g, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
}

/** Whether a document, here a profile, complies with a criterion. */
export function complies(document: unknown, criterion: Criterion): boolean {
  if ('all' in criterion) return criterion.all.every((one) => complies(document, one));
  if ('any' in criterion) return criterion.any.some((one) => complies(document, one));
  if ('not' in criterion) return !complies(document, criterion.not);
  if ('absent' in criterion) return candidatesAt(document, criterion.absent).includes(null);
  if ('element' in criterion) {
    const list = valueAt(document, criterion.path);
    const isOne = (element: unknown) => criterion.element.every((one) => complies(element, one));
    return Array.isArray(list) && list.some(isOne);
  }
  const candidates = candidatesAt(document, criterion.path);
  if ('oneOf' in criterion) {
    return candidates.some((one) => criterion.oneOf.some((value) => holds(one, 'eq', value)));
  }
  return candidates.some((one) => holds(one, criterion.is, criterion.to));
}

/** Whether a value compares as asked with another; never, when they are of different types. */
export function holds(value: unknown, comparing: Comparing, to: Scalar): boolean {
  if (typeof value !== typeof to || value instanceof Date !== to instanceof Date) return false;
  if (comparing === 'contains' || comparing === 'starts_with') {
    // A field that no data model knows may hold a number, which has no parts: the store finds none in it either.
    if (typeof value !== 'string' || typeof to !== 'string') return false;
    const [text, part] = [value.toLowerCase(), to.toLowerCase()];
    return comparing === 'contains' ? text.includes(part) : text.startsWith(part);
  }
  const order = orderOf(value as Scalar, to);
  switch (comparing) {
    case 'eq':
      return order === 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}

/** Texts are ordered as stores order them, by the bytes of UTF-8. */
function orderOf(a: Scalar, b: Scalar): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return Number(a) - Number(b);
}

function valueAt(document: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, step) => (value as Record<string, unknown> | null | undefined)?.[step],
      document,
    );
}

function candidatesAt(document: unknown, path: string): unknown[] {
  const value = valueAt(document, path) ?? null;
  return Array.isArray(value) ? value : [value];
}
