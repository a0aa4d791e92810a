import { createSharedAnswers } from '@laurel/lifecycle';
import type { Rows } from '@laurel/mongo';
import type { Client } from '../domain/client';
import type { ClientCounts, Matching } from './client-counts';
import { type ClientFilter, toFilter } from './client-filter';
import { type ClientDocument, fromDocument } from './mapping';
import { type PageRequest, readPage, type Sort } from './page';
import type { createSearchStore } from './search';

/** The index that holds the clients of a workspace by when they came. */
export const NEWEST = 'newest';
const NEWEST_FIRST = { date_created: -1, _id: -1 } as const;
/** The local engine reads what is left again for each batch, so batches are few and large. */
const EXPORT_BATCH = 20_000;
/** Some clients are looked up by their ids, however they are sorted: an index of that order leads past all others. */
const BY_ID = '_id_';

export interface ListQuestion {
  workspaceId: string;
  filter: ClientFilter;
  sort: Sort;
  page: PageRequest;
}

export interface ClientPage {
  clients: Client[];
  total: number;
  nextCursor: string | null;
}

type Search = Pick<ReturnType<typeof createSearchStore>, 'find'>;

/** Clients by what is true of them: pages, searches, streams. */
export function createClientLists(
  rows: Rows<ClientDocument>,
  { search, counts }: { search: Search; counts: Pick<ClientCounts, 'total'> },
) {
  /** The filter with those whom a search finds looked up in its index. */
  async function matchingClients(workspaceId: string, filter: ClientFilter): Promise<Matching> {
    const matching = toFilter(filter);
    const found = filter.search ? await search.find(workspaceId, filter.search) : 'too short';
    if (!Array.isArray(found)) return { filter: matching, options: {}, found };
    return { filter: { ...matching, _id: { $in: found } }, options: { hint: BY_ID }, found };
  }

  async function readList({ workspaceId, filter, sort, page }: ListQuestion): Promise<ClientPage> {
    const own = rows.of(workspaceId);
    const matching = await matchingClients(workspaceId, filter);
    const [{ rows: found, nextCursor }, total] = await Promise.all([
      readPage(
        {
          find: (part) =>
            own.find(
              { $and: [matching.filter, part] },
              { ...along(sort, filter), ...matching.options },
            ),
          row: (id) => own.findOne({ _id: id }),
        },
        sort,
        page,
      ),
      counts.total(workspaceId, filter, matching),
    ]);
    return { clients: found.map(fromDocument), total, nextCursor };
  }

  return {
    /** A page of a workspace's clients. All who ask for the same page while it is being read share the next reading of it. */
    list: createSharedAnswers((question: ListQuestion) => JSON.stringify(question), readList),

    async search(workspaceId: string, text: string, limit: number): Promise<Client[]> {
      const { filter, options } = await matchingClients(workspaceId, { search: text });
      const some = rows.of(workspaceId).find(filter, options).sort(NEWEST_FIRST).limit(limit);
      return (await some.toArray()).map(fromDocument);
    },

    /** Which clients of all workspaces come after an id, by their ids. */
    after: (id: string, limit: number) => clientsAfter(rows, id, limit),

    /** All matching clients, in no particular order, without holding them in memory. */
    async *stream(workspaceId: string, filter: ClientFilter): AsyncIterable<Client> {
      const matching = await matchingClients(workspaceId, filter);
      const how = { ...matching.options, batchSize: EXPORT_BATCH };
      const cursor = rows.of(workspaceId).find(matching.filter, how);
      for await (const document of cursor) yield fromDocument(document);
    },

    /** Names of custom fields that matching clients have, as many as are asked for: those that most of them have. */
    async customFieldNames(
      workspaceId: string,
      filter: ClientFilter,
      most: number,
    ): Promise<string[]> {
      const matching = await matchingClients(workspaceId, filter);
      const names = await rows
        .of(workspaceId)
        .aggregate<{ _id: string }>(matching.filter, [
          { $project: { pair: { $objectToArray: '$custom_fields' } } },
          { $unwind: '$pair' },
          { $group: { _id: '$pair.k', clients: { $sum: 1 } } },
          { $sort: { clients: -1, _id: 1 } },
          { $limit: most },
        ])
        .toArray();
      return names.map((row) => row._id);
    },
  };
}

/** The index that holds a list in its order: the local engine would rather sort all of a workspace's clients. */
function along({ column }: Sort, { email }: ClientFilter): { hint?: string } {
  return column === 'date_created' && email === undefined ? { hint: NEWEST } : {};
}

async function clientsAfter(
  rows: Rows<ClientDocument>,
  id: string,
  limit: number,
): Promise<Pick<Client, 'id' | 'workspace_id' | 'status'>[]> {
  const next = await rows.ofEverybody
    .find({ _id: { $gt: id } }, { hint: BY_ID })
    .sort({ _id: 1 })
    .limit(limit)
    .project<Pick<ClientDocument, '_id' | 'workspace_id' | 'status'>>({
      workspace_id: 1,
      status: 1,
    })
    .toArray();
  return next.map(({ _id, workspace_id, status }) => ({ id: _id, workspace_id, status }));
}
