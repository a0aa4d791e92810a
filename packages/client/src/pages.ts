import type { PageMeta } from './generated/types';

/** One page of a list. */
export interface Page<Row> {
  data: Row[];
  /** Which of these there are depends on the list. */
  meta?: PageMeta;
}

type Query = Record<string, unknown>;

/**
 * A list that was asked for: `await` gives its first page, `for await` every row of every page.
 *
 * @example for await (const client of laurel.clients.list({ status: 'active' })) …
 */
export class PageCall<Row> implements PromiseLike<Page<Row>>, AsyncIterable<Row> {
  constructor(
    private readonly load: (query: Query) => Promise<Page<Row>>,
    private readonly query: Query,
    private readonly goesOnBy: 'cursor' | 'offset' | undefined,
  ) {}

  // biome-ignore lint/suspicious/noThenProperty: that it can be awaited is the point
  then<One, Other>(
    taken?: ((page: Page<Row>) => One | PromiseLike<One>) | null,
    failed?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<One | Other> {
    return this.load(this.query).then(taken, failed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    let query = this.query;
    for (let seen = Number(query.offset ?? 0); ; ) {
      const { data, meta } = await this.load(query);
      yield* data;
      seen += data.length;
      const next = this.after(meta, data.length, seen);
      if (!next) return;
      const { offset: _, ...rest } = this.query;
      query = { ...rest, ...next };
    }
  }

  /** Every row of every page, up to `max`, which is at least 1. */
  async all(max = Number.POSITIVE_INFINITY): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this) {
      rows.push(row);
      if (rows.length >= max) break;
    }
    return rows;
  }

  private after(meta: Page<Row>['meta'], length: number, seen: number): Query | undefined {
    if (this.goesOnBy === 'cursor')
      return meta?.next_cursor ? { cursor: meta.next_cursor } : undefined;
    if (this.goesOnBy !== 'offset' || length === 0) return undefined;
    const total = meta?.total ?? meta?.total_count;
    const isWhole = total === undefined ? length < Number(this.query.limit ?? 1) : seen >= total;
    return isWhole ? undefined : { offset: seen };
  }
}
