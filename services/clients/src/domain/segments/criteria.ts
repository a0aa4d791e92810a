import { toUnits } from '@laurel/values/amount';
import type { FieldDefinition } from '../data-model';
import { compareCount, compareField, compareNumber, zeroComplies } from './comparison';
import { all, any, type Criterion, is, NEVER, not } from './criterion';
import { type ContactKeys, columnField, customField, type ProfileField } from './fields';
import {
  type Comparison,
  type FilterConfigs,
  type Segment,
  type SegmentFilter,
  UNTIERED,
} from './filter';
import { categoryKey, eventKey, REFERRED } from './profile';
import { comparisonProblems } from './value-type';

const DAY_MS = 86_400_000;

/** What filters are read against: the hour, the data model, and the segments that filters may name. */
export interface FilterContext {
  now: Date;
  definitions: ReadonlyMap<string, FieldDefinition>;
  segments: ReadonlyMap<string, Pick<Segment, 'filters'>>;
  contactKeys: ContactKeys;
}

/** Decides who is in a segment: what filters ask of a profile, all of them together. They must have been checked before. */
export function criterionOf(filters: readonly SegmentFilter[], context: FilterContext): Criterion {
  return all(...filters.map((filter) => filterCriterion(filter, context)));
}

/** The same of clients with a status only, where one is named. */
export function withStatus(criterion: Criterion, status: string | undefined): Criterion {
  return status === undefined ? criterion : all(criterion, is('columns.status', 'eq', status));
}

function filterCriterion(filter: SegmentFilter, context: FilterContext): Criterion {
  const { contactKeys } = context;
  switch (filter.filter_type) {
    case 'custom_field': {
      const asked = Object.entries(filter.filter_config.custom_field_filters);
      return all(
        ...asked.map(([name, how]) => compareField(fieldFor(name, how, context), how, contactKeys)),
      );
    }
    case 'client_field':
      return compareField(
        columnField(filter.filter_config.field)!,
        filter.filter_config,
        contactKeys,
      );
    case 'tier':
      return tierCriterion(filter.filter_config);
    case 'wallet_balance': {
      const { wallet_type_code: code, balance } = filter.filter_config;
      return compareNumber(`wallets.${code}.${balance}`, filter.filter_config, unitsIn);
    }
    case 'metric':
      return metricCriterion(filter.filter_config, context.now);
    case 'event': {
      const {
        event_category: category,
        event_type: type,
        within_days: days,
      } = filter.filter_config;
      const key = type === undefined ? categoryKey(category) : eventKey(category, type);
      return compareCount(filter.filter_config, timesSince(key, daysBefore(context.now, days)));
    }
    case 'pass':
      return passCriterion(filter.filter_config);
    case 'segment': {
      const { segment_id: id, negate } = filter.filter_config;
      const nested = context.segments.get(id);
      if (!nested) return NEVER;
      const criterion = criterionOf(nested.filters, context);
      return negate ? not(criterion) : criterion;
    }
  }
}

/**
 * The custom field, as far as the comparison still goes with it. The data model may have changed since the
 * segment was saved: then values are compared as they stand.
 */
function fieldFor(name: string, how: Comparison, { definitions }: FilterContext): ProfileField {
  const field = customField(name, definitions);
  const stillGoes = comparisonProblems(how, field.type, name).length === 0;
  return stillGoes ? field : customField(name, new Map());
}

function tierCriterion({ tier_ids: tierIds, negate }: FilterConfigs['tier']): Criterion {
  const wanted = tierIds === UNTIERED ? [UNTIERED] : tierIds;
  const ids = wanted.filter((id) => id !== UNTIERED);
  const inOne: Criterion = { path: 'tier_id', oneOf: ids };
  const criterion = ids.length < wanted.length ? any({ absent: 'tier_id' }, inOne) : inOne;
  return negate ? not(criterion) : criterion;
}

function metricCriterion(
  { metric, period_days: days, ...comparison }: FilterConfigs['metric'],
  now: Date,
): Criterion {
  const since = days === undefined ? null : daysBefore(now, days);
  switch (metric) {
    case 'transaction_count':
    case 'referrals_completed': {
      if (since === null) return compareNumber(`metrics.${metric}`, comparison, Number);
      const key = metric === 'transaction_count' ? eventKey('transaction', 'purchase') : REFERRED;
      return compareCount(comparison, timesSince(key, since));
    }
    case 'total_spending':
    case 'points_earned': {
      if (since === null) return compareNumber(`metrics.${metric}`, comparison, unitsIn);
      return sumSince(metric === 'total_spending' ? 'spent' : 'earned', since, comparison);
    }
    case 'days_since_last_transaction':
      return daysSince('metrics.last_transaction_at', comparison, { since, now });
  }
}

/** The newest moments of a kind are kept first, so the n-th says whether there were n since then. */
function timesSince(key: string, since: Date) {
  return (count: number): Criterion => is(`times.${key}.${count - 1}`, 'gte', since);
}

/**
 * The steps of a running sum hold what came after each moment: exactly one step is open at `since`,
 * unless all lie before it, and then the sum is 0.
 */
function sumSince(
  steps: 'spent' | 'earned',
  since: Date,
  comparison: Parameters<typeof compareNumber>[1],
): Criterion {
  const open = [is('at', 'gte', since), is('after', 'lt', since)];
  const inWindow: Criterion = {
    path: steps,
    element: [...open, compareNumber('sum', comparison, unitsIn)],
  };
  if (!zeroComplies(comparison, unitsIn)) return inWindow;
  return any(inWindow, not({ path: steps, element: open }));
}

/** Whole days since a moment. Who has none is not so many days away: only `_null` and the negations are true of them. */
function daysSince(
  path: string,
  comparison: Parameters<typeof compareCount>[0],
  { since, now }: { since: Date | null; now: Date },
): Criterion {
  const known = since === null ? not({ absent: path }) : is(path, 'gte', since);
  const { operator, value } = comparison;
  if (operator === '_null' || operator === '_nnull') {
    return (operator === '_null') === (value !== false) ? not(known) : known;
  }
  const longAgo = (days: number) => is(path, 'lte', daysBefore(now, days));
  if (operator === '_neq' || operator === '_nin') {
    const positive = { operator: operator === '_neq' ? '_eq' : '_in', value } as const;
    return not(all(known, compareCount(positive, longAgo)));
  }
  return all(known, compareCount(comparison, longAgo));
}

function passCriterion({
  has_pass: hasPass,
  pass_template_ids: templateIds,
  installed,
}: FilterConfigs['pass']): Criterion {
  const element: Criterion[] = [not({ absent: 'id' })];
  if (templateIds !== undefined) element.push({ path: 'template_id', oneOf: templateIds });
  if (installed !== undefined) element.push(is('installed', 'eq', installed));
  const has: Criterion = { path: 'passes', element };
  return hasPass ? has : not(has);
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

function unitsIn(value: unknown): number {
  return toUnits(value as number);
}
