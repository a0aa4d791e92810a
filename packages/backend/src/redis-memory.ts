import type { Redis } from './redis';

/** How full a node of Redis is, by its own word. */
export interface RedisMemory {
  usedBytes: number;
  /** What it may use: its `maxmemory`, or all of its machine where it has none. */
  limitBytes: number;
  isLimited: boolean;
  /** What it does at its limit: `noeviction`, `volatile-lru` and so on. */
  policy: string;
  /** Keys that had to go before their time since it started. */
  evictedKeys: number;
}

/** The parts of a cluster's client that its type as a server does not show. */
interface Cluster {
  masters: readonly { address: string }[];
  nodeClient(node: { address: string }): Promise<Pick<Redis, 'info'>> | Pick<Redis, 'info'>;
}

/** @param info what `INFO` answers */
export function readMemory(info: string): RedisMemory {
  const says = (name: string): string =>
    new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  const maxmemory = Number(says('maxmemory'));
  return {
    usedBytes: Number(says('used_memory')),
    limitBytes: maxmemory > 0 ? maxmemory : Number(says('total_system_memory')),
    isLimited: maxmemory > 0,
    policy: says('maxmemory_policy'),
    evictedKeys: Number(says('evicted_keys')),
  };
}

/** Asks each node that holds keys, by its address; a server that is no cluster is called `redis`. */
export async function memoryOfNodes(redis: Redis): Promise<Map<string, RedisMemory>> {
  const nodes = isCluster(redis)
    ? redis.masters.map((node) => [node.address, () => redis.nodeClient(node)] as const)
    : [['redis', () => redis] as const];
  const told = await Promise.all(
    nodes.map(async ([name, open]) => [name, readMemory(await (await open()).info())] as const),
  );
  return new Map(told);
}

function isCluster(redis: unknown): redis is Cluster {
  return Array.isArray((redis as Partial<Cluster>).masters);
}
