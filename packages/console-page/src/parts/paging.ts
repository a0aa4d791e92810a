import type { Page } from '@laurel/client';
import { useState } from 'react';

/** Where one stands in a long list. */
export interface Paging {
  /** What the list is asked for. */
  query: { limit: number; offset?: number; cursor?: string };
  /** To its beginning, as for another filter. */
  reset: () => void;
  back: (() => void) | undefined;
  /** On from this page, where it is not the last. */
  nextOf: (page: Page<unknown>) => (() => void) | undefined;
}

/** Of a list that is paged by counting rows. */
export function useOffset(limit: number): Paging {
  const [offset, setOffset] = useState(0);
  return {
    query: { limit, offset },
    reset: () => setOffset(0),
    back: offset > 0 ? () => setOffset(Math.max(0, offset - limit)) : undefined,
    nextOf: ({ data, meta }) => {
      const total = meta?.total ?? meta?.total_count ?? Number.POSITIVE_INFINITY;
      const isMore = data.length === limit && offset + limit < total;
      return isMore ? () => setOffset(offset + limit) : undefined;
    },
  };
}

/** The rows that a page shows of a list that came as a whole. */
export function partOf<Row>(rows: readonly Row[], { query }: Pick<Paging, 'query'>) {
  const { limit, offset = 0 } = query;
  return { data: rows.slice(offset, offset + limit), meta: { total: rows.length } };
}

/** Of a list whose pages name the one that follows. */
export function useCursor(limit: number): Paging {
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  return {
    query: { limit, ...(cursor ? { cursor } : {}) },
    reset: () => setCursors([]),
    back: cursor ? () => setCursors(cursors.slice(0, -1)) : undefined,
    nextOf: ({ meta }) => {
      const next = meta?.next_cursor;
      return next ? () => setCursors([...cursors, next]) : undefined;
    },
  };
}
