import { newId } from '@laurel/lifecycle';
import { erasePerson, mergePerson, unitOfWork } from '@laurel/mongo';
import { type TestStore, testStore } from '@laurel/testing';
import { type CloudEvent, createEvent } from '../envelope';
import { anonymized, workspaceId } from '../testing/harness';
import { createOutbox } from './outbox';
import { outboxRows } from './outbox-rows';

let store: TestStore;
beforeEach(async () => {
  store = await testStore([outboxRows]);
});
afterEach(() => store.drop());

function renamed(clientId: string, of = workspaceId): CloudEvent {
  const data = {
    client_id: clientId,
    field_name: 'last_name',
    old_value: 'Canary',
    new_value: 'Canary-Bird',
    source: 'api',
  };
  return createEvent('clients.field_change', { workspaceId: of, subject: clientId, data });
}

async function written(...events: CloudEvent[]): Promise<void> {
  const outbox = createOutbox(store.connection);
  await unitOfWork(store.connection, (session) => outbox.append(events, session));
}

const database = () => ({ connection: store.connection, collections: [outboxRows] });
const erased = (clientId: string) =>
  erasePerson(database(), { workspaceId, clientId, ending: 'anonymized' });

const kept = async ({ id }: CloudEvent) =>
  (await store.connection
    .collection<{ _id: string; event: CloudEvent }>('outbox')
    .findOne({ _id: id }))!.event;

test('events about somebody who is erased stay without them, sent or not; those of others stay as they are', async () => {
  const clientId = newId();
  const [sent, waiting, other] = [renamed(clientId), renamed(clientId), renamed(newId())];
  const foreign = renamed(clientId, newId());
  await written(sent, waiting, other, foreign);
  await createOutbox(store.connection).markPublished([sent.id]);
  await erased(clientId);
  for (const event of [sent, waiting]) {
    const data = { ...(event.data as object), old_value: null, new_value: null };
    expect(await kept(event)).toEqual({ ...event, data });
  }
  for (const event of [other, foreign]) expect(await kept(event)).toEqual(event);
});

test('what tells of the erasure stays as it is', async () => {
  const clientId = newId();
  const event = anonymized(clientId);
  await written(event);
  await erased(clientId);
  expect(await kept(event)).toEqual(event);
});

test('who was merged into somebody is erased with them', async () => {
  const [source, target] = [newId(), newId()];
  const event = renamed(source);
  await written(event);
  await mergePerson(database(), { workspaceId, source, target });
  await erased(target);
  expect(JSON.stringify(await kept(event))).not.toContain('Canary');
});

test('a thousand events of one person are all found', async () => {
  const clientId = newId();
  const events = Array.from({ length: 1_001 }, () => renamed(clientId));
  await written(...events);
  await erased(clientId);
  const left = await store.connection.collection('outbox').countDocuments({
    $or: [{ person: clientId }, { 'event.data.new_value': 'Canary-Bird' }],
  });
  expect(left).toBe(0);
});
