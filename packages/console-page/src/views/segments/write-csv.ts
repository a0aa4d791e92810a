import type { Client } from '@laurel/client';
import { FIELDS } from '../customers/fields';

const COLUMNS = ['id', ...FIELDS] as const;
/** What a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Customers as a table that spreadsheets open. */
export function writeCsv(rows: readonly Client[]): string {
  const cell = (value: unknown) => {
    const text = String(value ?? '');
    const safe = FORMULA.test(text) && !/^\+\d+$/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const lines = rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(','));
  // The mark in front tells spreadsheets that it is UTF-8.
  return `\ufeff${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}
