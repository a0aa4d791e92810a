import type { JsonObject } from '@laurel/errors';
import { csvCells, RecordSplitter, recordText, undefuse } from '../domain/csv';
import type { ImportJob, ImportStore } from '../store/imports';

/** No sane row is longer; a quote that never closes must not gather the whole file in memory. */
const ROW_BYTES_MAX = 1024 * 1024;

/** The file is not what it says it is; nothing of the rest can be read. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

export interface FileRow {
  bytes: Buffer;
  /** Where in the file the next record begins. */
  endsAt: number;
}

/** The records of an uploaded file from a byte on, empty lines left out, one piece in memory at a time. */
export async function* readRecords(
  imports: Pick<ImportStore, 'chunkSizes' | 'readChunk'>,
  { _id: jobId, format }: Pick<ImportJob, '_id' | 'format'>,
  fromByte: number,
): AsyncIterable<FileRow> {
  const splitter = new RecordSplitter(format, fromByte);
  let startsAt = 0;
  for (const [index, size] of (await imports.chunkSizes(jobId)).entries()) {
    const endsAt = startsAt + size;
    if (endsAt > fromByte) {
      const piece = await imports.readChunk(jobId, index);
      const wanted = piece.subarray(Math.max(fromByte - startsAt, 0));
      for (const record of splitter.push(wanted)) if (!isEmpty(record.bytes)) yield record;
      if (splitter.pendingBytes > ROW_BYTES_MAX) throw new UnreadableFile('a row is too long');
    }
    startsAt = endsAt;
  }
  for (const record of splitter.end()) if (!isEmpty(record.bytes)) yield record;
}

/** One record as named values, or what is wrong with it. */
export function rowOf(
  record: Buffer,
  format: 'csv' | 'ndjson',
  header: readonly string[],
): JsonObject | string {
  if (format === 'csv') {
    const cells = csvCells(record);
    if (cells.length > header.length) return 'the row has more cells than the file has columns';
    return Object.fromEntries(cells.map((cell, at) => [header[at], undefuse(cell)]));
  }
  try {
    const value: unknown = JSON.parse(recordText(record));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as JsonObject;
    }
  } catch {
    // Falls through: what is no JSON is no object either.
  }
  return 'the line is not a JSON object';
}

function isEmpty(record: Buffer): boolean {
  return record.length < 3 && recordText(record) === '';
}
