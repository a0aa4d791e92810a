/** Characters with which a spreadsheet takes a cell for a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;
/** Besides what RFC 4180 asks for: blanks at either end, which readers take for padding. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** One row as a line of CSV (RFC 4180). Text that a spreadsheet would run as a formula is defused. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
