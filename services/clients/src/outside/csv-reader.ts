import { type CsvError, type Parser, parse } from 'csv-parse';
import { DELIMITERS, type Delimiter } from '../domain/file-format';

/** No sane row is longer; a quote that never closes must not gather the whole file in memory. */
export const ROW_BYTES_MAX = 1024 * 1024;

/** One row: its cells, or what is wrong with it. */
export type CsvRow = { cells: string[] } | { complaint: string };

export type CsvRecord = CsvRow & {
  /** Byte behind the row, where reading may begin again; null where only the next row tells it. */
  endsAt: number | null;
};

/**
 * Cuts CSV that arrives in pieces of UTF-8 into rows (RFC 4180; blanks around cells and blank rows do not count).
 *
 * @param startsAt where in the file the first piece begins, which must be the beginning of a row
 */
export class CsvReader {
  /** Why the row behind the last one, and whatever follows it, cannot be read; null while it can. */
  broken: string | null = null;
  private readonly parser: Parser;
  private read: CsvRecord[] = [];
  /** What the parser has seen of the row that it complained about last. */
  private complainedAt = '';

  constructor(
    delimiter: Delimiter,
    private readonly startsAt = 0,
  ) {
    this.parser = parse({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      raw: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      skip_records_with_error: true,
      max_record_size: ROW_BYTES_MAX,
      // Whatever is given back would wait for somebody to read the stream.
      on_record: (row, { bytes }) => {
        // The types do not know what `raw` makes of a record.
        const { record } = row as unknown as { record: string[] };
        this.read.push({ cells: record, endsAt: this.startsAt + bytes });
        return null;
      },
      on_skip: (error, raw) => this.complain(error, raw ?? ''),
    });
    this.parser.on('error', () => undefined);
  }

  /** Takes the next piece and gives the rows that are complete now. */
  async push(piece: Buffer): Promise<CsvRecord[]> {
    await new Promise<void>((resolve) => this.parser.write(piece, () => resolve()));
    return this.take();
  }

  /** Gives the last rows of a file that ends here, at `endsAt`. */
  async end(endsAt: number): Promise<CsvRecord[]> {
    await new Promise<void>((resolve) => this.parser.end(() => resolve()));
    const rest = this.take(true);
    const last = rest.at(-1);
    return last && this.broken === null ? [...rest.slice(0, -1), { ...last, endsAt }] : rest;
  }

  /** Rows up to one whose end is known. */
  private take(isEnd = false): CsvRecord[] {
    const count =
      isEnd || this.broken !== null
        ? this.read.length
        : this.read.findLastIndex(({ endsAt }) => endsAt !== null) + 1;
    return this.read.splice(0, count);
  }

  /** Called for each fault; what it throws ends the reading. */
  private complain(error: CsvError | undefined, raw: string): undefined {
    if ((error?.code as string) !== 'INVALID_OPENING_QUOTE') {
      this.broken =
        error?.code === 'CSV_MAX_RECORD_SIZE'
          ? 'the row is longer than 1 MiB: is a quote not closed?'
          : 'a quote that begins in this row is not closed';
      throw error ?? new Error(this.broken);
    }
    // A row is complained about at each quote: what was seen of it then begins as what was seen before.
    const isSameRow = raw.length > this.complainedAt.length && raw.startsWith(this.complainedAt);
    const isKnown = this.complainedAt !== '' && isSameRow;
    this.complainedAt = raw;
    if (isKnown) return undefined;
    const complaint =
      'a quote stands inside a cell: put the whole cell in quotes and double those in it';
    this.read.push({ complaint, endsAt: null });
    return undefined;
  }
}

/**
 * What separates the cells of a file, seen in its header: with it the header has most of the known columns, else most
 * columns (part 4, section 9).
 *
 * @param head the beginning of the file, with the whole header
 */
export async function delimiterOf(
  head: Buffer,
  countKnown: (columns: readonly string[]) => number,
): Promise<Delimiter> {
  let best: { delimiter: Delimiter; known: number; columns: number } | undefined;
  for (const delimiter of DELIMITERS) {
    const reader = new CsvReader(delimiter);
    const [header] = [...(await reader.push(head)), ...(await reader.end(head.length))];
    const columns = header && 'cells' in header ? header.cells : [];
    const found = { delimiter, known: countKnown(columns), columns: columns.length };
    const isBetter =
      !best ||
      found.known > best.known ||
      (found.known === best.known && found.columns > best.columns);
    if (isBetter) best = found;
  }
  return best!.delimiter;
}
