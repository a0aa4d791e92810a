import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { bodyOf } from '../store/chain';
import type { EntryDocument } from '../store/documents';
import { walkLogs } from '../store/walk';

const LINES_PER_MESSAGE = 200;
/** A message with so much text has no more lines: each has as much metadata as a request carries, and may name many lots. */
const CHARS_PER_MESSAGE = 256 * 1024;

/**
 * The entries of a workspace as NDJSON, wallet after wallet, each in order: the hashed body as it is, the
 * hashes, and the free text with the key of its digest. What `laurel-verify` reads.
 */
export async function* exportEntries(
  deps: Deps,
  request: ledger.ExportEntriesRequest,
): AsyncGenerator<ledger.ExportRows> {
  const from = request.from_date === undefined ? -Infinity : Date.parse(request.from_date);
  const to = request.to_date === undefined ? Infinity : Date.parse(request.to_date);
  let lines: string[] = [];
  let chars = 0;
  for await (const { entry } of walkLogs(deps, { workspaceId: request.workspace_id })) {
    if (!entry) continue;
    const at = entry.created_at.getTime();
    if (at < from || at > to) continue;
    const line = lineOf(entry);
    lines.push(line);
    chars += line.length;
    if (lines.length < LINES_PER_MESSAGE && chars < CHARS_PER_MESSAGE) continue;
    yield { lines };
    [lines, chars] = [[], 0];
  }
  if (lines.length > 0) yield { lines };
}

/** One entry as its line of the export. */
export function lineOf(entry: EntryDocument): string {
  const { prev_hash, hash, status, note } = entry;
  return JSON.stringify({ body: bodyOf(entry), prev_hash, hash, status, note });
}
