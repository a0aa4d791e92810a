/**
 * Where a spreadsheet may take a text for a formula: at its start, and behind what many of them take for the end of a
 * cell. Where a decimal has a comma, cells of a file end at semicolons, and quotes that begin within a cell hold nothing.
 */
const FORMULA = /^(?=[\t\r])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g;
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
  const safe = text.replace(FORMULA, "'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
