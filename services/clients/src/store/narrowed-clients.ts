import { createSharedAnswers } from '@laurel/lifecycle';
import { type Connection, createLongCounts, limitedTo } from '@laurel/mongo';
import type { Criterion } from '../domain/segments/criterion';
import { type PageRequest, readPage, type Sort } from './page';
import { toQuery } from './profile-query';
import { NEWEST, profiles } from './profiles';
import { containing, createSearchStore, newestTexts } from './search';
import { settledMoment, TOTAL_KEPT_MS, timeRange } from './totals';

const BY_ID = '_id_';
const STREAM_PAGE = 1_000;

export interface NarrowedQuestion {
  workspaceId: string;
  /** What was asked, as its total is remembered by: a criterion has the hour in it. */
  asked: string;
  criterion: Criterion;
  search?: string | undefined;
  /** Among whom; everybody where it is absent. */
  ids?: readonly string[] | undefined;
}

/** What the rows must match, and whether it names them by id. */
async function filterOf(
  search: ReturnType<typeof createSearchStore>,
  { workspaceId, criterion, search: text, ids }: NarrowedQuestion,
) {
  const found = text ? await search.find(workspaceId, text) : 'too short';
  const among = [ids, found].flatMap((some) =>
    Array.isArray(some) ? [{ _id: { $in: [...some] } }] : [],
  );
  const filter = {
    $and: [toQuery(criterion), ...(text ? [containing(text)] : []), ...among],
  };
  return { filter, isAmong: among.length > 0 };
}

/** Of profiles nothing is read but the id and what they are sorted by, which may stand deep within. */
const sortedBy = (column: string) => (row: { _id: string }) => ({
  _id: row._id,
  [column]: valueAt(row, column),
});

/** Lists of clients by what only profiles know: segment, tier, cards, own fields. */
export function createNarrowedStore(connection: Connection) {
  const rows = profiles.open(connection);
  const search = createSearchStore(connection, newestTexts(rows));
  const totals = createLongCounts<Date>({ keptMs: TOTAL_KEPT_MS });

  async function list(question: NarrowedQuestion & { sort: Sort; page: PageRequest }) {
    const { workspaceId, asked, page } = question;
    const sort = { ...question.sort, column: pathOf(question.sort.column) };
    const own = rows.of(workspaceId);
    const sorted = sortedBy(sort.column);
    const { filter, isAmong } = await filterOf(search, question);
    const along = sort.column === 'date_created' ? { hint: NEWEST } : {};
    const hint = isAmong ? { hint: BY_ID } : along;
    const [{ rows: found, nextCursor }, total] = await Promise.all([
      readPage(
        {
          find: (part) =>
            own
              .find({ $and: [filter, part] }, hint)
              .project<{ _id: string }>({ [sort.column]: 1 })
              .map(sorted),
          row: async (id) => {
            const row = await own.findOne({ _id: id });
            return row && sorted(row);
          },
        },
        sort,
        page,
      ),
      totals.total({
        key: `${workspaceId} ${asked}`,
        settled: settledMoment,
        count: (range, atMost) =>
          own.count(
            { $and: [filter, timeRange('date_created', range)] },
            { ...(isAmong ? { hint: BY_ID } : {}), ...limitedTo(atMost) },
          ),
      }),
    ]);
    return { clientIds: found.map((row) => row._id), total, nextCursor };
  }

  return {
    /** A page of ids. All who ask for the same page while it is being read share the next reading of it. */
    list: createSharedAnswers(
      (question: Parameters<typeof list>[0]) => JSON.stringify(question),
      list,
    ),

    /** The ids of all of them, the newest first, some at a time. */
    async *stream(question: NarrowedQuestion): AsyncIterable<string[]> {
      const { filter, isAmong } = await filterOf(search, question);
      const how = { hint: isAmong ? BY_ID : NEWEST, batchSize: STREAM_PAGE };
      const all = rows
        .of(question.workspaceId)
        .find(filter, how)
        .project<{ _id: string }>({ _id: 1 });
      let ids: string[] = [];
      for await (const { _id } of all) {
        ids.push(_id);
        if (ids.length < STREAM_PAGE) continue;
        yield ids;
        ids = [];
      }
      if (ids.length > 0) yield ids;
    },

    /** Drops what is remembered of a workspace that is no more. */
    forgetTotals: totals.forget,
  };
}

/** Where a profile has a column of its client. */
function pathOf(column: string): string {
  return column === '_id' || column === 'date_created' ? column : `columns.${column}`;
}

function valueAt(row: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | null)?.[step], row);
}
