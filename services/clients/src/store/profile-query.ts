import { literalPattern } from '@laurel/mongo';
import { type Comparing, type Criterion, NEVER, type Scalar } from '../domain/segments/criterion';

type Filter = Record<string, unknown>;

/** A criterion as the store asks it. It means what `complies` means. */
export function toQuery(criterion: Criterion): Filter {
  if ('all' in criterion) {
    return criterion.all.length === 0 ? {} : { $and: criterion.all.map(toQuery) };
  }
  if ('any' in criterion) {
    // No document has an `_id` among none.
    return criterion.any.length === 0 ? { _id: { $in: [] } } : { $or: criterion.any.map(toQuery) };
  }
  if ('not' in criterion) return { $nor: [toQuery(criterion.not)] };
  if ('absent' in criterion) return { [criterion.absent]: null };
  if ('element' in criterion) {
    return { [criterion.path]: { $elemMatch: { $and: criterion.element.map(toQuery) } } };
  }
  if ('oneOf' in criterion)
    return { [criterion.path]: { $in: criterion.oneOf.filter(isStorable) } };
  if (!isStorable(criterion.to)) return toQuery(NEVER);
  return { [criterion.path]: condition(criterion.is, criterion.to) };
}

/** No text that is kept holds a null character, and a store fails at being asked for one. */
function isStorable(value: Scalar): boolean {
  return typeof value !== 'string' || !value.includes('\0');
}

function condition(comparing: Comparing, to: Scalar): Filter {
  switch (comparing) {
    case 'contains':
      return { $regex: literalPattern(String(to)), $options: 'i' };
    case 'starts_with':
      return { $regex: `^${literalPattern(String(to))}`, $options: 'i' };
    default:
      return { [`$${comparing}`]: to };
  }
}
