import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { createRpcClient, type RpcClient } from '@laurel/rpc';
import { createVault } from '@laurel/secrets';
import { openRotation, type Rotation, rotateInThreeRollOuts } from '@laurel/testing';
import { createStores } from './deps';
import { createPassLinks } from './domain/pass/links';
import { newPass, type Pass } from './domain/pass/pass';
import { newTemplate } from './domain/template/template';
import { createPassTokens } from './outside/apple/token';
import { makeLocalApple } from './outside/credentials/make-local';
import { start } from './service';
import { createLinkKeyStore } from './store/link-keys';
import { derivedKeys } from './use-cases/pass/link-keys';

jest.setTimeout(300_000);

const PASS_TYPE = 'pass.com.example';
const workspaceId = newId();
const newKey = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const [A, B] = [newKey(1), newKey(2)];

let rotation: Rotation<RpcClient<'passes'>>;
beforeEach(async () => {
  rotation = await openRotation({
    service: 'passes',
    start,
    connect: (port) => createRpcClient('passes', { target: `ipv4:127.0.0.1:${port}` }),
    environment: { JWT_SECRET: 'a secret of more than 32 characters' },
  });
});
afterEach(() => rotation.drop());

async function issuePass(): Promise<Pass> {
  const { templates, passes } = createStores(rotation.connection);
  const by = { userId: null, now: new Date() };
  const place = { id: newId(), workspaceId, projectId: newId() };
  const fields = { name: 'Card', top_field_label: 'Points', top_field_value: '7' };
  const template = newTemplate({ ...place, fields }, by);
  const id = newId();
  const facts = { pass_fields: {}, barcode_value: id, client_id: newId() };
  const belongs = { workspace_id: workspaceId, project_id: place.projectId };
  const pass = newPass({ id, ...belongs, pass_template_id: template.id, ...facts }, by);
  await unitOfWork(rotation.connection, async (session) => {
    await templates.insert(template, session);
    await passes.insert(pass, session);
  });
  return pass;
}

/** What was handed out for a pass: the signature in its links and the token on its phone. */
interface HandedOut {
  pass: Pass;
  signature: string;
  token: string;
}

async function handOut(pass: Pass, key: string): Promise<HandedOut> {
  const { keys } = (await createLinkKeyStore(rotation.connection, createVault(key)).read())!;
  const { apple_pass_url: link } = createPassLinks({
    keys: keys.links,
    publicUrl: 'https://laurel.test',
  }).urlsOf(pass);
  return {
    pass,
    signature: link.split('/').at(-2)!,
    token: createPassTokens(keys.tokens).tokenOf(pass),
  };
}

async function expectAllWorks(client: RpcClient<'passes'>, handed: HandedOut): Promise<void> {
  const { pass, signature, token } = handed;
  const code = await client.GetPassQrCode({ pass_id: pass.id, signature, platform: 'apple' });
  expect(code.png.length).toBeGreaterThan(0);
  await client.RegisterAppleDevice({
    device_id: newId(),
    pass_type: PASS_TYPE,
    serial_number: pass.id,
    token,
    push_token: newId(),
  });
  const status = await client.GetWalletStatus({ workspace_id: workspaceId });
  expect(status.apple).toMatchObject({ ready: true, missing: [], own: true });
}

const TEAM = 'ABCDE12345';
async function putCredentials(client: RpcClient<'passes'>): Promise<void> {
  const { certificate, key, issuer } = await makeLocalApple(new Date(), {
    passType: PASS_TYPE,
    team: TEAM,
  });
  await client.PutAppleCredentials({
    workspace_id: workspaceId,
    pass_type_identifier: PASS_TYPE,
    team_identifier: TEAM,
    certificate,
    key,
    wwdr_certificate: issuer,
  });
}

const SEALING = ['wallet_credentials', 'link_keys'];
const idOf = (key: string): string => createVault(key).currentKeyId;

test('rotating SECRETS_KEY as the README says keeps wallet credentials, pass links and phone registrations', async () => {
  await rotateInThreeRollOuts(rotation, {
    keys: { former: A, next: B, idOf },
    collections: SEALING,
    handOut: async (client) => {
      await putCredentials(client);
      return handOut(await issuePass(), A);
    },
    expectAllWorks,
  });
});

test('links and tokens of an installation from before keys were kept live through the upgrade and a rotation', async () => {
  const pass = await issuePass();
  const before = derivedKeys(A);
  const links = createPassLinks({ keys: [before.links], publicUrl: 'https://laurel.test' });
  const handed = {
    pass,
    signature: links.urlsOf(pass).apple_pass_url.split('/').at(-2)!,
    token: createPassTokens([before.tokens]).tokenOf(pass),
  };
  await rotation.running({ SECRETS_KEY: A }, async (client) => {
    await putCredentials(client);
    await expectAllWorks(client, handed);
  });
  await rotation.running({ SECRETS_KEY: B, SECRETS_KEY_PREVIOUS: A }, async (client) => {
    await rotation.allSealedUnder(idOf(B), SEALING);
    await expectAllWorks(client, handed);
  });
  const passLinkSecret = 'chosen by whoever operates this, for a while';
  await rotation.running({ SECRETS_KEY: B, PASS_LINK_SECRET: passLinkSecret }, (client) =>
    expectAllWorks(client, handed),
  );
  await rotation.running({ SECRETS_KEY: B }, (client) => expectAllWorks(client, handed));
});

test('a fresh installation signs with keys that do not follow from its settings', async () => {
  await rotation.running({ SECRETS_KEY: A }, async () => undefined);
  const handed = await handOut(await issuePass(), A);
  const derived = createPassLinks({
    keys: [derivedKeys(A).links],
    publicUrl: 'https://laurel.test',
  });
  expect(derived.isSignatureOf(handed.pass, handed.signature)).toBe(false);
});
