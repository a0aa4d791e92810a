import type { Problem } from '@laurel/errors';
import type { FieldDefinition } from '../data-model';
import { complaintAboutEventType } from './event-types';
import { columnField, customField } from './fields';
import { type FilterConfigs, type SegmentFilter, UNTIERED } from './filter';
import { COUNT_MAX } from './profile';
import { comparisonProblems, type ValueType } from './value-type';

/** What the workspace has that filters may name. */
export interface Vocabulary {
  definitions: ReadonlyMap<string, FieldDefinition>;
  tierIds: ReadonlySet<string>;
  templateIds: ReadonlySet<string>;
  walletTypeCodes: ReadonlySet<string>;
  segmentIds: ReadonlySet<string>;
}

const BALANCE: ValueType = { kind: 'amount' };
/** Counted by moments, of which so many are kept. */
const EVENTS: ValueType = { kind: 'count', nullable: false, max: COUNT_MAX };
const METRIC_TYPES: Readonly<Record<FilterConfigs['metric']['metric'], ValueType>> = {
  transaction_count: { kind: 'count', nullable: false },
  referrals_completed: { kind: 'count', nullable: false },
  days_since_last_transaction: { kind: 'count', nullable: true },
  total_spending: { kind: 'amount' },
  points_earned: { kind: 'amount' },
};

/** Everything that is wrong with filters of the right form, each under its place: `filters.0.filter_config.value`. */
export function filterProblems(
  filters: readonly SegmentFilter[],
  vocabulary: Vocabulary,
): Problem[] {
  return filters.flatMap((filter, index) =>
    problemsOf(filter, vocabulary, `filters.${index}.filter_config`),
  );
}

function problemsOf(filter: SegmentFilter, vocabulary: Vocabulary, at: string): Problem[] {
  switch (filter.filter_type) {
    case 'custom_field': {
      const asked = Object.entries(filter.filter_config.custom_field_filters);
      return asked.flatMap(([name, comparison]) => {
        const { type } = customField(name, vocabulary.definitions);
        return comparisonProblems(comparison, type, `${at}.custom_field_filters.${name}`);
      });
    }
    case 'client_field': {
      const field = columnField(filter.filter_config.field);
      return field
        ? comparisonProblems(filter.filter_config, field.type, at)
        : [{ field: `${at}.field`, message: 'field must be a column of a client' }];
    }
    case 'tier':
      return tierProblems(filter.filter_config, vocabulary, at);
    case 'wallet_balance': {
      const known = vocabulary.walletTypeCodes.has(filter.filter_config.wallet_type_code);
      const message = 'there is no such wallet type in the workspace';
      return [
        ...(known ? [] : [{ field: `${at}.wallet_type_code`, message }]),
        ...comparisonProblems(filter.filter_config, BALANCE, at),
      ];
    }
    case 'metric':
      return comparisonProblems(filter.filter_config, metricType(filter.filter_config), at);
    case 'event': {
      const { event_category: category, event_type: type } = filter.filter_config;
      const message = complaintAboutEventType(category, type);
      return [
        ...(message === null ? [] : [{ field: `${at}.event_type`, message }]),
        ...comparisonProblems(filter.filter_config, EVENTS, at),
      ];
    }
    case 'segment': {
      const known = vocabulary.segmentIds.has(filter.filter_config.segment_id);
      const message = 'there is no such segment in the workspace';
      return known ? [] : [{ field: `${at}.segment_id`, message }];
    }
    case 'pass': {
      const { pass_template_ids: ids = [] } = filter.filter_config;
      const message = 'there is no such pass template in the workspace';
      return ids.flatMap((id, index) =>
        vocabulary.templateIds.has(id)
          ? []
          : [{ field: `${at}.pass_template_ids.${index}`, message }],
      );
    }
  }
}

/** Over a period the moments are counted, of all time there is a figure. */
function metricType({ metric, period_days: days }: FilterConfigs['metric']): ValueType {
  const isCounted = metric === 'transaction_count' || metric === 'referrals_completed';
  return isCounted && days !== undefined ? EVENTS : METRIC_TYPES[metric];
}

function tierProblems(
  { tier_ids: tierIds }: FilterConfigs['tier'],
  { tierIds: known }: Vocabulary,
  at: string,
): Problem[] {
  if (tierIds === UNTIERED) return [];
  return tierIds.flatMap((id, index) =>
    id === UNTIERED || known.has(id)
      ? []
      : [{ field: `${at}.tier_ids.${index}`, message: 'there is no such tier in the workspace' }],
  );
}
