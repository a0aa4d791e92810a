import { newId } from '@laurel/lifecycle';
import { atEveryCall, type Death, mortal, workOff } from '@laurel/testing';
import type { Deps } from '../deps';
import { createHarness, type Harness } from '../testing/harness';
import { backfillProfiles, backfillWorker } from './backfill-profiles';
import { createClient } from './create-client';

const CLAIM_MS = 60_001;

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const collectionOf = (name: string) => harness.deps.connection.collection(name);
const idsOf = async (name: string) =>
  (await collectionOf(name).find({}).toArray()).map(({ _id }) => String(_id)).sort();
const readAll = async (deps: Deps, limit: number): Promise<void> => {
  while ((await backfillProfiles(deps, limit)).more);
};
/** As after an upgrade that makes all profiles anew. */
async function forget(): Promise<void> {
  await collectionOf('client_profiles').deleteMany({});
  await collectionOf('backfills').deleteMany({});
}
async function expectDone(): Promise<void> {
  expect(await idsOf('client_profiles')).toEqual(await idsOf('clients'));
  expect(await idsOf('backfill_parts')).toEqual([]);
  expect(await backfillProfiles(harness.deps)).toEqual({ more: false });
  expect(await harness.deps.backfills.position()).toBeNull();
}

test('replicas share the pages, and each client of each workspace has a profile', async () => {
  const { deps } = harness;
  const workspaces = [harness.workspaceId, newId(), newId()];
  for (const workspace_id of [...workspaces, ...workspaces, ...workspaces])
    await createClient(deps, { workspace_id });
  await forget();
  const other = harness.depsOver(deps.connection);
  // The local engine makes a collection for one writer at a time.
  await backfillProfiles(deps, 2);
  await Promise.all([readAll(deps, 2), readAll(other, 2)]);
  await Promise.all([deps, other].map((each) => workOff(backfillWorker(each))));
  await backfillProfiles(deps);
  await expectDone();
});

test('a replica that dies before or after whatever call leaves the rest to another', async () => {
  for (let made = 0; made < 2; made += 1) await harness.client();
  const runWithDeath = async (death: Death): Promise<boolean> => {
    await forget();
    const dying = mortal(harness.deps.connection, death);
    const replica = harness.depsOver(dying.connection);
    dying.arm();
    const doomed = readAll(replica, 2).then(() => workOff(backfillWorker(replica)));
    await Promise.race([doomed.catch(() => undefined), dying.died]);
    harness.clock.advanceMs(CLAIM_MS);
    await readAll(harness.deps, 2);
    await workOff(backfillWorker(harness.deps));
    await backfillProfiles(harness.deps);
    await expectDone();
    return !dying.isDead();
  };
  for (const when of ['before', 'after'] as const) await atEveryCall(when, runWithDeath);
});

test('a release that knows no pages would begin where one like it left off, until all is done', async () => {
  for (let made = 0; made < 3; made += 1) await harness.client();
  await forget();
  const row = () => collectionOf('backfills').findOne({});
  await readAll(harness.deps, 2);
  expect(await row()).toMatchObject({ after: '', done: false });
  await workOff(backfillWorker(harness.deps));
  await backfillProfiles(harness.deps);
  expect(await row()).toMatchObject({ done: true });
  // One like it went on meanwhile, further than the pages.
  const [, second] = await idsOf('clients');
  const further = { $set: { after: second, read: '', done: false } };
  await collectionOf('backfills').updateOne({}, further);
  expect(await harness.deps.backfills.position()).toBe(second);
});

test('what happens to a client waits for no profile but that of the client', async () => {
  for (let made = 0; made < 3; made += 1) await harness.client();
  await forget();
  const { deps } = harness;
  const held: (readonly string[])[] = [];
  const profiles: Deps['profiles'] = {
    ...deps.profiles,
    hold: (workspaceId, ids, session) => {
      held.push(ids);
      return deps.profiles.hold(workspaceId, ids, session);
    },
  };
  await readAll(deps, 3);
  await workOff(backfillWorker({ ...deps, profiles }));
  expect(held.map((ids) => [...ids]).sort()).toEqual((await idsOf('clients')).map((id) => [id]));
});
