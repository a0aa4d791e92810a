import type { CustomField } from '@laurel/client';
import type { Operator } from '@laurel/contract';
import type { Format } from '../format/format';
import type { Say, WordKey } from '../language';
import type { Own } from '../rule/body';
import { DAY_OPERATORS, DAY_WORDS, isDayOperator } from './day';

/** What a field holds, as far as a question differs by it. */
type Kind = 'text' | 'number' | 'boolean' | 'date' | 'choice';
type Value = string | number | boolean;

/** A question to one field of the workspace's own. */
export interface OwnQuestion {
  field: string;
  kind: Kind;
  operator: Operator;
  value: Value;
}

const KINDS: Readonly<Partial<Record<CustomField['field_type'], Kind>>> = {
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  select: 'choice',
};
/** How each kind is compared; the first is what a question begins with. */
export const OWN_OPERATORS: Readonly<Record<Kind, readonly Operator[]>> = {
  text: ['_eq'],
  number: ['_eq', '_gte', '_lte', '_gt', '_lt'],
  boolean: ['_eq'],
  date: DAY_OPERATORS,
  choice: ['_eq'],
};

const kindOf = (own: Own | undefined): Kind => KINDS[own?.type ?? 'text'] ?? 'text';

/** A question to a field to begin with: the platform types values against the field. */
export function askOwn(own: Own | undefined): OwnQuestion {
  const kind = kindOf(own);
  const first: Record<Kind, Value> = {
    text: '',
    number: 0,
    boolean: true,
    date: '',
    choice: own?.options?.[0] ?? '',
  };
  return { field: own?.id ?? '', kind, operator: OWN_OPERATORS[kind][0]!, value: first[kind] };
}

/** As the API has it. */
export const writeOwn = ({ field, operator, value }: OwnQuestion) => ({
  [field]: { operator, value },
});

/** The one question that the filters of own fields ask, where a form can show all of it. */
export function readOwn(
  asked: Record<string, unknown>,
  fields: readonly Own[],
): OwnQuestion | null {
  const [entry, second] = Object.entries(asked);
  if (!entry || second) return null;
  const [field, wanted] = entry;
  const { operator, value } = (wanted ?? {}) as { operator?: unknown; value?: unknown };
  const kind = kindOf(fields.find(({ id }) => id === field));
  const isOfKind =
    kind === 'number' || kind === 'boolean' ? typeof value === kind : typeof value === 'string';
  const known = OWN_OPERATORS[kind].find((one) => one === operator);
  if (!isOfKind || !known) return null;
  return { field, kind, operator: known, value: value as Value };
}

/** Whether all is said; a day that is still being typed is none. */
export const isWholeOwn = ({ kind, value }: OwnQuestion): boolean =>
  kind !== 'date' || value !== '';

/** What stands between a field and what it is compared with. */
export const wordOf = (kind: Kind, operator: Operator): WordKey =>
  kind === 'date' && isDayOperator(operator)
    ? DAY_WORDS[operator]
    : (`compare.${operator.slice(1)}` as WordKey);

export function tellOwn(
  { field, kind, operator, value }: OwnQuestion,
  {
    say,
    format,
    fields,
  }: { say: Say; format: Pick<Format, 'number' | 'day'>; fields: readonly Own[] },
): string {
  const name = fields.find(({ id }) => id === field)?.name ?? field;
  if (kind === 'boolean') return `${name}: ${say(value ? 'yes' : 'no')}`;
  if (kind === 'date')
    return `${name} ${say(wordOf(kind, operator))} ${value === '' ? '…' : format.day(String(value))}`;
  if (kind !== 'number') return `${name} = ${value}`;
  return `${name} ${say(wordOf(kind, operator))} ${format.number(Number(value))}`;
}
