/** What the forms can say about a moment: on which days of the week, between which hours. */
export interface TimePill {
  kind: 'time';
  /** 1 for Monday to 7 for Sunday; none means any. */
  days: readonly number[];
  /** Whole hours, 0 to 24; both or neither. */
  hours: { from: number; to: number } | null;
}
/** A condition as it is shown: one of the shapes that the forms write, or a formula that is left as it is. */
export type ConditionPill = TimePill | { kind: 'birthday' } | { kind: 'formula'; text: string };

/** An amount as it is shown: so many for each unit of money, or a formula that is left as it is. */
export type AmountPill = { kind: 'perMoney'; factor: number } | { kind: 'formula'; text: string };

const BIRTHDAY = 'isBirthday(client.birth_date)';
const TIME = 'event.event_timestamp';
const DAYS = /^weekday\(event\.event_timestamp\) in \[((?:[1-7]\.0(?:, )?)+)\]$/;
const HOURS =
  /^hour\(event\.event_timestamp\) >= (\d{1,2})\.0 && hour\(event\.event_timestamp\) < (\d{1,2})\.0$/;
const BOTH = /^(weekday\(.+?\]) && (hour\(.+)$/;
const PER_MONEY = /^event\.amount \* (\d+\.\d+)$/;

const decimal = (value: number): string => (Number.isInteger(value) ? `${value}.0` : `${value}`);

export function writeCondition(pill: ConditionPill): string {
  if (pill.kind === 'formula') return pill.text;
  if (pill.kind === 'birthday') return BIRTHDAY;
  const parts: string[] = [];
  if (pill.days.length > 0)
    parts.push(`weekday(${TIME}) in [${pill.days.map(decimal).join(', ')}]`);
  if (pill.hours)
    parts.push(
      `hour(${TIME}) >= ${decimal(pill.hours.from)} && hour(${TIME}) < ${decimal(pill.hours.to)}`,
    );
  return parts.join(' && ') || 'true';
}

/** Reads exactly what `writeCondition` writes; anything else stays the formula that it is. */
export function readCondition(text: string): ConditionPill {
  if (text === BIRTHDAY) return { kind: 'birthday' };
  if (text === 'true') return { kind: 'time', days: [], hours: null };
  const both = BOTH.exec(text);
  const days = readDays(both ? both[1]! : text);
  const hours = readHours(both ? both[2]! : text);
  const isWhole = both ? days !== null && hours !== null : days !== null || hours !== null;
  if (!isWhole) return { kind: 'formula', text };
  const pill: TimePill = { kind: 'time', days: days ?? [], hours };
  return writeCondition(pill) === text ? pill : { kind: 'formula', text };
}

function readDays(text: string): number[] | null {
  const found = DAYS.exec(text);
  return found ? found[1]!.split(', ').map(Number) : null;
}

function readHours(text: string): TimePill['hours'] {
  const found = HOURS.exec(text);
  if (!found) return null;
  const [from, to] = [Number(found[1]), Number(found[2])];
  return from < to && to <= 24 ? { from, to } : null;
}

export const writeAmount = (pill: AmountPill): string =>
  pill.kind === 'formula' ? pill.text : `event.amount * ${decimal(pill.factor)}`;

/** With as many decimals as somebody wrote: the first run writes two. What is only read stays as it is written. */
export function readAmount(text: string): AmountPill {
  const found = PER_MONEY.exec(text);
  return found ? { kind: 'perMoney', factor: Number(found[1]) } : { kind: 'formula', text };
}
