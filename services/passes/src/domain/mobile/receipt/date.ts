import { folded } from './words';

const NAMED = /(?<![a-z])(?:datum|date|fecha|data|dzien|jour|dia)(?![a-z])/;
const YEAR_FIRST = /(?<!\d)(20\d{2})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{1,2})(?!\d)/g;
const YEAR_LAST = /(?<![\d.,])(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(20\d{2}|\d{2})(?![\d.,]*\d)/g;
const DAY_AND_WORD =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er)?[.\s-]+(?:de\s+)?([a-z]{3,12})[.,]?[\s-]+(?:de\s+)?(20\d{2})(?!\d)/g;
const WORD_AND_DAY = /(?<![a-z])([a-z]{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(20\d{2})(?!\d)/g;

/** Beginnings of the names of the months without accents (en, de, fr, es, pl). */
const MONTHS: readonly RegExp[] = [
  /^(?:jan|ene|sty)/,
  /^(?:feb|fev|lut)/,
  /^mae?r/,
  /^(?:apr|avr|abr|kwi)/,
  /^ma[ijy]/,
  /^(?:jun|juin|cze)/,
  /^(?:jul|juil|lip)/,
  /^(?:aug|aou|ago|sie)/,
  /^(?:sep|wrz)/,
  /^(?:oct|okt|paz)/,
  /^(?:nov|lis)/,
  /^(?:dec|dez|dic|gru)/,
];
const CENTURY = 2_000;

export interface DateHints {
  /** YYYY-MM-DD; a receipt is not from later. */
  today: string;
  /** Whether 03/04 is the fourth of March. */
  monthFirst: boolean;
}

/** The day of the purchase as YYYY-MM-DD: one that the receipt calls its date before any other. */
export function dateOf(lines: readonly string[], hints: DateHints): string | null {
  const words = lines.map(folded);
  const inOrder = [...words.filter((line) => NAMED.test(line)), ...words];
  for (const line of inOrder) {
    const [found] = datesIn(line, hints);
    if (found) return found;
  }
  return null;
}

function datesIn(line: string, { today, monthFirst }: DateHints): string[] {
  const read = [
    ...[...line.matchAll(YEAR_FIRST)].map(([, y, m, d]) => [y, m, d]),
    ...[...line.matchAll(YEAR_LAST)].map(([, a, separator, b, y]) =>
      isMonthFirst(a!, b!, monthFirst && separator !== '.') ? [y, a, b] : [y, b, a],
    ),
    ...[...line.matchAll(DAY_AND_WORD)].map(([, d, word, y]) => [y, monthOf(word!), d]),
    ...[...line.matchAll(WORD_AND_DAY)].map(([, word, d, y]) => [y, monthOf(word!), d]),
  ];
  return read.flatMap(([y, m, d]) => {
    const day = dayOf(Number(y), Number(m), Number(d));
    return day !== null && day <= today ? [day] : [];
  });
}

function isMonthFirst(a: string, b: string, byHabit: boolean): boolean {
  if (Number(a) > 12) return false;
  return Number(b) > 12 || byHabit;
}

function monthOf(word: string): string {
  return String(MONTHS.findIndex((month) => month.test(word)) + 1);
}

/** The day, if the calendar has it. */
function dayOf(shortOrLong: number, month: number, day: number): string | null {
  const year = shortOrLong < 100 ? CENTURY + shortOrLong : shortOrLong;
  const date = new Date(Date.UTC(year, month - 1, day));
  // A day that the month has not is one of the month before or after.
  return date.getUTCMonth() === month - 1 ? date.toISOString().slice(0, 10) : null;
}
