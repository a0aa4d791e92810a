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
    options?: In<mongo.AggregateOptions>,
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
  /** The row that takes the place says itself whose it is, as a new one does; the tenant's word is the last. */
  replaceOne(
    filter: Filter<Document>,
    row: mongo.WithoutId<Document>,
    options?: In<mongo.ReplaceOptions>,
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
  /** Rows of whatever tenant: for reads that serve many at once. Its user says in the filter or afterwards whose they are. */
  ofEverybody: mongo.Collection<Document>;
}

/** Puts the filter of a tenant into whatever is asked of a collection. A class, for it is made anew for each question. */
export class RowsWithin<Document extends object> implements TenantRows<Document> {
  readonly #rows: mongo.Collection<Document>;
  readonly #tenant: Readonly<Record<string, string>>;

  constructor(rows: mongo.Collection<Document>, tenant: Readonly<Record<string, string>>) {
    this.#rows = rows;
    this.#tenant = tenant;
  }

  // Last, so that nothing which a caller passes on can name another tenant.
  #own(filter: Filter<Document> = {}): Filter<Document> {
    return { ...filter, ...this.#tenant };
  }

  find(filter?: Filter<Document>, options?: In<mongo.FindOptions>) {
    return this.#rows.find(this.#own(filter), given<mongo.FindOptions>(options));
  }

  findOne(filter: Filter<Document>, options?: In<mongo.FindOneOptions>) {
    return this.#rows.findOne(this.#own(filter), given<mongo.FindOneOptions>(options));
  }

  async has(filter: Filter<Document>, options?: In<mongo.FindOneOptions>) {
    const only = { ...given<mongo.FindOneOptions>(options), projection: { _id: 1 } };
    return (await this.#rows.findOne(this.#own(filter), only)) !== null;
  }

  count(filter?: Filter<Document>, options?: In<mongo.CountDocumentsOptions>) {
    return this.#rows.countDocuments(this.#own(filter), given(options));
  }

  distinct<Column extends Extract<keyof Document, string>>(
    column: Column,
    filter?: Filter<Document>,
    options?: In<mongo.DistinctOptions>,
  ) {
    const found = this.#rows.distinct(column, this.#own(filter), given(options));
    return found as Promise<Document[Column][]>;
  }

  aggregate<Result extends object>(
    filter: Filter<Document>,
    stages: readonly object[],
    options?: In<mongo.AggregateOptions>,
  ) {
    return this.#rows.aggregate<Result>([{ $match: this.#own(filter) }, ...stages], given(options));
  }

  updateOne(filter: Filter<Document>, change: Update<Document>, options?: In<mongo.UpdateOptions>) {
    return this.#rows.updateOne(this.#own(filter), change, given(options));
  }

  updateMany(
    filter: Filter<Document>,
    change: Update<Document>,
    options?: In<mongo.UpdateOptions>,
  ) {
    return this.#rows.updateMany(this.#own(filter), change, given(options));
  }

  replaceOne(
    filter: Filter<Document>,
    row: mongo.WithoutId<Document>,
    options?: In<mongo.ReplaceOptions>,
  ) {
    const whole = { ...row, ...this.#tenant };
    return this.#rows.replaceOne(this.#own(filter), whole, given(options));
  }

  findOneAndUpdate(
    filter: Filter<Document>,
    change: Update<Document>,
    options?: In<mongo.FindOneAndUpdateOptions>,
  ) {
    const how = given<mongo.FindOneAndUpdateOptions>(options);
    return this.#rows.findOneAndUpdate(this.#own(filter), change, how);
  }

  deleteOne(filter: Filter<Document>, options?: In<mongo.DeleteOptions>) {
    return this.#rows.deleteOne(this.#own(filter), given(options));
  }

  deleteMany(filter: Filter<Document>, options?: In<mongo.DeleteOptions>) {
    return this.#rows.deleteMany(this.#own(filter), given(options));
  }
}

// The driver takes an absent session for none; its types do not say so.
const given = <Options extends object>(options: In<Options> = {} as In<Options>) =>
  options as Options;
