import type { Sealed, Vault } from './vault';

/** Rows that hold sealed values, as resealing asks for them. */
export interface SealedRows<Row extends { _id: string }> {
  /** Rows with a value under another key than this one, in the order of their ids, after `afterId`. */
  underOtherKey(keyId: string, afterId: string, limit: number): Promise<Row[]>;
  /** Seals the values anew and writes them; left for the next time where they are no longer those that were read. */
  reseal(row: Row, vault: Vault): Promise<unknown>;
}

/** A sealed value of a row. */
interface SealedValue {
  /** Where it stands, such as `secrets.0.sealed`. */
  path: string;
  sealed: Sealed;
  boundTo: string;
}

/** What a store says of the values that it keeps sealed. */
interface SealedSpec<Row> {
  /** Where the values stand, whichever of several: `secrets.sealed`. */
  at: string;
  valuesOf(row: Row): readonly SealedValue[];
  /** What changes with them, so that a caller that has read the row before notices. */
  also?: { $inc: Readonly<Record<string, number>> };
}

/** What is asked of a collection. */
interface Collection<Row> {
  find(filter: object): {
    sort(order: { _id: 1 }): { limit(count: number): { toArray(): Promise<Row[]> } };
  };
  updateOne(filter: object, change: object): Promise<unknown>;
}

/** The rows of a collection with sealed values, of whatever tenant: a key seals for all of them. */
export function sealedRows<Row extends { _id: string }>(
  collection: Collection<Row>,
  { at, valuesOf, also }: SealedSpec<Row>,
): SealedRows<Row> {
  const keyIds = `${at}.key_id`;
  return {
    underOtherKey: (keyId, afterId, limit) =>
      collection
        // Any of several values: $ne would ask that none is under the key.
        .find({
          _id: { $gt: afterId },
          $or: [{ [keyIds]: { $lt: keyId } }, { [keyIds]: { $gt: keyId } }],
        })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),

    reseal(row, vault) {
      const asRead: Record<string, string> = {};
      const anew: Record<string, Sealed> = {};
      for (const { path, sealed, boundTo } of valuesOf(row)) {
        asRead[`${path}.text`] = sealed.text;
        anew[path] = vault.seal(vault.open(sealed, boundTo), boundTo);
      }
      return collection.updateOne({ _id: row._id, ...asRead }, { $set: anew, ...also });
    },
  };
}
