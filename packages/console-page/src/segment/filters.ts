import type { SegmentsCreateBody } from '@laurel/client';
import type { Format } from '../format/format';
import type { Say, WordKey } from '../language';
import type { Names } from '../rule/body';

/** A question to a customer, as the API has it. */
export type Filter = NonNullable<SegmentsCreateBody['filters']>[number];
/** What the forms can ask; a filter of another shape is shown and left as it is. */
export const QUESTIONS = [
  'lastVisit',
  'visits',
  'spending',
  'tier',
  'balance',
  'consent',
  'card',
  'birthMonth',
  'registered',
  'segment',
  'custom',
] as const;
export type Question = (typeof QUESTIONS)[number];

export interface Config {
  [name: string]: unknown;
  field?: string;
  metric?: string;
  operator?: string;
  value?: unknown;
  period_days?: number;
  tier_ids?: string[] | 'untiered';
  negate?: boolean;
  wallet_type_code?: string;
  balance?: string;
  has_pass?: boolean;
  segment_id?: string;
  custom_field_filters?: Record<string, unknown>;
}

export const configOf = (filter: Filter): Config => filter.filter_config as Config;

const made = (filter_type: Filter['filter_type'], filter_config: Config): Filter =>
  ({ filter_type, filter_config }) as Filter;

/** A question to begin with. */
export function newFilter(question: Question, names: Names): Filter {
  switch (question) {
    case 'lastVisit':
      return made('metric', { metric: 'days_since_last_transaction', operator: '_gte', value: 60 });
    case 'visits':
      return made('metric', { metric: 'transaction_count', operator: '_gte', value: 5 });
    case 'spending':
      return made('metric', { metric: 'total_spending', operator: '_gte', value: 100 });
    case 'tier':
      return made('tier', { tier_ids: names.tiers[0] ? [names.tiers[0].id] : [] });
    case 'balance':
      return made('wallet_balance', {
        wallet_type_code: names.currencies[0]?.code ?? '',
        balance: 'active',
        operator: '_gte',
        value: 100,
      });
    case 'consent':
      return made('client_field', { field: 'marketing_consent', operator: '_eq', value: true });
    case 'card':
      return made('pass', { has_pass: true });
    case 'birthMonth':
      return made('client_field', { field: 'birth_date', operator: '_nnull' });
    case 'registered':
      return made('client_field', {
        field: 'registration_date',
        operator: '_gte',
        value: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10),
      });
    case 'segment':
      return made('segment', { segment_id: names.segments[0]?.id ?? '' });
    case 'custom':
      return made('custom_field', {
        custom_field_filters: customIs(names.fields[0]?.id ?? '', ''),
      });
  }
}

/** Which form shows a filter; null where none can. */
export function questionOf(filter: Filter): Question | null {
  const { field, metric, operator } = configOf(filter);
  const isPlain = ['_gte', '_lte', '_gt', '_lt', '_eq'].includes(operator ?? '');
  switch (filter.filter_type) {
    case 'metric':
      if (!isPlain) return null;
      if (metric === 'days_since_last_transaction') return 'lastVisit';
      if (metric === 'transaction_count') return 'visits';
      return metric === 'total_spending' ? 'spending' : null;
    case 'tier':
      return 'tier';
    case 'wallet_balance':
      return isPlain ? 'balance' : null;
    case 'pass':
      return 'card';
    case 'segment':
      return 'segment';
    case 'custom_field':
      return readCustom(filter) ? 'custom' : null;
    case 'client_field':
      if (field === 'marketing_consent' && operator === '_eq') return 'consent';
      if (field === 'birth_date' && operator === '_nnull') return 'birthMonth';
      return field === 'registration_date' && isPlain ? 'registered' : null;
    default:
      return null;
  }
}

/** An own field that holds exactly a text. */
export const customIs = (field: string, value: string) => ({
  [field]: { operator: '_eq', value },
});

/** A filter of one own field against one text, where it is one. */
export function readCustom(filter: Filter): { field: string; value: string } | null {
  const entries = Object.entries(configOf(filter).custom_field_filters ?? {});
  const [field, wanted] = entries[0] ?? [];
  const { operator, value } = (wanted ?? {}) as { operator?: unknown; value?: unknown };
  const isText = operator === '_eq' && typeof value === 'string';
  return entries.length === 1 && field !== undefined && isText ? { field, value } : null;
}

export const OPERATORS = ['_gte', '_lte', '_eq'] as const;

/** A filter as a question that somebody can answer. */
export function tellFilter(
  filter: Filter,
  {
    say,
    format,
    names,
  }: { say: Say; format: Pick<Format, 'number' | 'money' | 'day'>; names: Names },
): string {
  const config = configOf(filter);
  const compared = (write: (value: number) => string) =>
    `${say(`compare.${config.operator!.slice(1)}` as WordKey)} ${write(Number(config.value))}`;
  const not = config.negate ? `${say('filter.not')} ` : '';
  switch (questionOf(filter)) {
    case 'lastVisit':
      return say('filter.lastVisit', { compared: compared(format.number) });
    case 'visits':
      return say('filter.visits', { compared: compared(format.number) });
    case 'spending':
      return say('filter.spending', { compared: compared(format.money) });
    case 'tier': {
      const ids = [config.tier_ids ?? []].flat();
      const list = ids.map((id) => names.tiers.find((tier) => tier.id === id)?.name ?? say('none'));
      return say('filter.tier', { names: `${not}${list.join(', ')}` });
    }
    case 'balance':
      return say('filter.balance', {
        name: names.currencies.find(({ code }) => code === config.wallet_type_code)?.name ?? '?',
        compared: compared(format.number),
      });
    case 'consent':
      return say(config.value ? 'filter.consent.yes' : 'filter.consent.no');
    case 'card':
      return say(config.has_pass ? 'filter.card.yes' : 'filter.card.no');
    case 'birthMonth':
      return say('filter.birthday');
    case 'registered':
      return say(config.operator === '_lte' ? 'filter.before' : 'filter.since', {
        day: format.day(String(config.value)),
      });
    case 'segment':
      return say('filter.segment', {
        name: `${not}${names.segments.find(({ id }) => id === config.segment_id)?.name ?? '?'}`,
      });
    case 'custom': {
      const custom = readCustom(filter)!;
      const name = names.fields.find(({ id }) => id === custom.field)?.name ?? custom.field;
      return `${name} = ${custom.value}`;
    }
    default:
      return say('filter.other', { text: JSON.stringify(filter.filter_config) });
  }
}
