import { newId } from '@laurel/lifecycle';
import { createStores, type MobileDeps } from '../../deps';
import { createHarness, type Harness } from '../../testing/harness';
import { notifyClient } from '../pass/notify-client';
import { updatePass } from '../pass/update-pass';
import { createAppConfig } from './app-configs';
import { getMobilePass, searchMobilePasses } from './read-mobile-passes';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

/** A card of somebody of whom staff may not know everything, and what staff see of the text that was pushed to it. */
async function setUp(hidden_fields: string[]) {
  const { workspaceId: workspace_id } = harness;
  const custom_fields = { debt: '300', shoe: '42' };
  const client_id = harness.client({ first_name: 'Ada', email: 'ada@mail.example', custom_fields });
  const { id: pass_id } = await harness.pass(await harness.template((await harness.project()).id), {
    client_id,
  });
  const identity = {
    ...harness.deps.identity,
    PutMobileAppAccess: async () => ({}),
    ListRoles: async () => ({ data: [] }),
    GetSettings: async () => ({ default_locale: 'en' }),
  };
  const person = harness.peers.clients.get(client_id);
  const deps = {
    ...harness.deps,
    ...createStores(harness.connection),
    identity,
    clients: {
      ...harness.deps.clients,
      SearchClients: async () => ({ clients: [person] }),
    },
    tiers: { ...harness.deps.tiers, GetClientTier: async () => ({}) },
  } as unknown as MobileDeps;
  await createAppConfig(deps, { workspace_id, hidden_fields });
  const staff = { workspace_id, role_id: newId() };
  return {
    clientId: client_id,
    passId: pass_id,
    push: (notification: string) =>
      updatePass(harness.deps, { workspace_id, id: pass_id, notification }),
    async seen() {
      const { pass } = await getMobilePass(deps, { ...staff, pass_id });
      const { passes } = await searchMobilePasses(deps, { ...staff, q: 'ada', limit: 20 });
      return [pass!.notification, passes[0]!.notification];
    },
  };
}

test.each([
  'You owe {{debt}}',
  'You owe {{ custom_fields.debt }}',
  'You owe ${custom_fields.debt}',
  'Write from {{email}}',
])('a text that a hidden field filled is not shown to staff: %s', async (text) => {
  const { push, seen } = await setUp(['custom_fields.debt', 'email']);
  const { notification } = await push(text);
  expect(notification).toMatch(/300|ada@/);
  expect(await seen()).toEqual([null, null]);
});

test('any other text is shown', async () => {
  const some = await setUp(['debt']);
  await some.push('Two for one');
  expect(await some.seen()).toEqual(['Two for one', 'Two for one']);
  await some.push('{{first_name}}, your size is {{shoe}}');
  expect(await some.seen()).toEqual(['Ada, your size is 42', 'Ada, your size is 42']);
});

test('every text is shown where nothing is hidden', async () => {
  const { push, seen } = await setUp([]);
  await push('You owe {{debt}}');
  expect(await seen()).toEqual(['You owe 300', 'You owe 300']);
});

test('it stays hidden when the field has another value, and however the text came', async () => {
  const { clientId, seen } = await setUp(['debt']);
  const { workspaceId } = harness;
  const notice = { workspaceId, clientId, text: 'You owe {{debt}}', tokens: {}, source: 'api' };
  await notifyClient(harness.deps, notice, async (effect) => {
    await harness.connection.transaction((session) => effect(session as never));
  });
  expect(await seen()).toEqual([null, null]);
  harness.peers.clients.get(clientId)!.custom_fields = { debt: '0' };
  expect(await seen()).toEqual([null, null]);
});

test('of a text that an earlier release pushed it is not known what filled it: it is hidden, too', async () => {
  const { passId, push, seen } = await setUp(['debt']);
  await push('You owe {{debt}}');
  await harness.connection
    .collection<{ _id: string }>('passes')
    .updateOne({ _id: passId }, { $unset: { notification_fields: '' } });
  expect(await seen()).toEqual([null, null]);
});
