import { newId } from '@laurel/lifecycle';
import { type Connection, connectStore } from '@laurel/mongo';
import { takeQueues } from './queues';
import { testServers } from './servers';
import { until } from './until';

/** A service as its `start` gives it. */
interface Running {
  rpcPort: number;
  stop(): Promise<void>;
}

interface RotationSpec<Client> {
  service: string;
  start(environment: Record<string, string>): Promise<Running>;
  connect(port: number): Client;
  /** What the service needs besides its servers and keys. */
  environment?: Readonly<Record<string, string>>;
}

/** SECRETS_KEY and what stands beside it while it is replaced. */
type Keys = Readonly<Record<string, string>>;

/** A database on which a service is started again and again, each time with other keys. */
export interface Rotation<Client> {
  /** To look into what is stored. */
  connection: Connection;
  /** Runs the service with these keys for as long as `use` takes. */
  running<T>(keys: Keys, use: (client: Client) => Promise<T>): Promise<T>;
  /** Resolves when every sealed value is sealed with the key of this id, and there is one in each of the collections. */
  allSealedUnder(keyId: string, collections: readonly string[]): Promise<void>;
  drop(): Promise<void>;
}

/** Opens a database of this test's own for a service that seals what it stores. */
export async function openRotation<Client extends { close(): void }>({
  service,
  start,
  connect,
  environment = {},
}: RotationSpec<Client>): Promise<Rotation<Client>> {
  const prefix = `test_${newId().slice(-12)}_`;
  const { mongodbUri, rabbitmqUrl, redisUrl } = testServers();
  const database = `${prefix}${service}`;
  const connection = await connectStore({ uri: mongodbUri, database, poolSize: 4 });
  const giveQueuesBack = await takeQueues(service);

  async function running<T>(keys: Keys, use: (client: Client) => Promise<T>): Promise<T> {
    const started = await start({
      MONGODB_URI: mongodbUri,
      MONGODB_DATABASE_PREFIX: prefix,
      RABBITMQ_URL: rabbitmqUrl,
      REDIS_URL: redisUrl,
      LOG_LEVEL: 'silent',
      ...environment,
      ...keys,
    });
    const client = connect(started.rpcPort);
    try {
      return await use(client);
    } finally {
      client.close();
      await started.stop();
    }
  }

  async function allSealedUnder(keyId: string, collections: readonly string[]): Promise<void> {
    const isSealedSo = async (name: string) => {
      const ids = keyIdsIn(await connection.collection(name).find({}).toArray());
      return ids.length > 0 && ids.every((id) => id === keyId);
    };
    const all = async () => (await Promise.all(collections.map(isSealedSo))).every(Boolean);
    await until(all, { what: `sealing all of ${collections.join(', ')} with one key` });
  }

  return {
    connection,
    running,
    allSealedUnder,
    drop: async () => {
      await connection.db?.dropDatabase();
      await connection.close();
      await giveQueuesBack();
    },
  };
}

/** Two keys of SECRETS_KEY, and what their ids are. */
interface TwoKeys {
  former: string;
  next: string;
  idOf(key: string): string;
}

interface Story<Client, Handed> {
  keys: TwoKeys;
  /** Every collection of the service that holds sealed values. */
  collections: readonly string[];
  /** Seals something in each of them, and gives back what is to work from then on. */
  handOut(client: Client): Promise<Handed>;
  expectAllWorks(client: Client, handed: Handed): Promise<void>;
}

/**
 * Replaces SECRETS_KEY in the three roll-outs of the README: what was sealed with the former key can be read in each of
 * them, is sealed anew in the second, and needs the former key no more in the third.
 */
export async function rotateInThreeRollOuts<Client, Handed>(
  { running, allSealedUnder }: Pick<Rotation<Client>, 'running' | 'allSealedUnder'>,
  { keys, collections, handOut, expectAllWorks }: Story<Client, Handed>,
): Promise<void> {
  const { former, next, idOf } = keys;
  const handed = await running({ SECRETS_KEY: former }, async (client) => {
    const made = await handOut(client);
    await expectAllWorks(client, made);
    return made;
  });
  await allSealedUnder(idOf(former), collections);
  const works = (client: Client) => expectAllWorks(client, handed);
  await running({ SECRETS_KEY: former, SECRETS_KEY_PREVIOUS: next }, works);
  await running({ SECRETS_KEY: next, SECRETS_KEY_PREVIOUS: former }, async (client) => {
    await works(client);
    await allSealedUnder(idOf(next), collections);
  });
  await running({ SECRETS_KEY: next }, works);
}

/** The key ids of all sealed values, however deep in a row. */
function keyIdsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'key_id' ? [inner] : keyIdsIn(inner),
  );
}
