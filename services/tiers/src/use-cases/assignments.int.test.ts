import { platform, Refusal } from '@laurel/errors';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { createHarness, type Harness } from '../testing/harness';
import { assignTier } from './assign-tier';
import { assignTiers } from './assign-tiers';
import { deleteTierSet } from './delete-tier-set';
import { getClientTier } from './get-client-tier';
import { getClientTiers } from './get-client-tiers';
import { endAssignments, reviewMembers } from './review-members';
import { unassignTier } from './unassign-tier';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const DAY_MS = 86_400_000;
const of = (clientId: string) => ({ workspace_id: harness.workspaceId, client_id: clientId });
const moves = async () =>
  (await harness.told())
    .filter(({ type }) => /promoted|demoted/.test(type))
    .map(({ type }) => type);

test('an assignment ends by itself and the client falls to the auto tier due', async () => {
  const { vip, gold } = await harness.levels();
  const id = newId();
  await harness.take(harness.made.client(id), harness.made.earned(id, 100));
  await assignTier(harness.deps, { ...of(id), tier_id: vip.id, duration_days: 2 });
  await harness.take(harness.made.earned(id, 500));
  expect(await harness.member(id)).toMatchObject({ tier: { id: vip.id } });
  harness.clock.advanceMs(2 * DAY_MS - 1_000);
  await endAssignments(harness.deps);
  expect(await harness.member(id)).toMatchObject({ tier: { id: vip.id } });
  harness.clock.advanceMs(2_000);
  expect(await endAssignments(harness.deps)).toEqual({ more: false });
  expect(await harness.member(id)).toMatchObject({ tier: { id: gold.id }, assignment: null });
  const [latest] = await harness.deps.history.list(harness.workspaceId, id, 1);
  expect(latest).toMatchObject({ from_tier_id: vip.id, to_tier_id: gold.id, reason: 'expired' });
});

test.each(['by itself', 'by hand'])(
  'an assignment that ends %s gives back nothing that a review took or would take',
  async (how) => {
    const { vip, silver } = await harness.levels({ downgrade_config: { lookback_days: 30 } });
    const [lapsed, unseen] = [newId(), newId()];
    for (const id of [lapsed, unseen])
      await harness.take(harness.made.client(id), harness.made.earned(id, 600));
    await assignTier(harness.deps, { ...of(unseen), tier_id: vip.id, duration_days: 40 });
    harness.clock.advanceMs(32 * DAY_MS);
    for (const id of [lapsed, unseen]) await harness.take(harness.made.earned(id, 100));
    await reviewMembers(harness.deps);
    expect(await harness.member(lapsed)).toMatchObject({ tier: { id: silver.id }, lapsed: true });
    await assignTier(harness.deps, { ...of(lapsed), tier_id: vip.id, duration_days: 7 });
    const before = (await moves()).length;
    harness.clock.advanceMs(9 * DAY_MS);
    if (how === 'by itself') await endAssignments(harness.deps);
    else for (const id of [lapsed, unseen]) await unassignTier(harness.deps, of(id));
    await reviewMembers(harness.deps);
    for (const id of [lapsed, unseen])
      expect(await harness.member(id)).toMatchObject({ tier: { id: silver.id }, lapsed: true });
    expect((await moves()).slice(before)).toEqual(['tiers.tier_demoted', 'tiers.tier_demoted']);
  },
);

describe('an assignment that a rule gave', () => {
  const rule = newId();
  const byRule = <T>(work: () => Promise<T>) =>
    runInContext(systemContext({ chain: [rule], depth: 1 }), work);

  test.each(['by itself', 'by hand', 'with the tier set'])(
    'ends %s in the chain of the rule, which does not give it again on its own end',
    async (how) => {
      const { vip } = await harness.levels();
      const id = newId();
      await harness.take(harness.made.client(id));
      const given = { ...of(id), tier_id: vip.id, duration_days: 2 };
      await byRule(() => assignTier(harness.deps, given));
      await harness.take(harness.made.purchase(id, 10));
      harness.clock.advanceMs(2 * DAY_MS + 1);
      if (how === 'by itself') await endAssignments(harness.deps);
      else if (how === 'by hand') await unassignTier(harness.deps, of(id));
      else await deleteTierSet(harness.deps, { workspace_id: harness.workspaceId });
      await harness.resync();
      const [ended] = (await harness.told('tiers.tier_demoted')).slice(-1);
      expect(ended).toMatchObject({ subject: id, chain: rule, depth: 1 });
    },
  );

  test('to many at once ends in the chain of the rule, too', async () => {
    const { vip } = await harness.levels();
    const id = newId();
    await harness.take(harness.made.client(id));
    const assignments = [{ client_id: id, operation_id: `vip ${id}` }];
    const { deps, workspaceId: workspace_id } = harness;
    await byRule(() => assignTiers(deps, { workspace_id, tier_id: vip.id, assignments }));
    await unassignTier(deps, of(id));
    expect(await harness.told('tiers.tier_demoted')).toMatchObject([{ chain: rule, depth: 1 }]);
  });

  test('is a person’s once a person has given it anew, and ends in no chain', async () => {
    const { vip } = await harness.levels();
    const id = newId();
    await harness.take(harness.made.client(id));
    await byRule(() => assignTier(harness.deps, { ...of(id), tier_id: vip.id, duration_days: 2 }));
    await assignTier(harness.deps, { ...of(id), tier_id: vip.id, duration_days: 9 });
    harness.clock.advanceMs(9 * DAY_MS + 1);
    await endAssignments(harness.deps);
    const [ended] = await harness.told('tiers.tier_demoted');
    expect(ended).toMatchObject({ depth: 0 });
    expect(ended).not.toHaveProperty('chain');
  });
});

