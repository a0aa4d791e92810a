import { type CloudEvent, connectBroker, createEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { createRpcClient, type RpcClient } from '@laurel/rpc';
import { silentLogger, takeQueues, testServers, until } from '@laurel/testing';
import { start } from './service';
import { Sink } from './testing/sink';
import { customEvent, secretsKey } from './testing/workbench';

/** Another file may have the queues first. */
jest.setTimeout(240_000);

type Running = Awaited<ReturnType<typeof start>>;
let broker: Awaited<ReturnType<typeof connectBroker>>;
let replicas: Running[];
let client: RpcClient<'integrations'>;
let sink: Sink;
let giveQueuesBack: () => Promise<void>;
const workspaceId = newId();

beforeAll(async () => {
  giveQueuesBack = await takeQueues('integrations');
  const { mongodbUri, rabbitmqUrl, redisUrl } = testServers();
  const environment = {
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE_PREFIX: `test_${newId().replaceAll('-', '').slice(-20)}_`,
    RABBITMQ_URL: rabbitmqUrl,
    REDIS_URL: redisUrl,
    SECRETS_KEY: secretsKey,
    WEBHOOK_ALLOW_INSECURE: 'true',
    LOG_LEVEL: 'silent',
  };
  replicas = [await start(environment), await start(environment)];
  const [first] = replicas;
  client = createRpcClient('integrations', { target: `ipv4:127.0.0.1:${first!.rpcPort}` });
  broker = await connectBroker({ url: rabbitmqUrl, logger: silentLogger, service: 'test' });
  sink = await Sink.open();
});
afterAll(async () => {
  client.close();
  await broker.close();
  await Promise.all(replicas.map((replica) => replica.stop()));
  await sink.close();
  await giveQueuesBack();
});

async function publish(...events: CloudEvent[]): Promise<void> {
  const outcomes = await broker.publish(events);
  expect(new Set(outcomes)).toEqual(new Set(['confirmed']));
}

it('carries events from the broker to the endpoint, each once, however often they arrive', async () => {
  const { data } = await client.CreateWebhook({
    workspace_id: workspaceId,
    url: sink.url,
    event_types: ['*'],
  });
  const events = Array.from({ length: 100 }, () => customEvent({ workspaceId, clientId: newId() }));
  await publish(...events, ...events, ...events.slice(0, 50));
  await publish(...events);
  await until(async () => {
    const request = { workspace_id: workspaceId, webhook_id: data!.id, limit: 1_000 };
    const { data: rows } = await client.ListWebhookDeliveries(request);
    return rows.length === events.length && rows.every(({ status }) => status === 'delivered');
  });
  const last = customEvent({ workspaceId, clientId: newId() });
  await publish(last);
  await until(() => sink.ids.includes(last.id));
  expect([...sink.ids].sort()).toEqual([...events, last].map(({ id }) => id).sort());
});

it('replays over rpc and forgets a workspace that is deleted', async () => {
  const { data: webhooks } = await client.ListWebhooks({
    workspace_id: workspaceId,
    limit: 10,
    offset: 0,
  });
  const before = sink.received.length;
  const reply = await client.ReplayWebhook({
    workspace_id: workspaceId,
    webhook_id: webhooks[0]!.id,
    from_date: new Date(Date.now() - 3_600_000).toISOString(),
    to_date: new Date().toISOString(),
  });
  expect(reply).toMatchObject({ webhook_id: webhooks[0]!.id, event_types: ['*'] });
  await until(() => sink.received.length === before + 101);
  const data = { workspace_id: workspaceId };
  await publish(
    createEvent('identity.workspace_deleted', { workspaceId, subject: workspaceId, data }),
  );
  await until(async () => {
    const { total } = await client.ListWebhooks({
      workspace_id: workspaceId,
      limit: 10,
      offset: 0,
    });
    return total === 0;
  });
});
