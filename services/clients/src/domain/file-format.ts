/** How the characters of a file are written as bytes. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** What may stand between the cells of a CSV; the first of equals is taken. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** How the file of an import is written. */
export interface ImportFile {
  encoding: Encoding;
  /** How long its byte order mark is. */
  mark_bytes: number;
  /** Null in NDJSON, which has lines. */
  delimiter: Delimiter | null;
}
