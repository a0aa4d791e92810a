import { createRemovals } from '@laurel/backend';
import type { ClientSnapshot, CloudEvent } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { workOffJob } from '@laurel/testing';
import { consumers } from '../consumers';
import {
  createHarness,
  type Harness,
  openDatabase,
  snapshotOf,
  trailEvent,
} from '../testing/harness';
import { completeReferral } from './complete-referral';
import { exportClient } from './export-client';
import { getClientReferral } from './get-client-referral';
import { getStats } from './get-stats';
import { listReferrals } from './list-referrals';

let database: Awaited<ReturnType<typeof openDatabase>>;
let harness: Harness;
beforeAll(async () => {
  database = await openDatabase();
});
beforeEach(() => {
  harness = createHarness(database.connections);
});
afterAll(() => database.drop());

type Client = ReturnType<Harness['client']>;

const here = () => ({ workspace_id: harness.workspaceId });
const list = async (more = {}) =>
  (await listReferrals(harness.deps, { ...here(), limit: 100, offset: 0, ...more })).referrals;
const only = async () => (await list())[0]!;
const tick = () => harness.clock.advanceMs(1_000);

const tellUpdated = (client: Client, more: Partial<ClientSnapshot>) => {
  tick();
  const snapshot = snapshotOf(client, more);
  harness.clients.records.set(client.id, snapshot as Client);
  const data = { client_id: client.id, client: snapshot, changed_fields: Object.keys(more) };
  return harness.event('clients.updated', data);
};
const update = (client: Client, more: Partial<ClientSnapshot>) =>
  harness.deliver(tellUpdated(client, more));
const anonymize = ({ id }: Client) => {
  tick();
  return harness.deliver(harness.event('clients.anonymized', { client_id: id }));
};
const remove = ({ id }: Client) => {
  harness.clients.records.delete(id);
  const data = { client_id: id, external_identities: [] };
  return harness.deliver(harness.event('clients.deleted', data));
};
const merge = (source: Client, target: Client) => {
  harness.clients.records.delete(source.id);
  const data = { source_client_id: source.id, target_client_id: target.id };
  return harness.deliver(harness.event('clients.merged', data));
};

describe('names', () => {
  test('follow the client, whatever the order in which news arrive', async () => {
    await harness.program();
    const referrer = harness.client();
    await harness.referral(referrer);
    const older = tellUpdated(referrer, { first_name: 'Bea' });
    await update(referrer, { first_name: 'Cleo', last_name: 'Doe', email: 'cleo@example.com' });
    await harness.deliver(older);
    expect((await only()).referrer).toEqual({
      first_name: 'Cleo',
      last_name: 'Doe',
      email: 'cleo@example.com',
    });
  });

  test('of a new client cost one write and no trace of the event, however often and in whatever order they come', async () => {
    const client = harness.client();
    const versions = ['Ada', 'Bea', 'Cleo'].map((first_name) =>
      tellUpdated(client, { first_name }),
    );
    const [oldest, , newest] = versions as [CloudEvent, CloudEvent, CloudEvent];
    await Promise.all([...versions, ...versions].map((event) => harness.deliver(event)));
    await harness.deliver(oldest);
    const names = await harness.deps.people.namesOf(harness.workspaceId, [client.id]);
    expect(names.get(client.id)?.first_name).toBe('Cleo');
    const handled = harness.deps.connection.collection<{ _id: string }>('inbox');
    expect(await handled.countDocuments({ _id: { $regex: newest.id } })).toBe(0);
  });

  test('of an anonymized client are gone, and no old event brings them back', async () => {
    await harness.program();
    const [referrer, referee] = [harness.client({ first_name: 'Zoe' }), harness.client()];
    await harness.referral(referrer, referee);
    const stale = tellUpdated(referrer, { first_name: 'Zoe' });
    await anonymize(referrer);
    await harness.deliver(stale);
    const nameless = { first_name: null, last_name: null, email: null };
    const row = await only();
    expect(row.referrer).toEqual(nameless);
    expect(row.referral?.referrer_client_id).toBe(referrer.id);
    expect(await list({ search: 'zoe' })).toEqual([]);
    expect(
      await harness.deps.connection
        .collection('people')
        .countDocuments({ ...here(), search_text: /zoe/ }),
    ).toBe(0);
  });

  test('are searched in any case, literally, on both sides, and the code with them', async () => {
    await harness.program();
    const referrer = harness.client({ first_name: 'Žofie', last_name: 'A.B' });
    await harness.referral(referrer, harness.client({ email: 'Max+1@Example.com' }));
    await harness.referral();
    const code = await harness.codeOf(referrer.id);
    for (const search of [
      'ZOFIE a.b',
      'max+1@EXAMPLE',
      code.toLowerCase(),
      ` ${code.slice(2, 7)} `,
    ]) {
      expect(await list({ search })).toHaveLength(1);
    }
    for (const search of ['a?b', '.*', 'nobody']) expect(await list({ search })).toEqual([]);
    expect(await list({ search: '  ' })).toHaveLength(2);
  });
});

