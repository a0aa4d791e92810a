import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { createHarness, type Harness } from '../testing/harness';
import { passIndex } from './pass-index';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

test('of two clients with a pass of one template each, the merged one has the pass that it had, and one of each other', async () => {
  const { deps, workspaceId, clock } = harness;
  const [source, target, shared, other] = [newId(), newId(), newId(), newId()];
  const pass = async (clientId: string, templateId: string) => {
    const made = { passId: newId(), workspaceId, clientId, templateId };
    await unitOfWork(deps.connection, (session) => deps.passes.put(made, clock.now(), session));
    return made.passId;
  };
  await pass(source, shared);
  const kept = await pass(target, shared);
  const moved = await pass(source, other);

  await passIndex.mergePerson(deps.connection, { workspaceId, source, target });
  const held = await unitOfWork(deps.connection, (session) =>
    deps.passes.ofClients(workspaceId, [source, target], session),
  );
  expect(held.map(({ passId, clientId }) => [passId, clientId]).sort()).toEqual(
    [
      [kept, target],
      [moved, target],
    ].sort(),
  );
});