test('an assignment ends though another one cannot be looked at, and the round rejects with that one', async () => {
  const { vip } = await harness.levels();
  const [broken, sound] = [newId(), newId()];
  await harness.take(harness.made.client(broken), harness.made.client(sound));
  for (const id of [broken, sound])
    await assignTier(harness.deps, { ...of(id), tier_id: vip.id, duration_days: 1 });
  harness.clock.advanceMs(DAY_MS + 1);
  const { members } = harness.deps;
  const find: typeof members.find = async (workspaceId, id, session) => {
    if (id === broken) throw new Error('a document that cannot be read');
    return members.find(workspaceId, id, session);
  };
  const withEndedAssignment: typeof members.withEndedAssignment = async (...asked) =>
    (await members.withEndedAssignment(...asked)).sort(({ id }) => (id === broken ? -1 : 1));
  const faulty = { ...harness.deps, members: { ...members, find, withEndedAssignment } };
  await expect(endAssignments(faulty)).rejects.toThrow('1 of 2');
  expect(await harness.member(sound)).toMatchObject({ assignment: null });
  expect(await harness.member(broken)).toMatchObject({ tier: { id: vip.id } });
});

test('the days of an assignment count from the promotion, however long the clock runs between', async () => {
  const { vip } = await harness.levels();
  const id = newId();
  await harness.take(harness.made.client(id));
  const now = () => {
    harness.clock.advanceMs(1);
    return harness.clock.now();
  };
  const deps = { ...harness.deps, clock: { ...harness.clock, now } };
  const given = await assignTier(deps, { ...of(id), tier_id: vip.id, duration_days: 2 });
  expect(Date.parse(given.expires_at!) - Date.parse(given.promoted_at!)).toBe(2 * DAY_MS);
});

test('the repeat of an assignment or its end is answered as the first time, though the client is gone by then', async () => {
  const { vip } = await harness.levels();
  const id = newId();
  await harness.take(harness.made.client(id));
  const gone = { ...harness.deps, clients: { ...harness.deps.clients, GetClientStanding: isGone } };
  for (const asked of [
    (deps: typeof gone) => assignTier(deps, { ...of(id), tier_id: vip.id }),
    (deps: typeof gone) => unassignTier(deps, of(id)),
  ]) {
    const context = { ...systemContext({ operationId: newId() }), operationKept: true };
    const first = await runInContext(context, () => asked(harness.deps as typeof gone));
    expect(await runInContext(context, () => asked(gone))).toEqual(first);
    await expect(asked(gone)).rejects.toBeInstanceOf(Refusal);
  }
});

const isGone = async () => {
  throw platform.recordNotFound({ message: 'is gone' });
};

test('assigning and unassigning at once end in one of the two, announced without a gap', async () => {
  const { vip, bronze } = await harness.levels();
  const id = newId();
  await harness.take(harness.made.client(id));
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? assignTier(harness.deps, { ...of(id), tier_id: vip.id })
        : unassignTier(harness.deps, of(id)),
    ),
  );
  const member = (await harness.member(id))!;
  expect(member.tier?.id).toBe(member.assignment ? vip.id : bronze.id);
  const history = await harness.deps.history.list(harness.workspaceId, id, 100);
  const steps = [...history].sort((a, b) => (String(a.at) < String(b.at) ? -1 : 1));
  const into = steps.filter(({ to_tier_id }) => to_tier_id === vip.id).length;
  const outOf = steps.filter(({ from_tier_id }) => from_tier_id === vip.id).length;
  expect(into - outOf).toBe(member.assignment ? 1 : 0);
  expect(await moves()).toHaveLength(history.length);
});

