import type { Json } from '@laurel/errors';
import { momentNamed } from '@laurel/values/calendar';
import { ALWAYS, all, any, type Criterion, holds, is, NEVER, not, type Scalar } from './criterion';
import type { ContactKeys, ProfileField } from './fields';
import type { Comparison } from './filter';

const DAY_MS = 86_400_000;
const BARE_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What an operand stands for: one value, or from the first to the last moment of a day. */
interface Operand {
  from: Scalar;
  until: Scalar;
}

/** Asks of a field what the comparison says. A bare day means the whole day (UTC). */
export function compareField(
  { type, path, presence, alike }: ProfileField,
  { operator, value }: Comparison,
  contactKeys: ContactKeys,
): Criterion {
  const absent: Criterion = { absent: presence };
  if (operator === '_null' || operator === '_nnull') {
    return (operator === '_null') === (value !== false) ? absent : not(absent);
  }
  if (alike && ['_eq', '_in', '_neq', '_nin'].includes(operator)) {
    const written = (Array.isArray(value) ? value : [value]).map(String);
    const keys = written.map(contactKeys[alike.contact]).filter((key) => key !== null);
    // As it is written, too: a profile that an earlier release wrote has no key.
    const isOne = any({ path, oneOf: written }, { path: alike.path, oneOf: keys });
    return operator === '_eq' || operator === '_in' ? isOne : not(isOne);
  }
  const asked = type.kind === 'id' ? inLowerCase(value!) : value;
  return compare(path, { operator, value: asked! }, type.kind === 'moment' ? dayOrMoment : exactly);
}

/** Ids are kept in lower case, and taken in either. */
function inLowerCase(ids: Json): Json {
  return Array.isArray(ids) ? ids.map(inLowerCase) : String(ids).toLowerCase();
}

/** Asks of a number what the comparison says; where there is none at the path it counts as 0. */
export function compareNumber(
  path: string,
  { operator, value }: Comparison,
  operandOf: (value: Json) => number,
): Criterion {
  const criterion = compare(path, { operator, value }, (one) => exactly(operandOf(one)));
  const absent: Criterion = { absent: path };
  return zeroComplies({ operator, value }, operandOf)
    ? any(absent, criterion)
    : all(not(absent), criterion);
}

/** Whether nothing at all would comply. */
export function zeroComplies(
  { operator, value }: Comparison,
  operandOf: (value: Json) => number,
): boolean {
  const to = (one: Json | undefined) => operandOf(one!);
  const list = value as Json[];
  switch (operator) {
    case '_eq':
    case '_neq':
      return (to(value) === 0) === (operator === '_eq');
    case '_in':
    case '_nin':
      return list.some((one) => to(one) === 0) === (operator === '_in');
    case '_between':
      return to(list[0]) <= 0 && 0 <= to(list[1]);
    default:
      return holds(0, operator.slice(1) as 'gt', to(value));
  }
}

/**
 * Asks of a whole number, of which only "at least so many" can be asked, what the comparison says.
 * `atLeast` is asked for 1 and above.
 */
export function compareCount(
  { operator, value }: Comparison,
  atLeast: (count: number) => Criterion,
): Criterion {
  const reaches = (count: number) => (count <= 0 ? ALWAYS : atLeast(count));
  const above = (limit: number) => reaches(Math.floor(limit) + 1);
  const from = (limit: number) => reaches(Math.ceil(limit));
  const equals = (count: number) =>
    Number.isInteger(count) ? all(reaches(count), not(above(count))) : NEVER;
  const [first, second] = (Array.isArray(value) ? value : [value]) as number[];
  switch (operator) {
    case '_eq':
      return equals(first!);
    case '_neq':
      return not(equals(first!));
    case '_in':
      return any(...(value as number[]).map(equals));
    case '_nin':
      return not(any(...(value as number[]).map(equals)));
    case '_gt':
      return above(first!);
    case '_gte':
      return from(first!);
    case '_lt':
      return not(from(first!));
    case '_lte':
      return not(above(first!));
    default:
      return all(from(first!), not(above(second!)));
  }
}

function compare(
  path: string,
  { operator, value }: Comparison,
  operandOf: (value: Json) => Operand,
): Criterion {
  switch (operator) {
    case '_neq':
      return not(compare(path, { operator: '_eq', value }, operandOf));
    case '_nin':
      return not(compare(path, { operator: '_in', value }, operandOf));
    case '_in':
      return isOneOf(path, (value as Json[]).map(operandOf));
    case '_between': {
      const [low, high] = (value as Json[]).map(operandOf) as [Operand, Operand];
      return all(is(path, 'gte', low.from), is(path, 'lte', high.until));
    }
    case '_contains':
    case '_starts_with':
      return is(path, operator === '_contains' ? 'contains' : 'starts_with', String(value));
    case '_eq':
      return isOneOf(path, [operandOf(value!)]);
    case '_gt':
      return is(path, 'gt', operandOf(value!).until);
    case '_gte':
      return is(path, 'gte', operandOf(value!).from);
    case '_lt':
      return is(path, 'lt', operandOf(value!).from);
    default:
      return is(path, 'lte', operandOf(value!).until);
  }
}

function isOneOf(path: string, operands: readonly Operand[]): Criterion {
  const values = operands.filter(({ from, until }) => from === until).map(({ from }) => from);
  const ranges = operands.filter(({ from, until }) => from !== until);
  const within = ranges.map(({ from, until }) =>
    all(is(path, 'gte', from), is(path, 'lte', until)),
  );
  return within.length === 0 ? { path, oneOf: values } : any({ path, oneOf: values }, ...within);
}

function exactly(value: Json): Operand {
  return { from: value as Scalar, until: value as Scalar };
}

function dayOrMoment(value: Json): Operand {
  const from = momentNamed(String(value));
  if (!BARE_DAY.test(String(value))) return { from, until: from };
  return { from, until: new Date(from.getTime() + DAY_MS - 1) };
}
