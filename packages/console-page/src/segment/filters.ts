import type { SegmentsCreateBody } from '@laurel/client';
import { addDays, dayIn, momentOf } from '../format/days';
import type { Format } from '../format/format';
import { isSaid } from '../is-said';
import type { Say, WordKey } from '../language';
import type { Names } from '../rule/body';
import { type DayOperator, isDayOperator, isDayOrMoment, tellDay } from './day';
import { askOwn, isWholeOwn, readOwn, tellOwn, writeOwn } from './own-field';

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

/** A new customer is one of these days. */
const NEW_DAYS = 30;

/** A question to begin with. */
export function newFilter(question: Question, names: Names, timezone: string): Filter {
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
        value: momentOf(addDays(dayIn(timezone, new Date()), -NEW_DAYS), timezone),
      });
    case 'segment':
      return made('segment', { segment_id: names.segments[0]?.id ?? '' });
    case 'custom':
      return made('custom_field', {
        custom_field_filters: writeOwn(askOwn(names.fields[0])),
      });
  }
}

/** What the forms and their sentences tell of a filter: one that asks for more would be another than it says. */
const TOLD: Readonly<Record<Filter['filter_type'], readonly string[]>> = {
  metric: ['metric', 'operator', 'value', 'period_days'],
  tier: ['tier_ids', 'negate'],
  wallet_balance: ['wallet_type_code', 'balance', 'operator', 'value'],
  pass: ['has_pass'],
  segment: ['segment_id', 'negate'],
  custom_field: ['custom_field_filters'],
  client_field: ['field', 'operator', 'value'],
  event: [],
};

/** Who has no tier, among the ids of tiers. */
export const UNTIERED = 'untiered';

/** How figures are compared. */
export const OPERATORS = ['_gte', '_lte', '_gt', '_lt', '_eq'] as const;

/** What the question by the day of registration compares with. */
export const registeredOf = ({ operator, value = '' }: Config) =>
  ({ operator, value }) as { operator: DayOperator; value: string };
const SINCE: Readonly<Record<DayOperator, WordKey>> = {
  _gte: 'filter.since',
  _lt: 'filter.before',
  _lte: 'filter.until',
};

/** Which form shows a filter; null where none can. */
export function questionOf(filter: Filter, { fields }: Pick<Names, 'fields'>): Question | null {
  const config = configOf(filter);
  const { field, metric, operator } = config;
  const told = TOLD[filter.filter_type];
  if (Object.entries(config).some(([name, value]) => isSaid(value) && !told.includes(name)))
    return null;
  const isPlain = OPERATORS.some((one) => one === operator);
  switch (filter.filter_type) {
    case 'metric':
      if (!isPlain) return null;
      if (metric === 'days_since_last_transaction') return config.period_days ? null : 'lastVisit';
      if (metric === 'transaction_count') return 'visits';
      return metric === 'total_spending' ? 'spending' : null;
    case 'tier':
      return 'tier';
    case 'wallet_balance':
      return isPlain && config.balance === 'active' ? 'balance' : null;
    case 'pass':
      return 'card';
    case 'segment':
      return 'segment';
    case 'custom_field':
      return readOwn(config.custom_field_filters ?? {}, fields) ? 'custom' : null;
    case 'client_field':
      if (field === 'marketing_consent' && operator === '_eq') return 'consent';
      if (field === 'birth_date' && operator === '_nnull') return 'birthMonth';
      if (field !== 'registration_date') return null;
      return isDayOperator(operator) && isDayOrMoment(config.value ?? '') ? 'registered' : null;
    default:
      return null;
  }
}

/** Whether all of a question is said: by a day that is still being typed no customer can be counted. */
export function isWhole(filter: Filter, names: Names): boolean {
  const { value, custom_field_filters } = configOf(filter);
  const question = questionOf(filter, names);
  if (question === 'custom') return isWholeOwn(readOwn(custom_field_filters ?? {}, names.fields)!);
  return question !== 'registered' || value !== '';
}

/** A filter as a question that somebody can answer. */
export function tellFilter(
  filter: Filter,
  {
    say,
    format,
    names,
  }: {
    say: Say;
    format: Pick<Format, 'number' | 'money' | 'day' | 'moment' | 'timezone'>;
    names: Names;
  },
): string {
  const config = configOf(filter);
  const count = Number(config.value);
  const compared = (write: (value: number) => string) =>
    `${say(`compare.${config.operator!.slice(1)}` as WordKey)} ${write(count)}`;
  const not = config.negate ? `${say('filter.not')} ` : '';
  const lately = config.period_days ? ` ${say('if.inDays', { count: config.period_days })}` : '';
  switch (questionOf(filter, names)) {
    case 'lastVisit':
      return say('filter.lastVisit', { compared: compared(format.number), count });
    case 'visits':
      return `${say('filter.visits', { compared: compared(format.number), count })}${lately}`;
    case 'spending':
      return `${say('filter.spending', { compared: compared(format.money) })}${lately}`;
    case 'tier': {
      const ids = [config.tier_ids ?? []].flat();
      const list = ids.map((id) =>
        id === UNTIERED ? say('none') : (names.tiers.find((tier) => tier.id === id)?.name ?? '?'),
      );
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
      return say(SINCE[registeredOf(config).operator], {
        day: tellDay(registeredOf(config), format),
      });
    case 'segment':
      return say('filter.segment', {
        name: `${not}${names.segments.find(({ id }) => id === config.segment_id)?.name ?? '?'}`,
      });
    case 'custom': {
      const own = readOwn(config.custom_field_filters ?? {}, names.fields)!;
      return tellOwn(own, { say, format, fields: names.fields });
    }
    default:
      return say('filter.other', { text: JSON.stringify(filter.filter_config) });
  }
}