test('a tier for many at once is given to each as to one, once, and refused to each with its reason', async () => {
  const { vip } = await harness.levels();
  const [known, fresh, outside, stranger] = [newId(), newId(), newId(), newId()];
  await harness.take(harness.made.client(known));
  harness.made.client(fresh);
  await harness.take(harness.made.client(outside, { loyalty_program_enabled: false }));
  const ids = [known, fresh, outside, stranger];
  const assign = (clientIds: string[]) =>
    assignTiers(harness.deps, {
      workspace_id: harness.workspaceId,
      tier_id: vip.id,
      duration_days: 2,
      assignments: clientIds.map((client_id) => ({ client_id, operation_id: `vip ${client_id}` })),
    });
  const { clients } = await assign(ids);
  expect(clients.map(({ client_id, refusal }) => [client_id, refusal !== undefined])).toEqual([
    [known, false],
    [fresh, false],
    [outside, true],
    [stranger, true],
  ]);
  for (const id of [known, fresh])
    expect(await harness.member(id)).toMatchObject({ tier: { id: vip.id } });
  const told = await moves();
  await unassignTier(harness.deps, of(known));
  harness.clock.advanceMs(1_000);
  await assign(ids);
  expect(await harness.member(known)).toMatchObject({ assignment: null });
  expect((await moves()).length).toBe(told.length + 1);
});

test('a client is known to the clients service before their events arrive', async () => {
  const { vip } = await harness.levels();
  const id = newId();
  const introduction = harness.made.client(id, { first_name: 'Grace' });
  await assignTier(harness.deps, { ...of(id), tier_id: vip.id });
  await harness.take(introduction);
  expect(await harness.member(id)).toMatchObject({
    tier: { id: vip.id },
    profile: { firstName: 'Grace' },
  });
});

test.each(['one', 'many'])(
  'what was asked of a client for an assignment of %s is not taken back by an earlier state that a clock ahead had dated',
  async (how) => {
    const { vip } = await harness.levels();
    const id = newId();
    const before = harness.made.client(id, { loyalty_program_enabled: false });
    const ahead = new Date(harness.clock.now().getTime() + 600_000).toISOString();
    const joined = { status: 'active', loyalty_program_enabled: true, revision: 2 };
    harness.standings.set(id, joined);
    if (how === 'one') await assignTier(harness.deps, { ...of(id), tier_id: vip.id });
    else {
      const assignments = [{ client_id: id, operation_id: `vip ${id}` }];
      const { workspaceId: workspace_id } = harness;
      await assignTiers(harness.deps, { workspace_id, tier_id: vip.id, assignments });
    }
    const data = { ...(before.data as object), client_revision: 1 };
    await harness.take({ ...before, time: ahead, data });
    expect(await harness.member(id)).toMatchObject({ enabled: true, tier: { id: vip.id } });
  },
);

test('enrolment that ends suspends an assignment, and unassigning names the tier meant', async () => {
  const { vip, bronze } = await harness.levels();
  const id = newId();
  await harness.take(harness.made.client(id));
  await assignTier(harness.deps, { ...of(id), tier_id: vip.id });
  await harness.take(harness.made.client(id, { loyalty_program_enabled: false }));
  expect(await harness.member(id)).toMatchObject({ tier: null });
  await harness.take(harness.made.client(id));
  expect(await harness.member(id)).toMatchObject({ tier: { id: vip.id } });
  const kept = await unassignTier(harness.deps, { ...of(id), tier_id: bronze.id });
  expect(kept.tier_id).toBe(vip.id);
  const freed = await unassignTier(harness.deps, { ...of(id), tier_id: vip.id });
  expect(freed).toMatchObject({ tier_id: bronze.id, manually_assigned: false });
});

test('with the tier set everybody loses their tier, at once to the eye and announced by the job', async () => {
  const { vip, silver } = await harness.levels();
  const [ada, bob] = [newId(), newId()];
  await harness.take(
    harness.made.client(ada),
    harness.made.client(bob),
    harness.made.earned(bob, 100),
  );
  await assignTier(harness.deps, { ...of(ada), tier_id: vip.id });
  const clients = { workspace_id: harness.workspaceId, client_ids: [ada, bob, newId()] };
  const { placements } = await getClientTiers(harness.deps, clients);
  expect(placements.map(({ tier_id }) => tier_id)).toEqual([vip.id, silver.id, null]);
  await deleteTierSet(harness.deps, { workspace_id: harness.workspaceId });
  expect(await getClientTier(harness.deps, of(ada))).toMatchObject({ manually_assigned: false });
  const gone = await getClientTiers(harness.deps, clients);
  expect(gone.placements.map(({ tier_id }) => tier_id)).toEqual([null, null, null]);
  await harness.resync();
  expect(await harness.member(ada)).toMatchObject({ tier: null, assignment: null });
  expect((await moves()).filter((type) => type.endsWith('demoted'))).toHaveLength(2);
});

test('the answer to an unknown client differs by where it is named', async () => {
  const { vip } = await harness.levels();
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error as Refusal,
    );
  const named = await refusalOf(assignTier(harness.deps, { ...of(newId()), tier_id: vip.id }));
  expect(named).toMatchObject({ httpStatus: 400, problems: [{ field: 'client_id' }] });
  const asked = await refusalOf(getClientTier(harness.deps, of(newId())));
  expect(asked).toMatchObject({ httpStatus: 404, code: 'RECORD_NOT_FOUND' });
  expect(asked).toBeInstanceOf(Refusal);
});
