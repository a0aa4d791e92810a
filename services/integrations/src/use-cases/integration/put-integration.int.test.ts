import { removeWorkspace } from '@laurel/mongo';
import { IntegrationBench } from '../../testing/integration-bench';
import { testConnection } from './test-connection';

const HOME = { base_url: 'https://till.example/v1' };
const AWAY = { base_url: 'https://elsewhere.example/v1' };

let root: IntegrationBench;
let bench: IntegrationBench;
beforeAll(async () => {
  root = await IntegrationBench.open();
});
beforeEach(() => {
  bench = root.inNewWorkspace();
});
afterEach(() => removeWorkspace(bench.deps, bench.workspaceId));
afterAll(() => root.store.drop());

/** Where the key was sent, and which. */
async function keySent(provider: string) {
  await testConnection(bench.deps, { workspace_id: bench.workspaceId, provider });
  const { url, apiKey } = bench.calls.at(-1)!;
  return { host: new URL(url).host, apiKey };
}

const REFUSED = {
  code: 'INVALID_PAYLOAD',
  problems: [{ field: 'secrets.api_key', extensions: { reason: 'secret_of_other_origin' } }],
};

describe.each(['pos', 'crm_sync'])('a key of %s', (provider) => {
  it.each([
    ['host', AWAY],
    ['port', { base_url: 'https://till.example:8443/v1' }],
    ['scheme', { base_url: 'http://127.0.0.1/v1' }],
  ])('goes to no other %s than it was given for', async (_what, config) => {
    await bench.put(provider, { config: HOME, secrets: { api_key: 'key' } });
    await expect(bench.put(provider, { config })).rejects.toMatchObject(REFUSED);
    expect(await keySent(provider)).toEqual({ host: 'till.example', apiKey: 'key' });
  });

  it('is no other’s by way of no address at all', async () => {
    await bench.put(provider, { config: HOME, secrets: { api_key: 'key' } });
    await bench.put(provider, { config: { base_url: null } });
    await expect(bench.put(provider, { config: AWAY })).rejects.toMatchObject(REFUSED);
    await bench.put(provider, { config: HOME });
    expect(await keySent(provider)).toEqual({ host: 'till.example', apiKey: 'key' });
  });

  it('is kept for another path of its own address', async () => {
    await bench.put(provider, { config: HOME, secrets: { api_key: 'key' } });
    await bench.put(provider, { config: { base_url: 'https://till.example/v2' } });
    expect(await keySent(provider)).toEqual({ host: 'till.example', apiKey: 'key' });
  });

  it('goes elsewhere with an address when it is given, or left out, with it', async () => {
    await bench.put(provider, { config: HOME, secrets: { api_key: 'key' } });
    await bench.put(provider, { config: AWAY, secrets: { api_key: 'another' } });
    expect(await keySent(provider)).toEqual({ host: 'elsewhere.example', apiKey: 'another' });
    await bench.put(provider, { config: HOME, secrets: { api_key: null } });
    expect(await keySent(provider)).toEqual({ host: 'till.example', apiKey: undefined });
  });

  it('that came before any address belongs to the first', async () => {
    await bench.put(provider, { secrets: { api_key: 'key' } });
    await bench.put(provider, { config: HOME });
    expect(await keySent(provider)).toEqual({ host: 'till.example', apiKey: 'key' });
    await expect(bench.put(provider, { config: AWAY })).rejects.toMatchObject(REFUSED);
  });

  it('that an earlier release kept goes only where it went then', async () => {
    await bench.put(provider, { config: HOME, secrets: { api_key: 'key' } });
    await bench.store.connection
      .collection('integrations')
      .updateOne({ workspace_id: bench.workspaceId }, { $unset: { 'secrets.0.origin': '' } });
    await expect(bench.put(provider, { config: AWAY })).rejects.toMatchObject(REFUSED);
  });
});

it('a secret that only checks what arrives stays when the address is another', async () => {
  await bench.put('pos', { config: HOME, secrets: { api_key: 'key', webhook_secret: 'whsec_a' } });
  const { data } = await bench.put('pos', { config: AWAY, secrets: { api_key: 'another' } });
  expect(Object.keys(data!.secrets_meta as object).sort()).toEqual(['api_key', 'webhook_secret']);
});
