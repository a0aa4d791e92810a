import { CLIENT_COLUMNS, csvLine, customFieldPath } from '@laurel/contract';
import { memberOf } from '@laurel/errors';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Client } from '../domain/client';
import { toSnapshot } from '../store/mapping';
import { type AskedList, type ListDeps, readListFilter } from './read-list-filter';

/** Text per message: large enough to be cheap, small enough to stay flat. */
const CHUNK_CHARACTERS = 64 * 1024;
const PLAIN_COLUMNS = CLIENT_COLUMNS.filter((column) => column !== 'custom_fields');

type ExportDeps = ListDeps & Pick<Deps, 'narrowed'>;

/** All matching clients as NDJSON or CSV. In a CSV each custom field has a column of its own. */
export async function* exportClients(
  deps: ExportDeps,
  request: api.ExportClientsRequest,
): AsyncIterable<api.TextChunk> {
  const asked = await readListFilter(deps, request.workspace_id, request.filter);
  const isCsv = request.format === 'csv';
  const customNames = isCsv ? await customFieldNames(deps, request.workspace_id, asked) : [];
  let text = isCsv ? csvLine([...PLAIN_COLUMNS, ...customNames.map(customFieldPath)]) : '';
  for await (const client of streamOf(deps, request.workspace_id, asked)) {
    text += isCsv ? toCsv(client, customNames) : `${JSON.stringify(toSnapshot(client))}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield { text };
    text = '';
  }
  if (text !== '') yield { text };
}

async function* streamOf(
  { clients, narrowed }: ExportDeps,
  workspaceId: string,
  asked: AskedList,
): AsyncIterable<Client> {
  if ('filter' in asked) return yield* clients.stream(workspaceId, asked.filter);
  for await (const ids of narrowed.stream(asked.narrowed))
    yield* await clients.findMany(workspaceId, ids);
}

async function customFieldNames(
  deps: ExportDeps,
  workspaceId: string,
  asked: AskedList,
): Promise<string[]> {
  if ('filter' in asked) return deps.clients.customFieldNames(workspaceId, asked.filter);
  const names = new Set<string>();
  for await (const { custom_fields: fields } of streamOf(deps, workspaceId, asked))
    for (const name of Object.keys(fields)) names.add(name);
  return [...names].sort();
}

function toCsv(client: Client, customNames: readonly string[]): string {
  const row = toSnapshot(client);
  return csvLine([
    ...PLAIN_COLUMNS.map((column) => row[column]),
    ...customNames.map((name) => memberOf(row.custom_fields, name)),
  ]);
}
