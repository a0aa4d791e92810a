/** How a collection grows, what ends that, and by what it could be divided over shards (docs/scaling.md). */
export interface Growth {
  /** What a row comes of: `event`, `client`, `workspace`. */
  per: string;
  /** When a row goes by itself; or `stays: <why>`. */
  end: string;
  /**
   * The columns that would divide the rows of even one workspace, or the hash of `_id`; `whole` where a workspace has so
   * few that nothing needs dividing.
   */
  shardKey: readonly string[] | 'hashed _id' | 'whole';
  /** Of each unique index that cannot live with this key, what would take its place. `_id` counts where it is a guard. */
  wayOut?: Readonly<Record<string, string>>;
}

interface Unique {
  key: Readonly<Record<string, unknown>>;
  name: string;
  unique?: boolean;
}

/**
 * Names the unique indexes that a sharded server refuses: it keeps one unique over all shards only where the shard key
 * leads it, and a hashed key leads none (https://www.mongodb.com/docs/manual/core/sharding-shard-key-indexes/).
 */
export function uniqueBeyond(shardKey: Growth['shardKey'], indexes: readonly Unique[]): string[] {
  if (shardKey === 'whole') return [];
  const isLed = ({ key }: Unique): boolean =>
    shardKey !== 'hashed _id' && shardKey.every((column, at) => Object.keys(key)[at] === column);
  return indexes.filter((index) => index.unique && !isLed(index)).map(({ name }) => name);
}
