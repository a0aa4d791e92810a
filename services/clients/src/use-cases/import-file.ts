import { type JsonObject, parseJson } from '@laurel/errors';
import { undefuse } from '../domain/csv';
import type { ImportFile } from '../domain/file-format';
import { fieldOf, type Mapping, mapped } from '../domain/import-mapping';
import { unknownColumns } from '../domain/import-row';
import { CsvReader, type CsvRow, delimiterOf, ROW_BYTES_MAX } from '../outside/csv-reader';
import { decoderOf, EncodingDetector, REPLACEMENT } from '../outside/encoding';
import { LineSplitter } from '../outside/line-splitter';
import type { ImportRef } from '../store/import-files';
import type { ImportJob, ImportStore } from '../store/imports';

/** What is said of a CSV whose first line cannot be read. */
export const NAMELESS = 'the first line of the file must name the columns';

/** The header has room in this much of a file. */
const HEAD_BYTES = 64 * 1024;

type Chunks = Pick<ImportStore, 'chunkSizes' | 'readChunk'>;
type Upload = ImportRef & Pick<ImportJob, 'format'>;

/** The file is not what it says it is; nothing of the rest can be read. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** A row cannot be read, and nothing behind it can; the rows before it could. */
export class BrokenRow extends UnreadableFile {}

export type FileRow = (CsvRow | { line: string }) & {
  /** Byte behind the row, where reading may begin again; null where only the next row tells it. */
  endsAt: number | null;
};

/** From where on a file is read. */
interface Place {
  file: ImportFile;
  /** Of the file as UTF-8 and without a byte order mark; the beginning of a row. */
  fromByte: number;
}

/** Tells by its bytes how a file is written, and by its header what separates its cells. */
export async function examine(
  chunks: Chunks,
  upload: Upload,
  mapping: Mapping,
): Promise<ImportFile> {
  const detector = new EncodingDetector();
  for await (const piece of pieces(chunks, upload, 0)) detector.push(piece);
  const { encoding, markBytes } = detector.end();
  if (upload.format === 'ndjson' && encoding === 'windows-1252') {
    throw new UnreadableFile('the file is not UTF-8');
  }
  const file: ImportFile = { encoding, mark_bytes: markBytes, delimiter: null };
  if (upload.format === 'ndjson') return file;
  const head: Buffer[] = [];
  let headBytes = 0;
  for await (const piece of utf8Pieces(chunks, upload, { file, fromByte: 0 })) {
    head.push(piece);
    headBytes += piece.length;
    if (headBytes >= HEAD_BYTES) break;
  }
  const countKnown = (columns: readonly string[]): number => {
    const fields = columns.map((column) => fieldOf(mapping, column)).filter(isNamed);
    return fields.length - unknownColumns(fields).length;
  };
  return { ...file, delimiter: await delimiterOf(Buffer.concat(head), countKnown) };
}

/**
 * The rows of an uploaded file from a byte of its text on, empty ones left out, one piece in memory at a time.
 * Throws BrokenRow behind the last one that can be read.
 */
export async function* readRecords(
  chunks: Chunks,
  upload: Upload,
  { file, fromByte }: Place,
): AsyncIterable<FileRow> {
  const text = utf8Pieces(chunks, upload, { file, fromByte });
  if (file.delimiter === null) {
    yield* readLines(text, fromByte);
    return;
  }
  const reader = new CsvReader(file.delimiter, fromByte);
  let endsAt = fromByte;
  for await (const piece of text) {
    endsAt += piece.length;
    for (const record of await reader.push(piece)) yield whole(record, file);
    if (reader.broken !== null) throw new BrokenRow(reader.broken);
  }
  for (const record of await reader.end(endsAt)) yield whole(record, file);
  if (reader.broken !== null) throw new BrokenRow(reader.broken);
}

