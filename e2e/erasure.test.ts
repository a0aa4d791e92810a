import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { until } from '@laurel/testing';
import { MongoClient } from 'mongodb';
import { answers, clientOf, newForm, submit, type TestForm } from './support/enrollment';
import { expectStatus, newClient, newWalletType, type TestWorkspace } from './support/factories';
import { newApp, newDevice } from './support/mobile';
import { openOutsideSystem } from './support/outside-system';

/** A mark that is a name, and the letters of an address. */
const MARK = /canary[0-9a-f]{12}/g;
const newMark = () => `canary${randomUUID().replaceAll('-', '').slice(0, 12)}`;

interface Guest {
  id: string;
  mark: string;
}

let form: TestForm;
let workspace: TestWorkspace;
let receiver: Awaited<ReturnType<typeof openOutsideSystem>>;
let store: MongoClient;
beforeAll(async () => {
  const { urls } = JSON.parse(readFileSync(process.env.LAUREL_STATE_FILE!, 'utf8'));
  store = await MongoClient.connect(urls.MONGODB_URI);
  form = await newForm();
  workspace = form.workspace;
  await newWalletType(workspace, { code: 'points' });
  await newApp(workspace);
  receiver = await openOutsideSystem();
  const webhook = { url: receiver.url, event_types: ['*'] };
  expectStatus(await workspace.post(':ws/webhooks', webhook), 201);
  const failing = { type: 'update_client_field', field_name: 'named' };
  const rule = {
    name: 'Fails over the name',
    trigger_type: 'custom_event',
    trigger_config: { event_types: ['visited'] },
    effects: [{ ...failing, value_expression: 'bool(client.first_name)' }],
  };
  expectStatus(await workspace.post(':ws/automations', rule), 201);
});
afterAll(async () => {
  await store.close();
  receiver.close();
});

const key = () => ({ 'Idempotency-Key': randomUUID() });

/** Rows of the workspace, and of those that say of none: others' tests fill the same collections meanwhile. */
const ours = () => {
  const { workspaceId } = workspace;
  const ofNone = { workspace_id: { $exists: false }, 'event.workspaceid': { $exists: false } };
  return { $or: [{ workspace_id: workspaceId }, { 'event.workspaceid': workspaceId }, ofNone] };
};
/** Keys of events that were handled: ids alone. */
const NAMELESS = new Set(['inbox']);

/** In which collections of all services each mark stands. */
async function placesOf(marks: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, Set<string>>(marks.map((mark) => [mark, new Set()]));
  const { databases } = await store.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((one) => one.name.startsWith('test_')))
    for (const { name: collection } of await store.db(name).listCollections().toArray()) {
      if (NAMELESS.has(collection)) continue;
      const place = `${name.replace(/^test_\d+_/, '')}.${collection}`;
      const rows = store.db(name).collection(collection).find(ours(), { batchSize: 100_000 });
      for await (const row of rows)
        for (const mark of JSON.stringify(row).toLowerCase().match(MARK) ?? [])
          found.get(mark)?.add(place);
    }
  return new Map([...found].map(([mark, places]) => [mark, [...places].sort()]));
}

/** By a form, with a card and a mail of its links. */
async function visitor(): Promise<Guest> {
  const mark = newMark();
  const email = `${mark}@example.com`;
  const filled = answers({ email, first_name: mark, last_name: mark });
  expectStatus(await submit(form, filled, key()), 200);
  expectStatus(await submit(form, filled), 200);
  return { id: (await clientOf(workspace, email)).id, mark };
}

/** By the API, with all that is kept of somebody beside their name. */
async function member(): Promise<Guest> {
  const mark = newMark();
  const person = { first_name: mark, email: `${mark}@example.com`, custom_fields: { nick: mark } };
  const { id } = await newClient(workspace, { ...person, loyalty_program_enabled: true });
  const card = {
    ...{ project_id: form.projectId, pass_template_id: form.templateId, client_id: id },
    ...{ pass_fields: { name: mark }, barcode_value: mark },
  };
  expectStatus(await workspace.post(':ws/passes', card, key()), 201);
  const earn = { client_id: id, amount: 5, description: mark, metadata: { name: mark } };
  expectStatus(await workspace.post(':ws/loyalty/points/earn', earn, key()), 201);
  const { id: reward_id } = await workspace.laurel.rewards.create({
    name: 'Cup',
    cost_in_points: 1,
  });
  const wanted = { reward_id, client_id: id, metadata: { name: mark } };
  expectStatus(await workspace.post(':ws/rewards/redeem', wanted, key()), 200);
  const visit = { client_id: id, event_type: 'visited' };
  expectStatus(await workspace.post(':ws/custom-events', visit), 201);
  return { id, mark };
}

/** By a till. */
async function walkIn(): Promise<Guest> {
  const mark = newMark();
  const person = { first_name: mark, email: `${mark}@example.com` };
  const device = await newDevice(workspace);
  const { body } = expectStatus(await device.post('/mobile-app/clients', person, key()), 201);
  return { id: body.data.client.id, mark };
}

/** Somebody else before, whom they were merged with. */
async function merged(): Promise<Guest> {
  const mark = newMark();
  const source = await newClient(workspace, { first_name: mark, email: `${mark}@example.com` });
  const { id } = await newClient(workspace);
  const merge = { source_client_id: source.id, target_client_id: id };
  expectStatus(await workspace.post(':ws/clients/merge', merge, key()), 200);
  return { id, mark };
}

const COMING = { visitor, member, walkIn, merged };
const GOING = {
  deleted: (id: string) => workspace.del(`:ws/clients/${id}`),
  anonymized: (id: string) => workspace.post(`:ws/clients/${id}/anonymize`),
};

test('of who is deleted or anonymized no name is left in any collection of any service, in whatever way they came', async () => {
  const guests: (Guest & { way: string; going: keyof typeof GOING })[] = [];
  for (const [coming, come] of Object.entries(COMING))
    for (const going of ['deleted', 'anonymized'] as const)
      guests.push({ ...(await come()), way: `${coming}, ${going}`, going });
  const marks = guests.map(({ mark }) => mark);
  const told = ['clients.outbox', 'integrations.webhook_events'];
  const toldOf = (way: string) =>
    way.startsWith('member') ? [...told, 'automations.executions'] : told;
  await until(
    async () => {
      const places = await placesOf(marks);
      return guests.every(({ mark, way }) =>
        toldOf(way).every((place) => places.get(mark)?.includes(place)),
      );
    },
    { withinMs: 60_000, what: 'all of them to stand where they were told of' },
  );
  for (const { id, going } of guests) expectStatus(await GOING[going](id), 200);
  const left = async () => {
    const places = await placesOf(marks);
    return guests.flatMap(({ way, mark }) => {
      const where = places.get(mark) ?? [];
      return where.length > 0 ? [`${way}: ${where.join(', ')}`] : [];
    });
  };
  // Long before what was being written while they went is looked at once more.
  await until(async () => (await left()).length === 0, { withinMs: 60_000 }).catch(() => null);
  expect(await left()).toEqual([]);
});
