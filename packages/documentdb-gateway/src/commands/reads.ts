import { serialize } from 'bson';
import { Codes } from '../errors/codes';
import { CommandError } from '../errors/command-error';
import type { Run } from '../session/transaction';
import { elements, readEmbedded, readInteger } from '../wire/bson-scan';
import type { Command } from '../wire/command';
import { firstRow, type Handler, passThrough } from './context';

/** Commands that answer with a cursor: the first page, and what the engine needs for the next. */
function firstPage(name: string): Handler {
  const sql = `select cursorpage, continuation, cursorid from documentdb_api.${name}_cursor_first_page($1, $2)`;
  return async ({ db, spec }, { run, cursors, transaction }) => {
    const [page, continuation, id] = await firstRow(run, {
      name: `${name}_page`,
      sql,
      parameters: [db, spec],
    });
    if (!page) throw new Error(`The engine gave no page for ${name}`);
    if (continuation && id) cursors.open(id.readBigInt64BE(0), { db, continuation, transaction });
    return page;
  };
}

const NEXT_PAGE = 'select cursorpage, continuation from documentdb_api.cursor_get_more($1, $2, $3)';

const getMore: Handler = async (command, { run, cursors, transaction }) => {
  const field = command.fields.get('getMore');
  const id = field && readInteger(command.body, field);
  if (id === undefined) throw new CommandError(Codes.typeMismatch, 'getMore must be a cursor id');
  const cursor = cursors.take(id, transaction);
  let next: Buffer | null = null;
  try {
    const parameters = [cursor.db, command.spec, cursor.continuation];
    const [page, continuation] = await firstRow(run, {
      name: 'get_more',
      sql: NEXT_PAGE,
      parameters,
    });
    if (!page) throw new CommandError(Codes.cursorNotFound, `cursor id ${id} not found`);
    next = continuation ?? null;
    return page;
  } finally {
    cursors.advance(id, cursor, next);
  }
};

const killCursors: Handler = async (command, { run, cursors }) => {
  const ids = cursorIds(command);
  const killed = cursors.kill(ids);
  await dropCursors(run, killed);
  return serialize({
    cursorsKilled: killed,
    cursorsNotFound: ids.filter((id) => !killed.includes(id)),
    cursorsAlive: [],
    cursorsUnknown: [],
    ok: 1,
  });
};

/** Lets the engine delete what it keeps for cursors. */
export async function dropCursors(run: Run, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  const sql = 'select documentdb_api_internal.delete_cursors($1::bigint[])';
  await run([{ name: 'delete_cursors', sql, parameters: [`{${ids.join(',')}}`] }]);
}

function cursorIds({ fields, body }: Command): bigint[] {
  const field = fields.get('cursors');
  const array = field && readEmbedded(body, field);
  if (!array) throw new CommandError(Codes.typeMismatch, 'killCursors needs an array of cursors');
  return [...elements(array)].flatMap((element) => readInteger(array, element) ?? []);
}

const dbAndSpec = ({ db, spec }: Command) => [db, spec];

/** Commands that read documents. */
export const readHandlers: Record<string, Handler> = {
  find: firstPage('find'),
  aggregate: firstPage('aggregate'),
  listCollections: firstPage('list_collections'),
  listIndexes: firstPage('list_indexes'),
  getMore,
  killCursors,
  count: passThrough('count', 'select document from documentdb_api.count_query($1, $2)', dbAndSpec),
  distinct: passThrough(
    'distinct',
    'select document from documentdb_api.distinct_query($1, $2)',
    dbAndSpec,
  ),
};
