import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { bodyOf } from '../store/chain';
import type { EntryDocument } from '../store/documents';
import { walkLogs } from '../store/walk';

const LINES_PER_MESSAGE = 200;

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
  for await (const { entries } of walkLogs(deps, { workspaceId: request.workspace_id })) {
    for (const entry of entries) {
      const at = entry.created_at.getTime();
      if (at < from || at > to) continue;
      lines.push(lineOf(entry));
      if (lines.length < LINES_PER_MESSAGE) continue;
      yield { lines };
      lines = [];
    }
  }
  if (lines.length > 0) yield { lines };
}

/** One entry as its line of the export. */
export function lineOf(entry: EntryDocument): string {
  const { prev_hash, hash, status, note } = entry;
  return JSON.stringify({ body: bodyOf(entry), prev_hash, hash, status, note });
}