describe('the list', () => {
  test('filters by status and by either client, and pages newest first', async () => {
    await harness.program();
    const [referrer, referee] = [harness.client(), harness.client()];
    const first = await harness.referral(referrer, referee);
    tick();
    const second = await harness.referral(referrer);
    tick();
    await harness.referral();
    await completeReferral(harness.deps, { ...here(), id: second });
    const ids = async (more: object) => (await list(more)).map(({ referral }) => referral!.id);
    expect(await ids({ referrer_client_id: referrer.id })).toEqual([second, first]);
    expect(await ids({ referee_client_id: referee.id })).toEqual([first]);
    expect(await ids({ status: 'completed' })).toEqual([second]);
    expect(await ids({ limit: 1, offset: 1 })).toEqual([second]);
    const page = await listReferrals(harness.deps, { ...here(), limit: 1, offset: 5 });
    expect(page).toEqual({ referrals: [], total: 3 });
  });

  test.each(['referrer_client_id', 'referee_client_id'])(
    'refuses a %s that names no client of the workspace',
    async (field) => {
      await expect(list({ [field]: newId() })).rejects.toMatchObject({
        code: 'INVALID_PAYLOAD',
        problems: [{ field }],
      });
    },
  );
});

describe('a client that is deleted', () => {
  test('leaves its rows without it, its code without an owner, and no event for its side', async () => {
    await harness.program();
    const [referrer, referee] = [harness.client(), harness.client()];
    const id = await harness.referral(referrer, referee);
    const code = await harness.codeOf(referrer.id);
    await remove(referrer);
    expect((await only()).referral).toMatchObject({ referrer_client_id: null, status: 'pending' });
    expect(await harness.enter(code, harness.client().id)).toEqual({ outcome: 'invalid_code' });
    await completeReferral(harness.deps, { ...here(), id });
    const told = await harness.told('referrals.referral_completed');
    expect(told.map(({ data }) => data)).toEqual([
      expect.objectContaining({ role: 'referee', client_id: referee.id, referrer_client_id: null }),
    ]);
  });

  test('on both sides still lets the referral be completed, silently', async () => {
    await harness.program();
    const [referrer, referee] = [harness.client(), harness.client()];
    const id = await harness.referral(referrer, referee);
    await remove(referrer);
    await remove(referee);
    const done = await completeReferral(harness.deps, { ...here(), id });
    expect(done).toMatchObject({ referrer_client_id: null, referee_client_id: null });
    expect(await harness.told('referrals.referral_completed')).toEqual([]);
  });

  test('is not remembered by an old event', async () => {
    await harness.program();
    const referee = harness.client({ first_name: 'Zoe' });
    await harness.referral(harness.client(), referee);
    const stale = tellUpdated(referee, { first_name: 'Zoe' });
    await remove(referee);
    await harness.deliver(stale);
    await anonymize(referee);
    const person = await harness.deps.people.find(harness.workspaceId, referee.id);
    expect(person?.ended).toBe('deleted');
    expect(await harness.deps.people.namesOf(harness.workspaceId, [referee.id])).toEqual(
      new Map([[referee.id, { first_name: null, last_name: null, email: null }]]),
    );
  });
});

