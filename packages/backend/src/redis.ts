import { every, type Logger, mayFail, type Timer } from '@laurel/lifecycle';
import { createClient, createCluster } from 'redis';
import { createBoundedWaits } from './bounded-waits';
import { type Ask, whileAnswering } from './while-answering';

/** What the house asks of Redis, a server or a cluster can: each command names keys of one slot (docs/scaling.md). */
export type Redis = ReturnType<typeof serverAt>;

/** Everything asked of Redis can be done without it: better soon than right. */
const COMMAND_MS_MAX = 1_000;
/** Keeps a connection that nothing is asked over from seeming silent; a server that hangs is found by the first who asks. */
const PING_MS = 5_000;
/** A connection on which nothing was sent or came for so long leads nowhere. */
const SILENT_MS_MAX = 30_000;
const RETRY_MS = 2_000;

/** How a connection behaves, to the one server or to any node of a cluster; the client writes into what it is given. */
const connection = () => ({
  disableOfflineQueue: true,
  // The client's own bound makes a timer and two listeners for each command, and ends once it is sent.
  commandOptions: { timeout: 0 },
  pingInterval: PING_MS,
  socket: {
    connectTimeout: 2_000,
    socketTimeout: SILENT_MS_MAX,
    reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, RETRY_MS),
  },
});

/**
 * Connects to Redis without waiting for it: commands fail at once while it is away (nothing that
 * matters is kept there alone), and the connection heals by itself.
 *
 * @param urls one server, or several nodes of a cluster with commas between them
 */
export async function connectRedis(urls: string, logger: Logger): Promise<Redis> {
  const nodes = urls.split(',');
  const redis = nodes.length === 1 ? serverAt(urls) : clusterOf(nodes);
  redis.on('error', (error) => logger.warn({ err: error }, 'Redis is not available'));
  await Promise.race([
    redis.connect(),
    new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref()),
  ]).catch(mayFail('it goes on connecting'));
  return redis;
}

function serverAt(url: string) {
  const redis = createClient({ url, ...connection() });
  const send = commandsOf(redis);
  const ask = whileAnswering('redis', COMMAND_MS_MAX, () => send.now(['PING']));
  send.through(ask);
  return redis;
}

type Command = ReturnType<typeof createClient>['sendCommand'];

/** How a client sends: what the library gives only leads to the client itself, through which every command goes. */
function commandsOf(client: object) {
  const itself = Object.getPrototypeOf(client) as { sendCommand: Command };
  const now = itself.sendCommand.bind(itself) as Command;
  return {
    now,
    through: (ask: Ask): void => {
      itself.sendCommand = ((args, options) => ask(() => now(args, options))) as Command;
    },
  };
}

function clusterOf(nodes: readonly string[]): Redis {
  const { username, password, protocol } = new URL(nodes[0]!);
  const cluster = createCluster({
    rootNodes: nodes.map((url) => ({ url, ...connection() })),
    // Else a node that is away when a process starts would keep it from all the others.
    minimizeConnections: true,
    // Nodes that the cluster itself names are reached with the account of those that were given.
    defaults: {
      ...connection(),
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      socket: { ...connection().socket, ...(protocol === 'rediss:' ? { tls: true } : {}) },
    },
  });
  const bounded = createBoundedWaits('redis', COMMAND_MS_MAX);
  const itself: typeof cluster = Object.getPrototypeOf(cluster);
  const execute = itself._execute.bind(itself);
  itself._execute = (...asked) => bounded(execute(...asked));
  passOverSilent(itself._slots as unknown as Nodes);
  retryConnecting(itself);
  return cluster as unknown as Redis;
}

interface Node {
  readonly client?: object;
  readonly connectPromise?: Promise<object>;
}

/** The nodes of a cluster, as every command finds its own. */
interface Nodes {
  nodeClient(node: Node): Promise<object>;
}

/**
 * Each node is asked as a single server is: one that hangs costs one command its second, those for other nodes nothing, and
 * is asked again once it answers. That holds for its connection too, which may be accepted and lead nowhere.
 */
function passOverSilent(nodes: Nodes): void {
  const open = nodes.nodeClient.bind(nodes);
  const asks = new WeakMap<Node, Ask>();
  const senders = new WeakMap<object, Command>();
  function askOf(node: Node): Ask {
    const ask =
      asks.get(node) ??
      whileAnswering('redis', COMMAND_MS_MAX, async () => {
        await open(node);
        return node.client && senders.get(node.client)?.(['PING']);
      });
    asks.set(node, ask);
    return ask;
  }
  function opening(node: Node): Promise<object> {
    const client = open(node);
    if (node.client && !senders.has(node.client)) {
      const send = commandsOf(node.client);
      senders.set(node.client, send.now);
      send.through(askOf(node));
    }
    return client;
  }
  nodes.nodeClient = (node) =>
    node.client && !node.connectPromise ? opening(node) : askOf(node)(() => opening(node));
}

interface Connecting {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
}

/** A cluster gives up where no node answers at the first attempt; a server goes on trying. */
function retryConnecting(cluster: Connecting): void {
  const connect = cluster.connect.bind(cluster);
  const destroy = cluster.destroy.bind(cluster);
  let retrying: Timer | undefined;
  cluster.connect = () => {
    retrying ??= every('redis.connect', RETRY_MS, () => {
      if (cluster.isReady) retrying?.cancel();
      else if (!cluster.isOpen) void connect().catch(mayFail('it is tried again'));
    });
    return connect();
  };
  cluster.destroy = () => {
    retrying?.cancel();
    destroy();
  };
}
