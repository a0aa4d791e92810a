import { CLIENT_COLUMNS, csvLine, customFieldPath } from '@laurel/contract';
import { type JsonObject, memberOf } from '@laurel/errors';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Client } from '../domain/client';
import { toSnapshot } from '../store/mapping';
import { type AskedList, type ListDeps, readListFilter } from './read-list-filter';

/** Text per message: large enough to be cheap, small enough to stay flat. */
const CHUNK_CHARACTERS = 64 * 1024;
const PLAIN_COLUMNS = CLIENT_COLUMNS.filter((column) => column !== 'custom_fields');

/** So many columns are of fields that no data model has: a free-form name may be another one for each client. */
const FREE_COLUMNS_MAX = 500;
/** Of a narrowed list so many names are counted; one that comes first after these has no column. */
const NAMES_COUNTED_MAX = 20_000;
/** The column of all custom fields that have none of their own, which an import reads as one object. */
const OTHER_FIELDS = 'custom_fields';

type ExportDeps = ListDeps & Pick<Deps, 'narrowed' | 'fields'>;

interface CustomColumns {
  names: readonly string[];
  /** Whether clients may have other fields. */
  hasOthers: boolean;
}

/**
 * All matching clients as NDJSON or CSV. In a CSV each custom field has a column of its own; where there are very many
 * beside those of the data model, those that most clients have, and one more holds all others of a client as JSON.
 */
export async function* exportClients(
  deps: ExportDeps,
  request: api.ExportClientsRequest,
): AsyncIterable<api.TextChunk> {
  const asked = await readListFilter(deps, request.workspace_id, request.filter);
  const isCsv = request.format === 'csv';
  const line = isCsv ? csvOf(await customColumns(deps, request.workspace_id, asked)) : ndjson;
  let text = line.head;
  for await (const client of streamOf(deps, request.workspace_id, asked)) {
    text += line.of(client);
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

async function customColumns(
  deps: ExportDeps,
  workspaceId: string,
  asked: AskedList,
): Promise<CustomColumns> {
  const defined = (await deps.fields.list(workspaceId)).map((field) => field.field_name);
  const most = defined.length + FREE_COLUMNS_MAX;
  // One more tells that there are others.
  const names = await commonNames(deps, workspaceId, { asked, most: most + 1 });
  if (names.length <= most) return { names: names.toSorted(), hasOthers: false };
  const own = new Set(defined);
  const free = names.filter((name) => !own.has(name)).slice(0, FREE_COLUMNS_MAX);
  return { names: [...defined, ...free].sort(), hasOthers: true };
}

/** The names of custom fields that most clients have, as many as are asked for. */
async function commonNames(
  deps: ExportDeps,
  workspaceId: string,
  { asked, most }: { asked: AskedList; most: number },
): Promise<string[]> {
  if ('filter' in asked) return deps.clients.customFieldNames(workspaceId, asked.filter, most);
  const counts = new Map<string, number>();
  for await (const { custom_fields: fields } of streamOf(deps, workspaceId, asked))
    for (const name of Object.keys(fields)) {
      const before = counts.get(name) ?? 0;
      if (before > 0 || counts.size < NAMES_COUNTED_MAX) counts.set(name, before + 1);
    }
  const byCount = [...counts].sort(([, one], [, other]) => other - one);
  return byCount.slice(0, most).map(([name]) => name);
}

interface Lines {
  head: string;
  of(client: Client): string;
}

const ndjson: Lines = { head: '', of: (client) => `${JSON.stringify(toSnapshot(client))}\n` };

function csvOf({ names, hasOthers }: CustomColumns): Lines {
  const named = new Set(names);
  const othersOf = (fields: JsonObject): JsonObject | null => {
    const others = Object.entries(fields).filter(([name]) => !named.has(name));
    return others.length > 0 ? Object.fromEntries(others) : null;
  };
  const columns = [...PLAIN_COLUMNS, ...names.map(customFieldPath)];
  return {
    head: csvLine(hasOthers ? [...columns, OTHER_FIELDS] : columns),
    of(client) {
      const row = toSnapshot(client);
      const fields = row.custom_fields as JsonObject;
      return csvLine([
        ...PLAIN_COLUMNS.map((column) => row[column]),
        ...names.map((name) => memberOf(fields, name)),
        ...(hasOthers ? [othersOf(fields)] : []),
      ]);
    },
  };
}
