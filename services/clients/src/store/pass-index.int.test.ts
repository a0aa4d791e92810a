import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { createHarness, type Harness } from '../testing/harness';
import { passIndex } from './pass-index';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

test('a pass is whose it was put last, though a clock that was ahead had dated the state before', async () => {
  const { deps, workspaceId, clock } = harness;
  const [passId, before, after, templateId] = [newId(), newId(), newId(), newId()];
  const put = (clientId: string, revision: number, aheadMs: number) => {
    const asOf = { revision, at: new Date(clock.now().getTime() + aheadMs) };
    const pass = { passId, workspaceId, clientId, templateId };
    return unitOfWork(deps.connection, (session) => deps.passes.put(pass, asOf, session));
  };
  const holder = async () => (await deps.passes.lookUp([passId])).found[0]?.clientId;
  await put(before, 1, 600_000);
  await put(after, 2, 0);
  expect(await holder()).toBe(after);
  await put(before, 1, 900_000);
  expect(await holder()).toBe(after);
});

test('of two clients with a pass of one template each, the merged one has the pass that it had, and one of each other', async () => {
  const { deps, workspaceId, clock } = harness;
  const [source, target, shared, other] = [newId(), newId(), newId(), newId()];
  const pass = async (clientId: string, templateId: string) => {
    const made = { passId: newId(), workspaceId, clientId, templateId };
    const asOf = { revision: 1, at: clock.now() };
    await unitOfWork(deps.connection, (session) => deps.passes.put(made, asOf, session));
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