async function* readLines(text: AsyncIterable<Buffer>, fromByte: number): AsyncIterable<FileRow> {
  const splitter = new LineSplitter(fromByte);
  const filled = ({ text: line, endsAt }: { text: string; endsAt: number }): FileRow[] =>
    line.trim() === '' ? [] : [{ line, endsAt }];
  for await (const piece of text) {
    yield* splitter.push(piece).flatMap(filled);
    if (splitter.pendingBytes > ROW_BYTES_MAX) throw new BrokenRow('the row is longer than 1 MiB');
  }
  yield* splitter.end().flatMap(filled);
}

/** What could not be decoded is reported, not kept. */
function whole(record: FileRow, { encoding }: ImportFile): FileRow {
  if (encoding === 'utf-8' || !('cells' in record)) return record;
  if (!record.cells.some((cell) => cell.includes(REPLACEMENT))) return record;
  return { complaint: `the row has bytes that are no text in ${encoding}`, endsAt: record.endsAt };
}

/** The file as UTF-8 without its mark, from a byte of that on. */
async function* utf8Pieces(
  chunks: Chunks,
  job: ImportRef,
  { file: { encoding, mark_bytes: markBytes }, fromByte }: Place,
): AsyncIterable<Buffer> {
  if (encoding === 'utf-8') {
    yield* pieces(chunks, job, markBytes + fromByte);
    return;
  }
  // Where a place in the text stands in the file, only decoding from the beginning tells.
  const decoder = decoderOf(encoding);
  let toSkip = fromByte;
  const wanted = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    const rest = bytes.subarray(toSkip);
    toSkip = Math.max(toSkip - bytes.length, 0);
    return rest;
  };
  for await (const piece of pieces(chunks, job, markBytes)) {
    const rest = wanted(decoder.write(piece));
    if (rest.length > 0) yield rest;
  }
  const rest = wanted(decoder.end());
  if (rest.length > 0) yield rest;
}

/** The bytes of a file from one on, as they were uploaded. */
async function* pieces(chunks: Chunks, job: ImportRef, fromByte: number): AsyncIterable<Buffer> {
  let startsAt = 0;
  for (const [index, size] of (await chunks.chunkSizes(job)).entries()) {
    const endsAt = startsAt + size;
    if (endsAt > fromByte) {
      const piece = await chunks.readChunk(job, index);
      yield piece.subarray(Math.max(fromByte - startsAt, 0));
    }
    startsAt = endsAt;
  }
}

/** What is wrong with the first line of a CSV as a whole; null where nothing is. */
export function complaintAboutHeader(header: readonly string[], mapping: Mapping): string | null {
  const missing = mapping.filter(({ column }) => !header.includes(column));
  if (missing.length > 0)
    return `the file has no columns: ${missing.map(({ column }) => column).join(', ')}`;
  if (new Set(header).size < header.length) return 'a column is named twice';
  const fields = header.map((column) => fieldOf(mapping, column)).filter(isNamed);
  const unknown = unknownColumns(fields);
  if (unknown.length > 0) return `unknown columns: ${unknown.join(', ')}`;
  return new Set(fields).size < fields.length ? 'two columns are read as one field' : null;
}

const isNamed = (field: string | null): field is string => field !== null;

/** One row as named values of fields, or what is wrong with it. */
export function valuesOf(
  row: FileRow,
  header: readonly string[],
  mapping: Mapping,
): JsonObject | string {
  const values = cellsOf(row, header);
  return typeof values === 'string' ? values : mapped(values, mapping);
}

function cellsOf(row: FileRow, header: readonly string[]): JsonObject | string {
  if ('complaint' in row) return row.complaint;
  if ('cells' in row) {
    const { cells } = row;
    if (cells.slice(header.length).some((cell) => cell !== '')) {
      return 'the row has more cells than the file has columns';
    }
    return Object.fromEntries(
      cells.slice(0, header.length).map((cell, at) => [header[at], undefuse(cell)]),
    );
  }
  try {
    const value = parseJson(row.line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Falls through: what is no JSON is no object either.
  }
  return 'the line is not a JSON object';
}
