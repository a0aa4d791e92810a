import { X509Certificate } from 'node:crypto';
import { unzipSync } from 'fflate';
import {
  LOCAL_ISSUER_ID,
  makeLocalApple,
  makeLocalGoogle,
} from '../../outside/credentials/make-local';
import { Harness, PASS_TYPE } from '../../testing/wallet-harness';
import { getApplePass } from './get-apple-pass';
import {
  deleteWalletCredentials,
  putAppleCredentials,
  putGoogleCredentials,
} from './put-credentials';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness.close());

const LOCAL = 'somebody without credentials';

test('what is made here is made once, and the same on every replica and after a restart', async () => {
  const replicas = [harness.deps, await harness.anotherInstance(), await harness.anotherInstance()];
  const made = await Promise.all(replicas.map(({ credentials }) => credentials.apple(LOCAL)));
  const restarted = await (await harness.anotherInstance()).credentials.apple(LOCAL);
  expect(new Set([...made, restarted].map(({ key }) => key)).size).toBe(1);
  expect(restarted).toMatchObject({ trusted: false, passTypeIdentifier: null });
  const google = await Promise.all(replicas.map(({ credentials }) => credentials.google(LOCAL)));
  expect(new Set(google.map(({ key }) => key)).size).toBe(1);
  expect(google[0]).toMatchObject({ trusted: false, issuerId: LOCAL_ISSUER_ID });
});

test('no key can be read in the store', async () => {
  await harness.deps.credentials.apple(LOCAL);
  const rows = await harness.store.connection.collection('wallet_credentials').find({}).toArray();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/PRIVATE KEY|CERTIFICATE/);
});

test('a workspace signs with its own certificate until it takes it away', async () => {
  const pass = await harness.newPass(await harness.newTemplate());
  const signature = new URL(harness.deps.links.urlsOf(pass).apple_pass_url).pathname.split('/')[3]!;
  const passTypeOf = async () => {
    const { content } = await getApplePass(harness.deps, { pass_id: pass.id, signature });
    const { 'pass.json': json } = unzipSync(content!);
    return JSON.parse(Buffer.from(json!).toString()).passTypeIdentifier;
  };
  expect(await passTypeOf()).toBe(PASS_TYPE);
  const { workspaceId: workspace_id } = harness;
  await deleteWalletCredentials(harness.deps, { workspace_id, wallet: 'apple' });
  expect(await passTypeOf()).toBe('pass.local.laurel');
  const named = { passType: 'pass.com.own', team: 'ABCDE12345' };
  const { certificate, key, issuer } = await makeLocalApple(harness.clock.now(), named);
  const status = await putAppleCredentials(harness.deps, {
    workspace_id,
    pass_type_identifier: 'pass.com.own',
    team_identifier: 'ABCDE12345',
    certificate,
    key,
    wwdr_certificate: issuer,
  });
  expect(status.apple).toEqual({
    ready: true,
    missing: [],
    own: true,
    valid_until: new Date(new X509Certificate(certificate).validTo).toISOString(),
  });
  expect(await passTypeOf()).toBe('pass.com.own');
});

describe('a certificate that phones would not trust', () => {
  const right = { passType: PASS_TYPE, team: 'ABCDE12345' };
  const put = (made: { certificate: string; key: string }, issuer: string) =>
    putAppleCredentials(harness.deps, {
      workspace_id: harness.workspaceId,
      pass_type_identifier: right.passType,
      team_identifier: right.team,
      certificate: made.certificate,
      key: made.key,
      wwdr_certificate: issuer,
    });
  const notReady = (...missing: string[]) =>
    expect.objectContaining({ ready: false, own: true, missing });

  test('is ready only from its issuer', async () => {
    const now = harness.clock.now();
    const [made, other] = await Promise.all([
      makeLocalApple(now, right),
      makeLocalApple(now, right),
    ]);
    const stranger = notReady('wwdr_certificate: did not issue the certificate');
    expect((await put(made, made.certificate)).apple).toEqual(stranger);
    expect((await put(made, other.issuer)).apple).toEqual(stranger);
    const { workspaceId } = harness;
    expect(await harness.deps.credentials.apple(workspaceId)).toMatchObject({ trusted: false });
    expect((await put(made, made.issuer)).apple).toMatchObject({ ready: true, missing: [] });
    expect(await harness.deps.credentials.apple(workspaceId)).toMatchObject({ trusted: true });
  });

  test('is ready only for its team and pass type, and within its dates', async () => {
    const now = harness.clock.now();
    const team = await makeLocalApple(now, { ...right, team: 'OTHERTEAM1' });
    expect((await put(team, team.issuer)).apple).toEqual(
      notReady('certificate: of the team OTHERTEAM1, not ABCDE12345'),
    );
    const unnamed = await makeLocalApple(now, { team: right.team });
    expect((await put(unnamed, unnamed.issuer)).apple).toEqual(
      notReady(`certificate: for no pass type, not ${PASS_TYPE}`),
    );
    const early = await makeLocalApple(new Date(now.getTime() + 7 * 86_400_000), right);
    expect((await put(early, early.issuer)).apple).toEqual(
      notReady('certificate: not within its dates', 'wwdr_certificate: not within its dates'),
    );
  });
});

test('a key that does not belong to the certificate is refused by its field', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => makeLocalApple(harness.clock.now())));
  const putting = putAppleCredentials(harness.deps, {
    workspace_id: harness.workspaceId,
    pass_type_identifier: PASS_TYPE,
    team_identifier: 'ABCDE12345',
    certificate: one!.certificate,
    key: other!.key,
    wwdr_certificate: one!.issuer,
  });
  await expect(putting).rejects.toMatchObject({
    problems: [expect.objectContaining({ field: 'key' })],
  });
});

test('a service account makes Google ready, for its workspace only', async () => {
  const { key } = await makeLocalGoogle();
  const { workspaceId: workspace_id } = harness;
  const service_account = { client_email: 'laurel@example.com', private_key: key };
  const request = { workspace_id, issuer_id: '33', service_account };
  const { google } = await putGoogleCredentials(harness.deps, request);
  expect(google).toEqual({ ready: true, missing: [], own: true, valid_until: null });
  expect((await harness.deps.credentials.status(LOCAL)).google).toEqual({
    ready: false,
    missing: ['GOOGLE_WALLET_ISSUER_ID', 'GOOGLE_SERVICE_ACCOUNT'],
    own: false,
    valid_until: null,
  });
});
