import { listenerFor, type Once } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { mobileConsumers } from '../../consumers';
import { createHarness, type Harness } from '../../testing/harness';
import { exportClient } from '../export-client';
import type { Task } from './execute/task';
import { recordOperation } from './record-operation';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const once: Once = (effect) => unitOfWork(harness.connection, effect);

async function merge(source: string, target: string): Promise<void> {
  const data = { source_client_id: source, target_client_id: target };
  const event = harness.event('clients.merged', data);
  for (const spec of mobileConsumers(harness.deps))
    await listenerFor(spec, event.type)?.(event, once);
}

async function record(clientId: string): Promise<string> {
  const action = { id: newId(), name: 'Add points', action_type: 'add_points' };
  const task = { workspaceId: harness.workspaceId, passId: newId(), clientId, action };
  const result = { id: newId(), amount: 5 };
  const done = { result, sessionId: newId(), code: 'points' };
  return recordOperation(harness.deps, { ...task, occurredAt: null } as unknown as Task, done);
}

const idsOf = async (clientId: string) => {
  const request = { workspace_id: harness.workspaceId, client_id: clientId };
  const { data } = await exportClient(harness.deps, request);
  return (data as { at_the_till: { id: string }[] }).at_the_till.map(({ id }) => id);
};

test('what staff did for somebody who is merged then belongs to the target, whichever is noted first', async () => {
  const [source, target] = [newId(), newId()];
  const before = await record(source);
  await merge(source, target);
  expect(await idsOf(target)).toEqual([before]);
  const other = newId();
  await merge(other, target);
  const late = await record(other);
  expect((await idsOf(target)).sort()).toEqual([before, late].sort());
  expect(await idsOf(other)).toEqual([]);
});