describe('clients that are merged', () => {
  test('share codes, referrals and the count, and the old code still works', async () => {
    await harness.program({ max_referrals_per_referrer: 3 });
    const [source, target, referee] = [harness.client(), harness.client(), harness.client()];
    const [old, kept] = [await harness.codeOf(source.id), await harness.codeOf(target.id)];
    for (const each of [source, source, target]) {
      const id = await harness.referral(each);
      await completeReferral(harness.deps, { ...here(), id });
    }
    await harness.referral(source, referee);
    await merge(source, target);
    const mine = await getClientReferral(harness.deps, { ...here(), client_id: target.id });
    expect(mine).toMatchObject({ code: kept, stats: { pending: 1, completed: 3 } });
    expect(await harness.enter(old, harness.client().id)).toEqual({ outcome: 'referrer_at_cap' });
    tick();
    const purchase = trailEvent(harness, referee.id);
    await harness.deliver(harness.event('transaction.purchase', purchase));
    expect((await getStats(harness.deps, here())).completed).toBe(3);
  });

  test('lose a referral between them, with its event', async () => {
    await harness.program();
    const [one, other] = [harness.client(), harness.client()];
    await harness.referral(one, other);
    await merge(other, one);
    expect((await only()).referral).toMatchObject({
      status: 'cancelled',
      referrer_client_id: one.id,
      referee_client_id: null,
    });
    expect(await harness.told('referrals.referral_cancelled')).toHaveLength(1);
  });

  test.each(['referrer', 'referee'] as const)(
    'keep a referral between them that was completed, with its count, also where the %s becomes part of the other',
    async (goes) => {
      await harness.program({ max_referrals_per_referrer: 1 });
      const [referrer, referee] = [harness.client(), harness.client()];
      const id = await harness.referral(referrer, referee);
      await completeReferral(harness.deps, { ...here(), id });
      const [gone, stays] = goes === 'referrer' ? [referrer, referee] : [referee, referrer];
      await merge(gone, stays);
      expect((await only()).referral).toMatchObject({
        status: 'completed',
        referrer_client_id: stays.id,
        referee_client_id: null,
      });
      expect(await harness.told('referrals.referral_cancelled')).toEqual([]);
      expect((await getStats(harness.deps, here())).completed).toBe(1);
      const code = await harness.codeOf(stays.id);
      expect(await harness.enter(code, harness.client().id)).toEqual({
        outcome: 'referrer_at_cap',
      });
    },
  );

  test('keep one referral as referee, and a purchase that names the old client completes it', async () => {
    await harness.program();
    const [source, target] = [harness.client(), harness.client()];
    const older = await harness.referral(harness.client(), source);
    tick();
    await harness.referral(harness.client(), target);
    await merge(source, target);
    const rows = new Map((await list()).map(({ referral }) => [referral!.id, referral!]));
    expect([...rows.values()].map(({ status }) => status).sort()).toEqual(['cancelled', 'pending']);
    expect(rows.get(older)).toMatchObject({ status: 'pending', referee_client_id: target.id });
    tick();
    const purchase = trailEvent(harness, source.id);
    await harness.deliver(harness.event('transaction.purchase', purchase));
    expect((await getStats(harness.deps, here())).completed).toBe(1);
  });

  const bought = (client: Client, more: Partial<ReturnType<typeof trailEvent>> = {}) => {
    tick();
    return harness.event('transaction.purchase', trailEvent(harness, client.id, more));
  };
  const installed = (client: Client, more: Partial<ReturnType<typeof trailEvent>> = {}) => {
    const { client_metrics: _, ...event } = bought(client, more).data;
    const kind = { event_category: 'pass_lifecycle', event_type: 'pass_installed' };
    return harness.event('pass_lifecycle.pass_installed', { ...event, ...kind });
  };

  test.each([
    ['purchase', 'first_transaction', bought],
    ['installation', 'pass_install', installed],
  ] as const)(
    'have a referral completed by the first %s of the target, whether that or the merge is heard of first, and once',
    async (_, completion_criteria, done) => {
      for (const isMergeFirst of [false, true]) {
        harness = createHarness(database.connections);
        await harness.program({ completion_criteria });
        const [source, between, target] = [harness.client(), harness.client(), harness.client()];
        const referrer = harness.client();
        await harness.referral(referrer, source);
        const deed = done(target, { merged_clients: [source.id, between.id] });
        const hear = [
          () => harness.deliver(deed),
          async () => {
            await merge(between, target);
            await merge(source, between);
          },
        ];
        if (isMergeFirst) hear.reverse();
        for (const each of hear) await each();
        await harness.deliver(deed, harness.other);
        await harness.deliver(done(target, { merged_clients: [source.id, between.id] }));
        expect((await only()).referral).toMatchObject({
          status: 'completed',
          referee_client_id: target.id,
          qualifying_event_id: deed.data.id,
        });
        const told = await harness.told('referrals.referral_completed');
        expect(told.map(({ data }) => (data as { client_id: string }).client_id)).toEqual([
          referrer.id,
          target.id,
        ]);
      }
    },
  );

  test('have no referral of one of them by the other completed by a purchase that is heard of before the merge', async () => {
    await harness.program();
    const [source, target] = [harness.client(), harness.client()];
    await harness.referral(target, source);
    await harness.deliver(bought(target, { merged_clients: [source.id] }));
    await merge(source, target);
    expect((await only()).referral).toMatchObject({ status: 'cancelled' });
    expect(await harness.told('referrals.referral_completed')).toEqual([]);
  });

  test('have one of two referrals completed by a purchase that is heard of before the merge, the older one', async () => {
    await harness.program();
    const [source, target] = [harness.client(), harness.client()];
    const older = await harness.referral(harness.client(), source);
    tick();
    const younger = await harness.referral(harness.client(), target);
    await harness.deliver(bought(target, { merged_clients: [source.id] }));
    await merge(source, target);
    const rows = new Map((await list()).map(({ referral }) => [referral!.id, referral!.status]));
    expect([rows.size, rows.get(older), rows.get(younger)]).toEqual([2, 'completed', 'cancelled']);
  });

  test('have a referral completed by a purchase that names the source, though they are merged while it is looked up', async () => {
    await harness.program();
    const [source, target] = [harness.client(), harness.client()];
    await harness.referral(harness.client(), source);
    const { deps } = harness;
    let isFirst = true;
    const mergingAfter =
      <Asked extends unknown[], Found>(look: (...asked: Asked) => Promise<Found>) =>
      async (...asked: Asked): Promise<Found> => {
        const found = await look(...asked);
        if (isFirst) {
          isFirst = false;
          await merge(source, target);
        }
        return found;
      };
    const people = { ...deps.people, currentOf: mergingAfter(deps.people.currentOf) };
    const referrals = { ...deps.referrals, openAt: mergingAfter(deps.referrals.openAt) };
    await harness.deliver(bought(source), { ...deps, people, referrals });
    expect((await only()).referral).toMatchObject({
      status: 'completed',
      referee_client_id: target.id,
    });
  });

  test('leave nothing to who is gone, also where the target had become part of a third by then', async () => {
    await harness.program();
    const [source, target, heir] = [harness.client(), harness.client(), harness.client()];
    const code = await harness.codeOf(source.id);
    await harness.referral(source);
    await merge(target, heir);
    await remove(heir);
    await merge(source, target);
    expect((await only()).referral).toMatchObject({ referrer_client_id: null });
    const { codes, people } = harness.deps;
    expect(await codes.ownerOf(harness.workspaceId, code)).toBeNull();
    expect(await people.find(harness.workspaceId, source.id)).toMatchObject({ ended: 'deleted' });
    expect(await people.find(harness.workspaceId, heir.id)).toMatchObject({ completed: 0 });
  });

  test('cannot close a circle by it', async () => {
    await harness.program();
    const [a, b, c] = [harness.client(), harness.client(), harness.client()];
    const first = await harness.referral(a, b);
    const second = await harness.referral(b, c);
    await merge(c, a);
    const rows = new Map((await list()).map(({ referral }) => [referral!.id, referral!.status]));
    expect(rows).toEqual(
      new Map([
        [first, 'pending'],
        [second, 'cancelled'],
      ]),
    );
  });
});

