import { createRemovals } from '@laurel/backend';
import { type CloudEvent, createEvent, listenerFor } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { workOffJob } from '@laurel/testing';
import { consumers } from './consumers';
import { createHarness, type Harness } from './testing/harness';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

test('what an event on its way brings back of a deleted workspace goes as well', async () => {
  const { deps, clock, workspaceId } = harness;
  const { consumers: table, job } = createRemovals(deps.connection, consumers(deps), clock);
  const left = () =>
    deps.connection.collection('pass_index').countDocuments({ workspace_id: workspaceId });
  const deliver = (queue: string, event: CloudEvent) =>
    listenerFor(table.find((spec) => spec.queue === queue)!, event.type)!(event, (effect) =>
      unitOfWork(deps.connection, effect),
    );
  await deliver(
    'clients.workspaces',
    createEvent('identity.workspace_deleted', {
      workspaceId,
      subject: workspaceId,
      data: { workspace_id: workspaceId },
    }),
  );
  const pass_id = newId();
  const pass = { pass_id, client_id: newId(), pass_template_id: newId(), project_id: newId() };
  const late = { workspaceId, subject: pass_id, data: pass };
  await deliver('clients.passes', createEvent('passes.pass_created', late));
  expect(await left()).toBe(1);
  clock.advanceMs(3_600_000);
  await workOffJob([job], job.name);
  expect(await left()).toBe(0);
});
