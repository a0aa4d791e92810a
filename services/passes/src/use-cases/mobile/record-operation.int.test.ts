import { listenerFor, type Once } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { atEveryCall, mortal, workOff } from '@laurel/testing';
import { mobileConsumers } from '../../consumers';
import { createHarness, type Harness } from '../../testing/harness';
import { exportClient } from '../export-client';
import type { Task } from './execute/task';
import { operationCatchUp, recordOperation } from './record-operation';

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

async function record(clientId: string, deps = harness.deps): Promise<string> {
  const action = { id: newId(), name: 'Add points', action_type: 'add_points' };
  const task = { workspaceId: harness.workspaceId, passId: newId(), clientId, action };
  const result = { id: newId(), amount: 5 };
  const done = { result, sessionId: newId(), code: 'points' };
  return recordOperation(deps, { ...task, data: {}, occurredAt: null } as unknown as Task, done);
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

test.each(['before', 'after'] as const)(
  'what staff did for somebody who was merged belongs to the target, though the process is killed %s any call',
  async (when) => {
    const calls = await atEveryCall(when, async (death) => {
      const [source, target] = [newId(), newId()];
      await merge(source, target);
      const dying = mortal(harness.connection, death);
      const replica = harness.depsOver(dying.connection);
      dying.arm();
      await Promise.race([record(source, replica), dying.died]);
      const written = [...(await idsOf(source)), ...(await idsOf(target))];
      harness.clock.advanceMs(60_000);
      await workOff(operationCatchUp(harness.deps));
      expect([death, await idsOf(source)]).toEqual([death, []]);
      expect([death, await idsOf(target)]).toEqual([death, written]);
      return !dying.isDead();
    });
    expect(calls).toBeGreaterThan(3);
  },
);
