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
