import type { CloudEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import fc from 'fast-check';
import { createHarness, type Harness } from '../testing/harness';
import { assignTier } from './assign-tier';
import { createTier } from './create-tier';
import { removeWorkspace } from './remove-workspace';
import { reviewMembers } from './review-members';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const moves = async () =>
  (await harness.told()).filter(({ type }) => /promoted|demoted/.test(type)) as CloudEvent<
    string,
    { client_id: string; tier: { name: string } | null; previous_tier: { name: string } | null }
  >[];
const told = async () =>
  (await moves()).map(({ type, data }) => [
    type.slice('tiers.tier_'.length),
    data.previous_tier?.name ?? null,
    data.tier?.name ?? null,
  ]);

describe('what a client does', () => {
  test('promotes at once and announces it once, however often it is delivered', async () => {
    const { gold } = await harness.levels();
    const id = newId();
    const events = [harness.made.client(id), harness.made.earned(id, 600)];
    await harness.take(...events);
    await harness.take(...events, events[1]!);
    const member = await harness.member(id);
    expect(member).toMatchObject({ tier: { id: gold.id }, promotedAt: harness.clock.now() });
    expect(member!.activity.lifetime.earned).toEqual({ points: 6_000_000 });
    expect(await told()).toEqual([['promoted', null, 'Gold']]);
    expect(await harness.deps.history.list(harness.workspaceId, id, 10)).toMatchObject([
      { from_tier_id: null, to_tier_id: gold.id, reason: 'activity' },
    ]);
  });

  test('carries on the chain of what caused it', async () => {
    await harness.levels();
    const id = newId();
    await harness.take(harness.made.client(id));
    const rule = newId();
    const award = { ...harness.made.earned(id, 100), chain: rule, depth: 1, requestid: 'req-1' };
    await harness.take(award);
    expect((await moves()).at(-1)).toMatchObject({
      causationid: award.id,
      chain: rule,
      depth: 1,
      requestid: 'req-1',
    });
  });

  test.each([
    ['last', (own: CloudEvent, others: CloudEvent[]) => [...others, own]],
    ['first', (own: CloudEvent, others: CloudEvent[]) => [own, ...others]],
  ])(
    'carries on the chains of all that moved a client at once, the deepest as deep as it is: its own purchase comes %s',
    async (_, arranged) => {
      await harness.levels();
      const id = newId();
      await harness.take(harness.made.client(id));
      const [first, second, third] = [newId(), newId(), newId()];
      const award = (amount: number, chain: string[]) => ({
        ...harness.made.earned(id, amount),
        chain: chain.join(','),
        depth: chain.length,
      });
      const awards = [award(60, [first, second]), award(60, [third])];
      const events = arranged(harness.made.purchase(id, 10), awards);
      await harness.take(...events);
      expect((await moves()).at(-1)).toMatchObject({
        causationid: events.at(-1)!.id,
        chain: [first, second, third].join(','),
        depth: 2,
      });
    },
  );

  test('counts purchases less refunds, and a refund demotes only in the periodic job', async () => {
    const { made } = harness;
    const conditions = { items: [{ type: 'total_spending' }] };
    await harness.levels({ conditions });
    const { deps, workspaceId } = harness;
    const tiers = await deps.tiers.list(workspaceId);
    const gold = tiers.find(({ name }) => name === 'Gold')!;
    const session = await deps.connection.startSession();
    await deps.tiers.replace({ ...gold, condition_values: { total_spending: 50 } }, session);
    await deps.tiers.replace(
      { ...tiers.find(({ name }) => name === 'Silver')!, condition_values: { total_spending: 20 } },
      session,
    );
    await session.endSession();
    const id = newId();
    await harness.take(made.client(id), made.purchase(id, 60));
    expect(await harness.member(id)).toMatchObject({ tier: { name: 'Gold' }, dueAt: null });
    await harness.take(made.refund(id, 30.5));
    expect(await harness.member(id)).toMatchObject({ tier: { name: 'Gold' } });
    expect((await harness.member(id))!.activity.lifetime).toMatchObject({
      spending: 295_000,
      transactions: 1,
    });
    expect(await reviewMembers(deps)).toEqual({ more: false });
    expect(await harness.member(id)).toMatchObject({ tier: { name: 'Silver' }, dueAt: null });
    expect((await told()).at(-1)).toEqual(['demoted', 'Gold', 'Silver']);
  });

  test('asks for the push of the tier reached, or of the tier lost where that one is silent', async () => {
    const { gold } = await harness.levels();
    const session = await harness.deps.connection.startSession();
    const tier = (await harness.deps.tiers.find(harness.workspaceId, gold.id))!;
    const notification_config = {
      send_on_promotion: true,
      send_on_demotion: true,
      demotion_body: 'Bye',
    };
    await harness.deps.tiers.replace({ ...tier, notification_config }, session);
    await session.endSession();
    const id = newId();
    await harness.take(harness.made.client(id), harness.made.earned(id, 500));
    await harness.take(harness.made.client(id, { loyalty_program_enabled: false }));
    const requests = await harness.told('tiers.notification_requested');
    expect(requests.map(({ data }) => data)).toMatchObject([
      { direction: 'promotion', body: 'You have reached Gold.', client_id: id },
      { direction: 'demotion', body: 'Bye', tier: null },
    ]);
  });
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** As a rule gives them: in a chain. */
const given = (id: string, amount: number, rule: string): CloudEvent => ({
  ...harness.made.earned(id, amount),
  chain: rule,
  depth: 1,
});

/** Somebody who has reached the highest tier, and lost it for want of anything recent. */
async function lapsedMember(): Promise<string> {
  await harness.levels({ downgrade_config: { lookback_days: 30 } });
  const id = newId();
  await harness.take(harness.made.client(id), harness.made.earned(id, 600));
  harness.clock.advanceMs(32 * DAY_MS);
  await reviewMembers(harness.deps);
  expect(await harness.member(id)).toMatchObject({ tier: { name: 'Bronze' }, lapsed: true });
  return id;
}

describe('what rules give to a client who was demoted', () => {
  test('brings nothing back for the next review to take, so that a rule on demotions fires once', async () => {
    const id = await lapsedMember();
    const rule = newId();
    const fired = new Set<string>();
    for (let hour = 0; hour < 3; hour += 1) {
      for (const { type, id: event, chain } of await moves()) {
        if (!type.endsWith('demoted') || chain?.includes(rule) || fired.has(event)) continue;
        fired.add(event);
        await harness.take(given(id, 10, rule));
      }
      harness.clock.advanceMs(HOUR_MS);
      await reviewMembers(harness.deps);
    }
    expect(fired.size).toBe(1);
    expect(await told()).toEqual([
      ['promoted', null, 'Gold'],
      ['demoted', 'Gold', 'Bronze'],
    ]);
    expect(await harness.member(id)).toMatchObject({ tier: { name: 'Bronze' }, lapsed: true });
  });

  test('counts within the window', async () => {
    const id = await lapsedMember();
    await harness.take(given(id, 100, newId()));
    expect(await harness.member(id)).toMatchObject({ tier: { name: 'Silver' }, lapsed: true });
  });

  test.each([
    ['before', (purchase: CloudEvent, points: CloudEvent) => [[purchase], [points]]],
    ['after', (purchase: CloudEvent, points: CloudEvent) => [[points], [purchase]]],
    ['in one delivery before', (purchase: CloudEvent, points: CloudEvent) => [[purchase, points]]],
    ['in one delivery after', (purchase: CloudEvent, points: CloudEvent) => [[points, purchase]]],
  ])(
    'takes nothing from who buys: they rise by the whole of a life, their purchase heard of %s its points',
    async (_, deliveries) => {
      const id = await lapsedMember();
      const purchase = harness.made.purchase(id, 10);
      for (const delivery of deliveries(purchase, given(id, 10, newId())))
        await harness.take(...delivery);
      expect(await harness.member(id)).toMatchObject({ tier: { name: 'Gold' }, lapsed: false });
      expect((await told()).at(-1)).toEqual(['promoted', 'Bronze', 'Gold']);
    },
  );
});

describe('a tier that rules alone led to', () => {
  const lastMove = async () => (await moves()).at(-1)!;

  test('is lost in their chain, so that they do not give it back', async () => {
    await harness.levels({ downgrade_config: { lookback_days: 30 } });
    const id = newId();
    const rule = newId();
    await harness.take(harness.made.client(id));
    await harness.take(given(id, 100, rule));
    harness.clock.advanceMs(32 * DAY_MS);
    await reviewMembers(harness.deps);
    expect((await told()).at(-1)).toEqual(['demoted', 'Silver', 'Bronze']);
    expect(await lastMove()).toMatchObject({ chain: rule, depth: 1 });
  });

  test('is the client’s own once they do something themselves, and lost in no chain', async () => {
    await harness.levels({ downgrade_config: { lookback_days: 30 } });
    const id = newId();
    await harness.take(harness.made.client(id));
    await harness.take(given(id, 100, newId()));
    await harness.take(harness.made.purchase(id, 10));
    harness.clock.advanceMs(32 * DAY_MS);
    await reviewMembers(harness.deps);
    expect((await told()).at(-1)).toEqual(['demoted', 'Silver', 'Bronze']);
    expect(await lastMove()).toMatchObject({ depth: 0 });
    expect(await lastMove()).not.toHaveProperty('chain');
  });

  test('is lost in their chain and in that of what ends it', async () => {
    await harness.levels();
    const id = newId();
    const [rule, other] = [newId(), newId()];
    await harness.take(harness.made.client(id));
    await harness.take(given(id, 100, rule));
    const left = harness.made.client(id, { loyalty_program_enabled: false });
    await harness.take({ ...left, chain: other, depth: 2 });
    expect(await lastMove()).toMatchObject({
      type: 'tiers.tier_demoted',
      chain: `${rule},${other}`,
      depth: 2,
      causationid: left.id,
    });
  });
});

describe('order and repetition', () => {
  test('make no difference to what is known of a client', async () => {
    await harness.levels();
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 });
    const repeats = fc.array(fc.nat(6), { minLength: 7, maxLength: 7 });
    const { made } = harness;
    const story = (id: string) => [
      made.client(id, { loyalty_program_enabled: false, first_name: 'Old' }),
      made.client(id, { first_name: 'New', custom_fields: { city: 'Bonn' } }),
      made.earned(id, 60),
      made.adjusted(id, 50),
      made.adjusted(id, -40),
      made.purchase(id, 10),
      made.refund(id, 4),
    ];
    const known = async (id: string) => {
      const { profile, activity, tier, enabled, status, dueAt } = (await harness.member(id))!;
      return { profile, activity, tier, enabled, status, dueAt };
    };
    const straight = newId();
    await harness.take(...story(straight));
    await fc.assert(
      fc.asyncProperty(order, repeats, async (positions, again) => {
        const shuffled = newId();
        const deck = story(shuffled);
        for (const [turn, position] of positions.entries())
          await harness.take(deck[position]!, deck[again[turn]!]!);
        expect(await known(shuffled)).toEqual(await known(straight));
        expect((await known(shuffled)).tier).toMatchObject({ name: 'Silver' });
      }),
      { numRuns: 25 },
    );
  });

  test('replicas taking different events of one client lose none of them', async () => {
    await harness.levels();
    const id = newId();
    await harness.take(harness.made.client(id));
    const replica = async () => {
      for (let turn = 0; turn < 5; turn += 1) await harness.take(harness.made.earned(id, 5));
    };
    await Promise.all([replica(), replica(), replica(), replica()]);
    const member = await harness.member(id);
    expect(member!.activity.lifetime.earned).toEqual({ points: 1_000_000 });
    expect(member!.tier).toMatchObject({ name: 'Silver' });
    expect(await told()).toEqual([
      ['promoted', null, 'Bronze'],
      ['promoted', 'Bronze', 'Silver'],
    ]);
  });
});

/** An event of a process whose clock differs, of a row that had been written so often by then. */
const toldOf = (
  event: CloudEvent,
  { minutes, ...count }: { minutes: number; client_revision?: number; pass_revision?: number },
): CloudEvent => ({
  ...event,
  time: new Date(Date.parse(event.time) + minutes * 60_000).toISOString(),
  data: { ...(event.data as object), ...count },
});

test('who left the programme stays out of it, though a clock that was ahead had dated the state before', async () => {
  await harness.levels();
  const id = newId();
  const { made } = harness;
  const joined = toldOf(made.client(id), { minutes: 10, client_revision: 1 });
  const left = toldOf(made.client(id, { loyalty_program_enabled: false, first_name: 'Eve' }), {
    minutes: 0,
    client_revision: 2,
  });
  await harness.take(joined);
  expect(await harness.member(id)).toMatchObject({ tier: { name: 'Bronze' } });
  await harness.take(left);
  const out = { tier: null, enabled: false, profile: { firstName: 'Eve' } };
  expect(await harness.member(id)).toMatchObject(out);
  await harness.take(toldOf(made.client(id), { minutes: 20, client_revision: 1 }));
  expect(await harness.member(id)).toMatchObject(out);
});

describe('the end of a client', () => {
  test('anonymizing forgets who it was, for good', async () => {
    await harness.levels();
    const id = newId();
    const late = harness.made.client(id, { first_name: 'Late', email: 'late@example.com' });
    await harness.take(harness.made.client(id), harness.made.earned(id, 100));
    await harness.take(harness.made.anonymized(id));
    await harness.take(late, harness.made.client(id, { first_name: 'Later' }));
    const member = await harness.member(id);
    expect(member).toMatchObject({
      anonymized: true,
      tier: null,
      enabled: false,
      profile: { firstName: null, lastName: null, email: null, customFields: [] },
    });
    expect((await told()).at(-1)).toEqual(['demoted', 'Silver', null]);
  });

  test('deleting leaves a tombstone that late events do not wake', async () => {
    await harness.levels();
    const id = newId();
    const [known, late] = [harness.made.client(id), harness.made.client(id)];
    await harness.take(known, harness.made.earned(id, 100));
    await harness.take(harness.made.deleted(id));
    await harness.take(late, harness.made.earned(id, 500));
    expect(await harness.member(id)).toMatchObject({
      state: 'deleted',
      tier: null,
      profile: { firstName: null },
      activity: { lifetime: { earned: {} } },
    });
    expect(await harness.deps.history.list(harness.workspaceId, id, 10)).toEqual([]);
    const filter = { tierIds: [], customFields: [] };
    const { total } = await harness.deps.members.list(harness.workspaceId, filter, {
      limit: 10,
      offset: 0,
    });
    expect(total).toBe(0);
  });

  test('merging sums what both did, keeps the higher tier, and late events find the heir', async () => {
    await harness.levels();
    const [source, target, heir] = [newId(), newId(), newId()];
    const { made } = harness;
    const template = newId();
    const late = made.earned(source, 40);
    await harness.take(
      made.client(source),
      made.earned(source, 500),
      made.pass({ passId: newId(), clientId: source, templateId: template }),
    );
    await harness.take(made.client(target), made.earned(target, 100), made.client(heir));
    await harness.take(made.merged(source, target));
    expect((await told()).at(-1)).toEqual(['promoted', 'Silver', 'Gold']);
    expect(await harness.member(target)).toMatchObject({
      tier: { name: 'Gold' },
      templateIds: [template],
    });
    await harness.take(made.merged(target, heir), late);
    const member = await harness.member(heir);
    expect(member!.activity.lifetime.earned).toEqual({ points: 6_400_000 });
    expect(member).toMatchObject({ tier: { name: 'Gold' }, templateIds: [template] });
    expect(await harness.member(source)).toMatchObject({ state: 'merged', mergedInto: target });
  });

  test.each(['source', 'target'])(
    'merging keeps the higher tier, though the %s was given a lower one by hand',
    async (given) => {
      const { gold } = await harness.levels();
      const { deps, made, workspaceId: workspace_id } = harness;
      const fields = { name: 'Staff', sort_order: 0, kind: 'exclusive' };
      const staff = await createTier(deps, { workspace_id, ...fields });
      const ids = { source: newId(), target: newId() };
      const other = given === 'source' ? ids.target : ids.source;
      await harness.take(made.client(ids.source), made.client(ids.target), made.earned(other, 500));
      const client_id = given === 'source' ? ids.source : ids.target;
      await assignTier(deps, { workspace_id, client_id, tier_id: staff.id });
      await harness.take(made.merged(ids.source, ids.target));
      expect(await harness.member(ids.target)).toMatchObject({
        tier: { id: gold.id },
        assignment: null,
      });
    },
  );

  test('the history of a client merged into one that is deleted already goes, too', async () => {
    await harness.levels();
    const [source, target] = [newId(), newId()];
    const { made, workspaceId } = harness;
    await harness.take(made.client(source), made.earned(source, 500), made.client(target));
    const merge = made.merged(source, target);
    await harness.take(made.deleted(target));
    await harness.take(merge);
    for (const id of [source, target])
      expect(await harness.deps.history.list(workspaceId, id, 10)).toEqual([]);
  });

  test('a deleted workspace leaves nothing, and late events bring nothing back', async () => {
    await harness.levels();
    const id = newId();
    await harness.take(harness.made.client(id), harness.made.earned(id, 100));
    await removeWorkspace(harness.deps, harness.workspaceId);
    await harness.take(harness.made.client(id), harness.made.earned(id, 100));
    expect(await harness.member(id)).toBeNull();
    expect(await harness.deps.tierSets.find(harness.workspaceId)).toBeNull();
    expect(await harness.deps.tiers.list(harness.workspaceId)).toEqual([]);
    expect(await harness.deps.history.list(harness.workspaceId, id, 10)).toEqual([]);
  });
});

describe('passes', () => {
  test('say on which templates a client is, whatever the order', async () => {
    await harness.levels();
    const [ada, bob, pass, template, other] = [newId(), newId(), newId(), newId(), newId()];
    const { made } = harness;
    const ofAda = { passId: pass, clientId: ada, templateId: template };
    const ofBob = { passId: pass, clientId: bob, templateId: other };
    const created = made.pass(ofAda);
    const moved = made.pass(ofBob, 'updated');
    await harness.take(made.client(ada), made.client(bob));
    await harness.take(created);
    expect(await harness.member(ada)).toMatchObject({ templateIds: [template] });
    await harness.take(moved);
    expect(await harness.member(ada)).toMatchObject({ templateIds: [] });
    expect(await harness.member(bob)).toMatchObject({ templateIds: [other] });
    const filter = { tierIds: [], customFields: [], templateId: other };
    const page = { limit: 10, offset: 0 };
    const { members } = await harness.deps.members.list(harness.workspaceId, filter, page);
    expect(members.map((member) => member.id)).toEqual([bob]);
    const late = { ...made.pass(ofAda, 'updated'), time: created.time };
    await harness.take(late);
    expect(await harness.member(bob)).toMatchObject({ templateIds: [other] });
    await harness.take(made.pass(ofBob, 'deleted'));
    expect(await harness.member(ada)).toMatchObject({ templateIds: [] });
    expect(await harness.member(bob)).toMatchObject({ templateIds: [] });
  });

  test('are where they were put last, though a clock that was ahead had dated the state before', async () => {
    await harness.levels();
    const [ada, bob, passId, templateId] = [newId(), newId(), newId(), newId()];
    const { made } = harness;
    await harness.take(made.client(ada), made.client(bob));
    const ofAda = made.pass({ passId, clientId: ada, templateId });
    const ofBob = made.pass({ passId, clientId: bob, templateId }, 'updated');
    await harness.take(toldOf(ofAda, { minutes: 10, pass_revision: 1 }));
    await harness.take(toldOf(ofBob, { minutes: 0, pass_revision: 2 }));
    expect(await harness.member(ada)).toMatchObject({ templateIds: [] });
    expect(await harness.member(bob)).toMatchObject({ templateIds: [templateId] });
  });
});