test('the export of a person holds codes and referrals, and of others only ids', async () => {
  await harness.program();
  const [referrer, referee] = [harness.client(), harness.client({ first_name: 'Zoe' })];
  await harness.referral(referrer, referee);
  const reply = await exportClient(harness.deps, { ...here(), client_id: referrer.id });
  expect(reply.data).toMatchObject({
    codes: [{ code: await harness.codeOf(referrer.id) }],
    referrals: [{ referrer_client_id: referrer.id, referee_client_id: referee.id }],
  });
  expect(JSON.stringify(reply)).not.toContain('Zoe');
});

test('a client is called as they were called last, though a clock that was ahead had dated the state before', async () => {
  await harness.program();
  const referrer = harness.client();
  await harness.referral(referrer);
  const named = async (first_name: string, client_revision: number, aheadMs: number) => {
    const client = snapshotOf(referrer, { first_name });
    const data = { client_id: referrer.id, client, changed_fields: [], client_revision };
    const event = harness.event('clients.updated', data);
    const time = new Date(harness.clock.now().getTime() + aheadMs).toISOString();
    await harness.deliver({ ...event, time });
  };
  await named('Before', 2, 600_000);
  expect(await only()).toMatchObject({ referrer: { first_name: 'Before' } });
  await named('After', 3, 0);
  expect(await only()).toMatchObject({ referrer: { first_name: 'After' } });
  await named('Before', 2, 900_000);
  expect(await only()).toMatchObject({ referrer: { first_name: 'After' } });
});

test('what an event on its way brings back of a deleted workspace goes as well', async () => {
  const { deps, clock, workspaceId } = harness;
  const { consumers: table, job } = createRemovals(deps.connection, consumers(deps), clock);
  const left = () => deps.connection.collection('distributions').countDocuments(here());
  const gone = harness.event('identity.workspace_deleted', { workspace_id: workspaceId });
  const late = harness.event('passes.distribution_updated', {
    distribution_id: newId(),
    public_url: 'https://example.com/d/counter',
  });
  await harness.deliver(gone, deps, table);
  await harness.deliver(late, deps, table);
  expect(await left()).toBe(1);
  clock.advanceMs(3_600_000);
  await workOffJob([job], job.name);
  expect(await left()).toBe(0);
});

test('a workspace that is deleted leaves nothing behind', async () => {
  await harness.program();
  await harness.referral();
  const data = { workspace_id: harness.workspaceId };
  await harness.deliver(harness.event('identity.workspace_deleted', data));
  for (const name of ['programs', 'codes', 'referrals', 'people', 'distributions']) {
    expect(await harness.deps.connection.collection(name).countDocuments(here())).toBe(0);
  }
});
