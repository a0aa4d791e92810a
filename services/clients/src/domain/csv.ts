const QUOTE = 0x22;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = '\ufeff';

/** Characters with which a spreadsheet takes a cell for a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;
const DEFUSED = /^'(?=[=+\-@\t\r])/;
const NEEDS_QUOTES = /[",\r\n]/;

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

/** What a defused cell said before. */
export function undefuse(cell: string): string {
  return cell.replace(DEFUSED, '');
}

/** One record of a file, and where in the file the next one begins. */
export interface FileRecord {
  bytes: Buffer;
  endsAt: number;
}

/**
 * Cuts a file that arrives in pieces into records: lines, or for CSV lines outside quotes. `startsAt`
 * is where in the file the first piece begins, which must be the beginning of a record.
 */
export class RecordSplitter {
  private rest: Buffer = Buffer.alloc(0);
  private scanned = 0;
  private quoted = false;

  constructor(
    private readonly format: 'csv' | 'ndjson',
    private startsAt: number,
  ) {}

  /** Takes the next piece and gives the records that are complete now. */
  push(piece: Buffer): FileRecord[] {
    this.rest = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    const records: FileRecord[] = [];
    let begin = 0;
    let at = this.scanned;
    for (; at < this.rest.length; at += 1) {
      const byte = this.rest[at];
      if (byte === QUOTE && this.format === 'csv') this.quoted = !this.quoted;
      if (byte !== LF || this.quoted) continue;
      records.push({ bytes: this.rest.subarray(begin, at), endsAt: this.startsAt + at + 1 });
      begin = at + 1;
    }
    this.rest = this.rest.subarray(begin);
    this.startsAt += begin;
    this.scanned = at - begin;
    return records;
  }

  /** How much of a record waits for its end. */
  get pendingBytes(): number {
    return this.rest.length;
  }

  /** The last record of a file that does not end with a line break. */
  end(): FileRecord[] {
    if (this.rest.length === 0) return [];
    return [{ bytes: this.rest, endsAt: this.startsAt + this.rest.length }];
  }
}

/** The cells of one CSV record. */
export function csvCells(record: Buffer): string[] {
  const bytes = record.at(-1) === CR ? record.subarray(0, -1) : record;
  const cells: string[] = [];
  let begin = 0;
  let quoted = false;
  for (let at = 0; at <= bytes.length; at += 1) {
    if (bytes[at] === QUOTE) quoted = !quoted;
    if (at < bytes.length && (bytes[at] !== COMMA || quoted)) continue;
    cells.push(unquote(bytes.toString('utf8', begin, at)));
    begin = at + 1;
  }
  return cells;
}

/** A record as text, without the mark that some programs put at the beginning of a file. */
export function recordText(record: Buffer): string {
  const text = record.toString('utf8');
  return (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).trim();
}

function unquote(cell: string): string {
  const text = cell.startsWith(BYTE_ORDER_MARK) ? cell.slice(1) : cell;
  const trimmed = text.trim();
  if (!trimmed.startsWith('"') || !trimmed.endsWith('"') || trimmed.length < 2) return text;
  return trimmed.slice(1, -1).replaceAll('""', '"');
}
