import type { mongo } from 'mongoose';
import type { Session } from './unit-of-work';

type Filter<Document> = mongo.Filter<Document>;
type Update<Document> = mongo.UpdateFilter<Document>;
/** A unit of work may be named whether there is one or not. */
type In<Options> = Omit<Options, 'session'> & { session?: Session | undefined };
type Found<Document> = mongo.WithId<Document>;

/**
 * The rows of one tenant. Its column stands in every filter and is written into every row that an upsert makes: a foreign
 * row is not found.
 */
export interface TenantRows<Document extends object> {
  find(
    filter?: Filter<Document>,
    options?: In<mongo.FindOptions>,
  ): mongo.FindCursor<Found<Document>>;
  findOne(
    filter: Filter<Document>,
    options?: In<mongo.FindOneOptions>,
  ): Promise<Found<Document> | null>;
  has(filter: Filter<Document>, options?: In<mongo.FindOneOptions>): Promise<boolean>;
  count(filter?: Filter<Document>, options?: In<mongo.CountDocumentsOptions>): Promise<number>;
  distinct<Column extends Extract<keyof Document, string>>(
    column: Column,
    filter?: Filter<Document>,
    options?: In<mongo.DistinctOptions>,
  ): Promise<Document[Column][]>;
  /** The stages come after those that find the rows. */
  aggregate<Result extends object>(
    filter: Filter<Document>,
    stages: readonly object[],
  ): mongo.AggregationCursor<Result>;
  updateOne(
    filter: Filter<Document>,
    change: Update<Document>,
    options?: In<mongo.UpdateOptions>,
  ): Promise<mongo.UpdateResult>;
  updateMany(
    filter: Filter<Document>,
    change: Update<Document>,
    options?: In<mongo.UpdateOptions>,
  ): Promise<mongo.UpdateResult>;
  findOneAndUpdate(
    filter: Filter<Document>,
    change: Update<Document>,
    options?: In<mongo.FindOneAndUpdateOptions>,
  ): Promise<Found<Document> | null>;
  deleteOne(
    filter: Filter<Document>,
    options?: In<mongo.DeleteOptions>,
  ): Promise<mongo.DeleteResult>;
  deleteMany(
    filter: Filter<Document>,
    options?: In<mongo.DeleteOptions>,
  ): Promise<mongo.DeleteResult>;
}

/** The rows of a collection over one connection. */
export interface Rows<Document extends object> {
  of(workspaceId: string): TenantRows<Document>;
  /** A new row says itself whose it is. */
  insertOne: mongo.Collection<Document>['insertOne'];
  insertMany: mongo.Collection<Document>['insertMany'];
  bulkWrite: mongo.Collection<Document>['bulkWrite'];
  /** Rows of whatever tenant: for reads that serve many at once. Whoever uses it says in the filter or afterwards whose they are. */
  ofEverybody: mongo.Collection<Document>;
}

/** Puts the filter of a tenant into whatever is asked of a collection. */
export function rowsWithin<Document extends object>(
  rows: mongo.Collection<Document>,
  tenant: Readonly<Record<string, string>>,
): TenantRows<Document> {
  // Last, so that nothing which a caller passes on can name another tenant.
  const own = (filter: Filter<Document> = {}): Filter<Document> => ({ ...filter, ...tenant });
  // The driver takes an absent session for none; its types do not say so.
  const given = <Options extends object>(options: In<Options> = {} as In<Options>) =>
    options as Options;
  return {
    find: (filter, options) => rows.find(own(filter), given<mongo.FindOptions>(options)),
    findOne: (filter, options) => rows.findOne(own(filter), given<mongo.FindOneOptions>(options)),
    async has(filter, options) {
      const only = { ...given<mongo.FindOneOptions>(options), projection: { _id: 1 } };
      return (await rows.findOne(own(filter), only)) !== null;
    },
    count: (filter, options) => rows.countDocuments(own(filter), given(options)),
    distinct: (column, filter, options) =>
      rows.distinct(column, own(filter), given<mongo.DistinctOptions>(options)) as Promise<never[]>,
    aggregate: <Result extends object>(filter: Filter<Document>, stages: readonly object[]) =>
      rows.aggregate<Result>([{ $match: own(filter) }, ...stages]),
    updateOne: (filter, change, options) => rows.updateOne(own(filter), change, given(options)),
    updateMany: (filter, change, options) => rows.updateMany(own(filter), change, given(options)),
    findOneAndUpdate: (filter, change, options) =>
      rows.findOneAndUpdate(own(filter), change, given<mongo.FindOneAndUpdateOptions>(options)),
    deleteOne: (filter, options) => rows.deleteOne(own(filter), given(options)),
    deleteMany: (filter, options) => rows.deleteMany(own(filter), given(options)),
  };
}
