import type { mongo } from 'mongoose';
import type { TenantRows } from './rows';

/** Which rows a list has, in which order, and what of them is read. */
interface Listing<Document extends object> {
  filter: mongo.Filter<Document>;
  sort: Readonly<Record<string, 1 | -1>>;
  projection?: mongo.Document;
}

/**
 * A page of a list, counted by rows: so many of those that match, behind `offset` others.
 *
 * @returns the rows of the page, and how many match altogether
 */
export async function numberedPage<Document extends object>(
  rows: TenantRows<Document>,
  { filter, sort, projection }: Listing<Document>,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<{ documents: mongo.WithId<Document>[]; total: number }> {
  const [documents, total] = await Promise.all([
    rows
      .find(filter, projection ? { projection } : {})
      .sort(sort)
      .skip(offset)
      .limit(limit)
      .toArray(),
    rows.count(filter),
  ]);
  return { documents, total };
}
