import { CLIENT_COLUMNS, csvLine } from '@laurel/contract';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Client } from '../domain/client';
import { toSnapshot } from '../store/mapping';
import { filterOf } from './list-clients';

/** Text per message: large enough to be cheap, small enough to stay flat. */
const CHUNK_CHARACTERS = 64 * 1024;
const PLAIN_COLUMNS = CLIENT_COLUMNS.filter((column) => column !== 'custom_fields');

/** All matching clients as NDJSON or CSV. In a CSV each custom field has a column of its own. */
export async function* exportClients(
  { clients }: Pick<Deps, 'clients'>,
  request: api.ExportClientsRequest,
): AsyncIterable<api.TextChunk> {
  const filter = filterOf(request.filter);
  const isCsv = request.format === 'csv';
  const customNames = isCsv ? await clients.customFieldNames(request.workspace_id, filter) : [];
  let text = isCsv
    ? csvLine([...PLAIN_COLUMNS, ...customNames.map((name) => `custom_fields.${name}`)])
    : '';
  for await (const client of clients.stream(request.workspace_id, filter)) {
    text += isCsv ? toCsv(client, customNames) : `${JSON.stringify(toSnapshot(client))}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield { text };
    text = '';
  }
  if (text !== '') yield { text };
}

function toCsv(client: Client, customNames: readonly string[]): string {
  const row = toSnapshot(client);
  return csvLine([
    ...PLAIN_COLUMNS.map((column) => row[column]),
    ...customNames.map((name) => row.custom_fields[name]),
  ]);
}
