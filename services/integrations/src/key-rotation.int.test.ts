import { newId } from '@laurel/lifecycle';
import { createRpcClient, type RpcClient } from '@laurel/rpc';
import { createVault, type Sealed } from '@laurel/secrets';
import { openRotation, type Rotation, rotateInThreeRollOuts } from '@laurel/testing';
import { start } from './service';
import { webhookBinding } from './store/webhooks';
import { Sink } from './testing/sink';

jest.setTimeout(300_000);

const workspaceId = newId();
const [former, next] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64')) as [
  string,
  string,
];
let sink: Sink;
let rotation: Rotation<RpcClient<'integrations'>>;

beforeAll(async () => {
  sink = await Sink.open();
  rotation = await openRotation({
    service: 'integrations',
    start,
    connect: (port) => createRpcClient('integrations', { target: `ipv4:127.0.0.1:${port}` }),
    environment: { WEBHOOK_ALLOW_INSECURE: 'true' },
  });
});
afterAll(async () => {
  await sink.close();
  await rotation.drop();
});

/** A webhook, and the secret that was shown when it was made. */
interface Made {
  id: string;
  secret: string;
}

async function handOut(client: RpcClient<'integrations'>): Promise<Made> {
  await client.PutIntegration({
    workspace_id: workspaceId,
    provider: 'pos',
    config: {},
    secrets: { api_key: 'a secret of the till' },
  } as never);
  const webhook = { workspace_id: workspaceId, url: sink.url, event_types: ['*'] };
  const { data, secret } = await client.CreateWebhook(webhook);
  return { id: data!.id, secret };
}

async function expectAllWorks(client: RpcClient<'integrations'>, { id }: Made): Promise<void> {
  const reply = await client.TestWebhook({ workspace_id: workspaceId, id });
  expect(reply).toMatchObject({ status_code: 200 });
}

test('rotating SECRETS_KEY as the README says keeps what webhooks are signed with and integrations sign in with', async () => {
  let made: Made | undefined;
  await rotateInThreeRollOuts(rotation, {
    keys: { former, next, idOf: (key) => createVault(key).currentKeyId },
    collections: ['webhooks', 'integrations'],
    handOut: async (client) => {
      made = await handOut(client);
      return made;
    },
    expectAllWorks,
  });
  const { id, secret } = made!;
  const rows = rotation.connection.collection<{ _id: string; secrets: { sealed: Sealed }[] }>(
    'webhooks',
  );
  const { sealed } = (await rows.findOne({ _id: id }))!.secrets[0]!;
  const opened = createVault(next).open(sealed, webhookBinding(workspaceId, id));
  expect(opened.toString()).toBe(secret);
});
