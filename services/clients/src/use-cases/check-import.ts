import type { clients as api } from '@laurel/rpc';
import { emailKeyOf } from '@laurel/values/contact';
import type { Deps } from '../deps';
import type { ClientFields } from '../domain/client';
import type { FieldDefinition } from '../domain/data-model';
import { fieldOf, type Mapping } from '../domain/import-mapping';
import { foretellRows } from '../domain/import-outcome';
import { parseRow, unknownColumns } from '../domain/import-row';
import { mappingOf } from './get-import-job';
import {
  BrokenRow,
  complaintAboutHeader,
  examine,
  type FileRow,
  NAMELESS,
  readRecords,
  UnreadableFile,
  valuesOf,
} from './import-file';

const ROWS_SHOWN = 20;
const PROBLEMS_MAX = 100;
const ROWS_MAX = 10_000;
const EMAILS_PER_QUESTION = 500;

/** What was read of a file that somebody only asks about. */
interface Head {
  columns: string[];
  rows: FileRow[];
  problem: api.ImportError | null;
  /** Whether it is all of the file. */
  isWhole: boolean;
}

/**
 * How the beginning of a file would be read under a mapping, and what an import would then do with each row: by the
 * reader and the decision that an import has, so that nothing comes out otherwise. Unknown columns are
 * named once and left out of the rows. Nothing is written.
 */
export async function checkImport(
  deps: Pick<Deps, 'clients' | 'fields'>,
  request: api.CheckImportRequest,
): Promise<api.ImportCheck> {
  const { workspace_id: workspaceId } = request;
  const mapping = mappingOf(request.mapping);
  const [head, definitions] = await Promise.all([
    readHead(request, mapping),
    deps.fields.list(workspaceId),
  ]);
  const known = withoutUnknown(head.columns, mapping);
  const format = request.format === 'ndjson' ? 'ndjson' : 'csv';
  const rows = head.rows.map((row) => parsed(row, { head, known, definitions, format }));
  const existing = await clientsByEmail(deps, workspaceId, rows);
  const mode = request.mode === 'upsert' ? 'upsert' : 'create';
  const foretold = foretellRows(rows, mode, {
    keyOf: ({ email }) => emailKeyOf(email),
    isClient: (fields) => existing(fields) !== undefined,
  });
  const problems = foretold.flatMap(({ problem: message }, at) =>
    message === null ? [] : [{ row: at + 1, message }],
  );
  // A file that cannot be read as a whole is not imported at all.
  const isRefused = head.problem?.row === 0;
  return {
    columns: head.columns.map((column) => ({ column, field: knownField(mapping, column) })),
    rows: rows.slice(0, ROWS_SHOWN).map((row, at) => ({
      row: at + 1,
      client: 'fields' in row ? (row.fields as api.CheckedRow['client']) : null,
      problem: foretold[at]!.problem,
      outcome: isRefused ? 'refuse' : foretold[at]!.outcome,
      earlier_row: foretold[at]!.earlierRow,
      client_id: ('fields' in row && existing(row.fields)) || null,
    })),
    problems: [...(head.problem ? [head.problem] : []), ...problems].slice(0, PROBLEMS_MAX),
    rows_read: rows.length,
    is_whole: head.isWhole,
  };
}

async function readHead(
  { format, head, is_whole: isWhole, workspace_id }: api.CheckImportRequest,
  mapping: Mapping,
): Promise<Head> {
  const text = isWhole ? Buffer.from(head) : wholeLines(Buffer.from(head));
  const chunks = { chunkSizes: async () => [text.length], readChunk: async () => text };
  const kind = format === 'ndjson' ? ('ndjson' as const) : ('csv' as const);
  const upload = { _id: 'check', workspace_id, format: kind };
  const read: Head = { columns: [], rows: [], problem: null, isWhole };
  let hasHeader = kind === 'ndjson';
  try {
    const file = await examine(chunks, upload, mapping);
    for await (const record of readRecords(chunks, upload, { file, fromByte: 0 })) {
      if (hasHeader) read.rows.push(record);
      else if ('cells' in record) read.columns = record.cells;
      else throw new UnreadableFile(NAMELESS);
      hasHeader = true;
      if (read.rows.length === ROWS_MAX)
        return { ...read, ...about(read, mapping, kind), isWhole: false };
    }
    if (!hasHeader) throw new UnreadableFile(NAMELESS);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    // Where the file goes on behind what was looked at, what is open at its end is closed there.
    const isCut = error instanceof BrokenRow && !isWhole;
    const row = error instanceof BrokenRow ? read.rows.length + 1 : 0;
    if (!isCut) return { ...read, problem: { row, message: error.message } };
  }
  return { ...read, ...about(read, mapping, kind) };
}

function about({ columns }: Head, mapping: Mapping, kind: 'csv' | 'ndjson'): Pick<Head, 'problem'> {
  const message = kind === 'csv' ? complaintAboutHeader(columns, mapping) : null;
  return { problem: message === null ? null : { row: 0, message } };
}

/** Up to the last end of a line: a character that was cut in two would be taken for another encoding. */
function wholeLines(head: Buffer): Buffer {
  const isLittleEndian = head[0] === 0xff && head[1] === 0xfe;
  const at = head.lastIndexOf(isLittleEndian ? '\n\0' : '\n', undefined, 'latin1');
  if (at < 0) return head;
  return head.subarray(0, at + (isLittleEndian ? 2 : 1));
}

/** The mapping with what no field is called left out. */
function withoutUnknown(columns: readonly string[], mapping: Mapping): Mapping {
  const unread = columns.filter((column) => knownField(mapping, column) === null);
  const others = mapping.filter(({ column }) => !unread.includes(column));
  return [...others, ...unread.map((column) => ({ column, field: null }))];
}

function knownField(mapping: Mapping, column: string): string | null {
  const field = fieldOf(mapping, column);
  return field !== null && unknownColumns([field]).length === 0 ? field : null;
}

interface Reading {
  head: Head;
  known: Mapping;
  definitions: readonly FieldDefinition[];
  format: 'csv' | 'ndjson';
}

function parsed(row: FileRow, { head, known, definitions, format }: Reading) {
  const values = valuesOf(row, head.columns, known);
  return typeof values === 'string' ? { message: values } : parseRow(values, definitions, format);
}

/** Who of the workspace has the address of a row already. */
async function clientsByEmail(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  rows: readonly ({ fields: ClientFields } | { message: string })[],
): Promise<(fields: ClientFields) => string | undefined> {
  const emails = rows.flatMap((row) =>
    'fields' in row && typeof row.fields.email === 'string' ? [row.fields.email] : [],
  );
  const ids = new Map<string | null, string>();
  for (let at = 0; at < emails.length; at += EMAILS_PER_QUESTION) {
    const some = emails.slice(at, at + EMAILS_PER_QUESTION);
    for (const { id, email } of await clients.findByEmails(workspaceId, some))
      ids.set(emailKeyOf(email), id);
  }
  return ({ email }) => (typeof email === 'string' ? ids.get(emailKeyOf(email)) : undefined);
}
