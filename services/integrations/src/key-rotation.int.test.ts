import { newId } from '@laurel/lifecycle';
import { connectStore } from '@laurel/mongo';
import { createRpcClient, type RpcClient } from '@laurel/rpc';
import { testServers, until } from '@laurel/testing';
import { createVault, type Sealed } from '@laurel/vault';
import { start } from './service';
import { Sink } from './testing/sink';

jest.setTimeout(90_000);

const workspaceId = newId();
const prefix = `test_${newId().slice(-12)}_`;
const [A, B] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64')) as [string, string];
let sink: Sink;
let connection: Awaited<ReturnType<typeof connectStore>>;

beforeAll(async () => {
  sink = await Sink.open();
  const { mongodbUri: uri } = testServers();
  connection = await connectStore({ uri, database: `${prefix}integrations`, poolSize: 4 });
});
afterAll(async () => {
  await sink.close();
  await connection.db?.dropDatabase();
  await connection.close();
});

async function running<T>(
  keys: Record<string, string>,
  use: (client: RpcClient<'integrations'>) => Promise<T>,
): Promise<T> {
  const { mongodbUri, rabbitmqUrl, redisUrl } = testServers();
  const service = await start({
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE_PREFIX: prefix,
    RABBITMQ_URL: rabbitmqUrl,
    REDIS_URL: redisUrl,
    WEBHOOK_ALLOW_INSECURE: 'true',
    LOG_LEVEL: 'silent',
    ...keys,
  });
  const client = createRpcClient('integrations', { target: `ipv4:127.0.0.1:${service.rpcPort}` });
  try {
    return await use(client);
  } finally {
    client.close();
    await service.stop();
  }
}

test('rotating SECRETS_KEY as the README says keeps what webhooks are signed with and integrations sign in with', async () => {
  const { id, secret } = await running({ SECRETS_KEY: A }, async (client) => {
    await client.PutIntegration({
      workspace_id: workspaceId,
      provider: 'pos',
      config: {},
      secrets: { api_key: 'a secret of the till' },
    } as never);
    const webhook = { workspace_id: workspaceId, url: sink.url, event_types: ['*'] };
    const { data, secret: made } = await client.CreateWebhook(webhook);
    return { id: data!.id, secret: made };
  });
  const expectSigned = async (client: RpcClient<'integrations'>) => {
    const reply = await client.TestWebhook({ workspace_id: workspaceId, id });
    expect(reply).toMatchObject({ status_code: 200 });
  };
  await running({ SECRETS_KEY: B, SECRETS_KEY_PREVIOUS: A }, async (client) => {
    await expectSigned(client);
    const old = createVault(A).currentKeyId;
    await until(async () => {
      const stored = await Promise.all(
        ['webhooks', 'integrations'].map((name) => connection.collection(name).find({}).toArray()),
      );
      return stored.every((rows) => rows.length > 0) && !JSON.stringify(stored).includes(old);
    });
  });
  await running({ SECRETS_KEY: B }, expectSigned);
  const rows = connection.collection<{ _id: string; secrets: { sealed: Sealed }[] }>('webhooks');
  const { sealed } = (await rows.findOne({ _id: id }))!.secrets[0]!;
  const opened = createVault(B).open(sealed, `webhook ${workspaceId} ${id}`);
  expect(opened.toString()).toBe(secret);
});
