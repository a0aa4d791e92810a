/** An amount at the end of its line whose decimals are elsewhere: `TOTAL $1,333.` */
const CUT_OFF = /(?<![\d.,/:-])(?:\d{1,3}(?:[ .,'’]\d{3})+|\d{1,8})[.,]$/;
const CENTS_ONLY = /^\d{2}(?:\s+\d{2})*$/;
/** Fewer may be anything: a table, a count, a day. */
const COLUMN_MIN = 2;

/** Whether a line ends with an amount that was cut off at its decimals. */
export const isCutOff = (line: string): boolean => CUT_OFF.test(line);

/**
 * The lines of a receipt with the cents back at their amounts, where recognition took them for a column of their own:
 * done only when there is one such column, with as many cents as there are amounts without. Else the lines as they are.
 */
export function withCents(lines: readonly string[]): string[] {
  const cutOff = lines.filter(isCutOff).length;
  const columns = columnsOf(lines);
  const [column] = columns;
  if (columns.length !== 1 || column!.cents.length !== cutOff || cutOff < COLUMN_MIN)
    return [...lines];
  const cents = [...column!.cents];
  return lines
    .filter((_line, place) => place < column!.from || place >= column!.to)
    .map((line) => (isCutOff(line) ? line + cents.shift() : line));
}

interface Column {
  from: number;
  to: number;
  cents: string[];
}

function columnsOf(lines: readonly string[]): Column[] {
  const columns: Column[] = [];
  for (const [place, line] of lines.entries()) {
    if (!CENTS_ONLY.test(line)) continue;
    const cents = line.split(/\s+/);
    const last = columns.at(-1);
    if (last?.to === place) {
      last.cents.push(...cents);
      last.to = place + 1;
    } else columns.push({ from: place, to: place + 1, cents });
  }
  return columns;
}
