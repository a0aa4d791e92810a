import type { PointsMoved } from '@laurel/events';
import { createEvent, findDefinition } from '@laurel/events';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { until } from '@laurel/testing';
import { ANONYMIZED_NAME } from '../domain/trail-event';
import { createHarness, type Harness } from '../testing/harness';
import { aggregateEvents } from './aggregate-events';
import { anonymizeClient } from './anonymize-client';
import { deleteEvents } from './delete-events';
import { getTransactionMetrics } from './get-transaction-metrics';
import { listEvents } from './list-events';
import { locatePasses } from './locate-passes';
import { mergeClients } from './merge-clients';
import { recordCustomEvent } from './record-custom-event';
import { recordDomainEvents } from './record-domain-events';
import { recordEngagement } from './record-engagement';
import { recordEvent, recordEvents } from './record-events';
import { recordTrail } from './record-trail';
import type { TrailedEvent } from './trailed-events';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

const page = { limit: 50, offset: 0 };

const purchase = (passId: string, overrides: Partial<api.NewEvent> = {}): api.NewEvent => ({
  pass_id: passId,
  event_category: 'transaction',
  event_type: 'purchase',
  amount: 12.5,
  currency: 'EUR',
  ...overrides,
});

const record = (event: api.NewEvent) =>
  recordEvent(harness.deps, { workspace_ids: [harness.workspaceId], event });

async function metricsOf(clientId: string) {
  const { metrics } = await getTransactionMetrics(harness.deps, {
    workspace_id: harness.workspaceId,
    client_ids: [clientId],
  });
  return metrics[0];
}

/** The catalogue's example of a type, about the given client. */
function told(
  type: 'loyalty.points_earned' | 'loyalty.points_spent',
  clientId: string,
): TrailedEvent {
  const example = structuredClone(findDefinition(type)!.example) as PointsMoved;
  example.entry.workspace_id = harness.workspaceId;
  const data = { ...example, client_id: clientId };
  return createEvent(type, { workspaceId: harness.workspaceId, subject: clientId, data });
}

const handle = (...events: TrailedEvent[]) =>
  unitOfWork(harness.deps.connection, (session) =>
    recordDomainEvents(harness.deps, events, session),
  );

describe('recording an event', () => {
  test('finds workspace and client by the pass, keeps the name, and tells of it', async () => {
    const client = await harness.client({ first_name: 'Ada', last_name: 'Example' });
    const passId = await harness.pass(client.id);
    const event = await record(purchase(passId, { external_id: 'order-1', metadata: { n: 1 } }));
    expect(event).toEqual({
      id: expect.any(String),
      workspace_id: harness.workspaceId,
      pass_id: passId,
      client_id: client.id,
      event_category: 'transaction',
      event_type: 'purchase',
      event_timestamp: '2026-01-15T10:00:00.000Z',
      source: 'api',
      external_id: 'order-1',
      metadata: { n: 1 },
      amount: 12.5,
      currency: 'EUR',
      field_name: null,
      old_value: null,
      new_value: null,
      client_name_snapshot: 'Ada Example',
    });
    const [message] = await harness.told('transaction.purchase');
    expect(message).toMatchObject({
      id: event.id,
      subject: client.id,
      data: { client_metrics: { transaction_count: 1, total_spending: 12.5 } },
    });
  });

  test('moves the client metrics exactly; a refund lowers spending only', async () => {
    const { id } = await harness.client();
    const passId = await harness.pass(id);
    for (let n = 0; n < 10; n += 1) await record(purchase(passId, { amount: 0.1 }));
    await record(purchase(passId, { event_type: 'refund', amount: 0.3 }));
    expect(await metricsOf(id)).toMatchObject({ transaction_count: 10, total_spending: 0.7 });
  });

  test('counts every purchase made at once', async () => {
    const { id } = await harness.client();
    const passId = await harness.pass(id);
    await Promise.all(Array.from({ length: 12 }, () => record(purchase(passId, { amount: 1 }))));
    expect(await metricsOf(id)).toMatchObject({ transaction_count: 12, total_spending: 12 });
  });

  test('gives a repeat of an external_id the stored event, also at once, and no further effect', async () => {
    const { id } = await harness.client();
    const passId = await harness.pass(id);
    const tries = await Promise.all(
      Array.from({ length: 6 }, () => record(purchase(passId, { external_id: 'order-1' }))),
    );
    expect(new Set(tries.map((event) => event.id)).size).toBe(1);
    expect(tries.filter(({ repeated }) => repeated)).toHaveLength(5);
    expect(await metricsOf(id)).toMatchObject({ transaction_count: 1, total_spending: 12.5 });
    expect(await harness.told('transaction.purchase')).toHaveLength(1);
  });

  test('writes what comes at once of many clients in few transactions, one operation once, and answers each for itself', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => harness.client()));
    const sessions = jest.spyOn(harness.deps.connection, 'startSession');
    const post = (client_id: string, operationId: string) =>
      runInContext(systemContext({ operationId, operationKept: true }), () =>
        recordCustomEvent(harness.deps, {
          workspace_id: harness.workspaceId,
          client_id,
          event_type: `visit of ${client_id}`,
        }),
      );
    const operations = people.map(({ id }) => ({ id, operation: newId() }));
    const post20 = () => Promise.all(operations.map(({ id, operation }) => post(id, operation)));
    const first = await post20();
    expect(sessions.mock.calls.length).toBeLessThan(10);
    sessions.mockRestore();
    expect(first.map((event) => event.event_type)).toEqual(
      people.map(({ id }) => `visit of ${id}`),
    );
    expect((await post20()).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    const { events } = await listEvents(harness.deps, {
      workspace_id: harness.workspaceId,
      ...page,
    });
    expect(events).toHaveLength(20);
  });

  test('gives a repeat of an external_id the stored event when its client was merged or its pass is gone, and others a no', async () => {
    const [{ id: client_id }, { id: target }] = [await harness.client(), await harness.client()];
    const [kept, gone] = [await harness.pass(client_id), await harness.pass(client_id)];
    const { workspaceId: workspace_id, deps } = harness;
    const custom = { workspace_id, client_id, event_type: 'quiz', external_id: 'a' };
    const ofPass = { workspace_id, pass_id: gone, event_type: 'quiz', external_id: 'b' };
    const bought = purchase(gone, { external_id: 'c' });
    const first = [
      await recordCustomEvent(deps, custom),
      await recordCustomEvent(deps, ofPass),
      await record(bought),
    ];
    await mergeClients(deps, {
      workspace_id,
      source_client_id: client_id,
      target_client_id: target,
    });
    const lost = { passId: gone, workspaceId: workspace_id, clientId: null, templateId: newId() };
    await unitOfWork(deps.connection, (session) =>
      deps.passes.remove(lost, { revision: null, at: harness.clock.now() }, session),
    );
    const again = [
      await recordCustomEvent(deps, custom),
      await recordCustomEvent(deps, ofPass),
      await record(bought),
    ];
    const ids = first.map(({ id }) => id);
    expect(again.map(({ id, repeated }) => [id, repeated])).toEqual(ids.map((id) => [id, true]));
    const batch = [purchase(gone), purchase(kept), bought, purchase(newId(), { external_id: 'c' })];
    const recorded = await recordEvents(deps, { workspace_ids: [workspace_id], events: batch });
    expect(recorded).toMatchObject({ created: 1, errors: [{ index: 0 }, { index: 3 }] });
    expect(recorded.events.map(({ id }) => id).slice(1)).toEqual([first[2]!.id]);
    for (const external_id of [undefined, 'd']) {
      const asked = recordCustomEvent(deps, { ...custom, external_id });
      await expect(asked).rejects.toMatchObject({ httpStatus: 400 });
      await expect(record({ ...bought, external_id })).rejects.toMatchObject({ httpStatus: 404 });
    }
    const [place] = (await locatePasses(deps, { pass_ids: [gone], with_gone: true })).passes;
    expect(place).toMatchObject({ pass_id: gone, workspace_id });
    expect((await locatePasses(deps, { pass_ids: [gone] })).passes).toEqual([]);
  });

  test('keeps the external_ids of two workspaces apart', async () => {
    const other = newId();
    const passes = [await harness.pass(null), await harness.pass(null, other)];
    const ids = await Promise.all(
      passes.map((passId) =>
        recordEvent(harness.deps, {
          workspace_ids: [harness.workspaceId, other],
          event: purchase(passId, { external_id: 'order-1' }),
        }),
      ),
    );
    expect(ids[0]?.id).not.toBe(ids[1]?.id);
  });

  test('takes a pass that was created a moment ago, before its event came', async () => {
    const { id } = await harness.client();
    const passId = harness.untoldPass(id);
    expect(await record(purchase(passId))).toMatchObject({ pass_id: passId, client_id: id });
    const visit = { workspace_id: harness.workspaceId, client_id: id, event_type: 'visit' };
    const engagement = await recordEngagement(harness.deps, { ...visit, pass_id: passId });
    expect(engagement).toMatchObject({ pass_id: passId });
  });

  test('does not ask again about a pass that is gone', async () => {
    const passId = harness.untoldPass(null);
    const gone = { passId, workspaceId: harness.workspaceId, clientId: null, templateId: newId() };
    await unitOfWork(harness.deps.connection, (session) =>
      harness.deps.passes.remove(gone, { revision: null, at: harness.clock.now() }, session),
    );
    await expect(record(purchase(passId))).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
  });

  test('treats a pass that the caller may not see as unknown', async () => {
    const foreign = await harness.pass(null, newId());
    for (const passId of [foreign, newId()]) {
      await expect(record(purchase(passId))).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
    }
  });

  test('refuses an engagement of a client or pass of another workspace', async () => {
    const { id } = await harness.client();
    const foreign = await harness.pass(null, newId());
    const request = { workspace_id: harness.workspaceId, client_id: id, event_type: 'visit' };
    await expect(
      recordEngagement(harness.deps, { ...request, client_id: newId() }),
    ).rejects.toMatchObject({ httpStatus: 400, problems: [{ field: 'client_id' }] });
    await expect(
      recordEngagement(harness.deps, { ...request, pass_id: foreign }),
    ).rejects.toMatchObject({ httpStatus: 400, problems: [{ field: 'pass_id' }] });
    const visit = await recordEngagement(harness.deps, request);
    expect(visit).toMatchObject({ event_category: 'engagement', source: 'api', metadata: {} });
    expect(await harness.told('engagement.visit')).toHaveLength(1);
  });

  test('takes a custom event of a hundred letters of any alphabet, and those who listen hear of it', async () => {
    const { id: client_id } = await harness.client();
    for (const event_type of ['名'.repeat(100), '😀'.repeat(50)]) {
      const custom = { workspace_id: harness.workspaceId, client_id, event_type };
      expect(await recordCustomEvent(harness.deps, custom)).toMatchObject({ event_type });
      expect(await harness.told(`custom.${event_type}`)).toHaveLength(1);
    }
  });

  test('finds the client of a custom event by its pass', async () => {
    const { id } = await harness.client();
    const passId = await harness.pass(id);
    const event = await recordCustomEvent(harness.deps, {
      workspace_id: harness.workspaceId,
      pass_id: passId,
      event_type: 'newsletter opened',
    });
    expect(event).toMatchObject({ event_category: 'custom', client_id: id });
    expect(await harness.told('custom.newsletter opened')).toHaveLength(1);
  });
});

describe('recording a batch', () => {
  test('keeps what it can, and counts repeats neither created nor failed', async () => {
    const { id } = await harness.client();
    const passId = await harness.pass(id);
    const stored = await record(purchase(passId, { external_id: 'a' }));
    const reply = await recordEvents(harness.deps, {
      workspace_ids: [harness.workspaceId],
      events: [
        purchase(passId, { external_id: 'a' }),
        purchase(newId()),
        purchase(passId, { external_id: 'b' }),
        purchase(passId, { external_id: 'b' }),
        purchase(passId),
      ],
    });
    expect(reply).toMatchObject({ created: 2, failed: 1 });
    expect(reply.errors).toEqual([{ index: 1, error: 'the pass does not exist' }]);
    expect(reply.events).toHaveLength(4);
    expect(reply.events[0]?.id).toBe(stored.id);
    expect(reply.events[1]?.id).toBe(reply.events[2]?.id);
    expect(await metricsOf(id)).toMatchObject({ transaction_count: 3 });
  });

  test('takes events whose source is left empty, and tells of them', async () => {
    const { id } = await harness.client();
    const passId = await harness.pass(id);
    const change = { event_category: 'field_change', event_type: 'field_updated' };
    const city = { ...change, field_name: 'city', new_value: 'Rome', source: '' };
    const reply = await recordEvents(harness.deps, {
      workspace_ids: [harness.workspaceId],
      events: [{ pass_id: passId, ...city }, purchase(passId, { source: '' })],
    });
    expect(reply).toMatchObject({
      created: 2,
      failed: 0,
      events: [{ source: '' }, { source: '' }],
    });
    const [told] = await harness.told('clients.field_change');
    expect(told?.data).toMatchObject({ field_name: 'city', new_value: 'Rome', source: 'api' });
  });

  test('tells of a change of a field when it happened and what came with it, as of all others', async () => {
    const passId = await harness.pass((await harness.client()).id);
    const said = {
      event_timestamp: '2025-12-01T08:00:00.000Z',
      external_id: 'crm-7',
      metadata: { reason: 'crm' },
    };
    const change = { event_category: 'field_change', event_type: 'field_updated' };
    const city = { ...change, field_name: 'city', new_value: 'Rome', ...said };
    await recordEvents(harness.deps, {
      workspace_ids: [harness.workspaceId],
      events: [{ pass_id: passId, ...city }],
    });
    const [told] = await harness.told('clients.field_change');
    expect(told?.data).toMatchObject(said);
  });

  const purchases = async (count: number) => {
    const passId = await harness.pass((await harness.client()).id);
    const other = await harness.pass((await harness.client()).id);
    return Array.from({ length: count }, (_, at) =>
      purchase(at % 2 === 0 ? passId : other, { external_id: `till-${at}` }),
    );
  };
  const batch = (events: api.NewEvent[], deps = harness.deps) =>
    recordEvents(deps, { workspace_ids: [harness.workspaceId], events });
  /** A store that does not take the event of that name. */
  const refusing = (externalId: string): typeof harness.deps => ({
    ...harness.deps,
    events: {
      ...harness.deps.events,
      insertAll: async (rows, session) => {
        if (rows.some(({ external_id }) => external_id === externalId)) throw new Error('no room');
        await harness.deps.events.insertAll(rows, session);
      },
    },
  });

  test('of many keeps all but the event that could not be written, and says which it was', async () => {
    const events = await purchases(250);
    const { created, failed, errors } = await batch(events, refusing('till-120'));
    expect([created, failed]).toEqual([249, 1]);
    expect(errors).toEqual([{ index: 120, error: 'the event could not be recorded' }]);
    const again = await batch(events.slice(100, 200));
    expect(again).toMatchObject({ created: 1, failed: 0 });
    const { total } = await listEvents(harness.deps, {
      workspace_id: harness.workspaceId,
      ...page,
    });
    expect(total).toBe(250);
  });

  test('that died on its way goes on under its Idempotency-Key and repeats nothing', async () => {
    const events = (await purchases(250)).map(({ external_id: _, ...event }) => event);
    const asked = systemContext({ operationId: newId(), operationKept: true });
    const dying = {
      ...harness.deps,
      events: {
        ...harness.deps.events,
        insertAll: async (...rows: Parameters<typeof harness.deps.events.insertAll>) => {
          if (inserts++ > 0) throw new Error('gone');
          await harness.deps.events.insertAll(...rows);
        },
      },
    };
    let inserts = 0;
    await runInContext(asked, () => batch(events, dying));
    const { created } = await runInContext(asked, () => batch(events));
    expect(created).toBe(250);
    const { total } = await listEvents(harness.deps, {
      workspace_id: harness.workspaceId,
      ...page,
    });
    expect(total).toBe(250);
  });

  test('is refused as a whole under a key that stands for another one, also where none of its events can be kept', async () => {
    const operationId = newId();
    const under = (fingerprint: string, events: api.NewEvent[]) =>
      runInContext(systemContext({ operationId, fingerprint, operationKept: true }), () =>
        batch(events),
      );
    const [first, second] = await purchases(2);
    const done = await under('first', [first!]);
    for (const others of [[], [second!]])
      await expect(under('other', others)).rejects.toMatchObject({
        code: 'CONFLICT',
        problems: [{ field: 'Idempotency-Key' }],
      });
    expect(await under('first', [first!])).toEqual(done);
  });

  test('that the time did not suffice for is done when it comes again under its key, with nothing twice', async () => {
    const events = await purchases(120);
    let isAway = false;
    const tiring: typeof harness.deps = {
      ...harness.deps,
      events: {
        ...harness.deps.events,
        insertAll: async (...[rows, session]: Parameters<typeof harness.deps.events.insertAll>) => {
          if (isAway) throw new Error('the store is away');
          await harness.deps.events.insertAll(rows, session);
          isAway = true;
        },
      },
    };
    const context = systemContext({ operationId: newId(), fingerprint: 'f', operationKept: true });
    const send = (deps: typeof harness.deps) => runInContext(context, () => batch(events, deps));
    expect(await send(tiring)).toMatchObject({ created: 100, failed: 20, unfinished: true });
    expect(await send(harness.deps)).toMatchObject({ created: 120, failed: 0, unfinished: false });
    const { total } = await listEvents(harness.deps, {
      workspace_id: harness.workspaceId,
      ...page,
    });
    expect(total).toBe(120);
  });

  test('is written in smaller pieces where others write about its clients all the time', async () => {
    const events = await purchases(250);
    const sizes: number[] = [];
    const busy = {
      ...harness.deps,
      events: {
        ...harness.deps.events,
        insertAll: async (...[rows, session]: Parameters<typeof harness.deps.events.insertAll>) => {
          sizes.push(rows.length);
          if (rows.length > 20) throw Object.assign(new Error('Write conflict'), { code: 112 });
          await harness.deps.events.insertAll(rows, session);
        },
      },
    };
    expect(await batch(events, busy)).toMatchObject({ created: 250, failed: 0 });
    expect(sizes.slice(0, 2)).toEqual([100, 25]);
  });

  test('that is small is written together with what comes one by one of the same clients, whose rows it would else never win', async () => {
    const [first, ...events] = await purchases(10);
    const sizes: number[] = [];
    let asked = 0;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const counting: typeof harness.deps = {
      ...harness.deps,
      passes: {
        ...harness.deps.passes,
        lookUp: async (ids) => {
          const found = await harness.deps.passes.lookUp(ids);
          asked += 1;
          return found;
        },
      },
      events: {
        ...harness.deps.events,
        insertAll: async (rows, session) => {
          sizes.push(rows.length);
          await begun;
          await harness.deps.events.insertAll(rows, session);
        },
      },
    };
    const one = (event: api.NewEvent) =>
      recordEvent(counting, { workspace_ids: [harness.workspaceId], event });
    const alone = one(first!);
    await until(() => sizes.length === 1);
    const few = batch(events.slice(0, 4), counting);
    const others = events.slice(4).map(one);
    await until(() => asked === 2 + others.length);
    // By the time that another one is through, those are in line.
    await harness.client();
    begin();
    await Promise.all([alone, ...others]);
    expect(await few).toMatchObject({ created: 4, failed: 0 });
    expect(sizes).toEqual([1, 4 + others.length]);
  });

  test('that takes too long is answered while somebody still listens, with what is left to send again', async () => {
    const events = await purchases(250);
    const now = Date.now;
    const clock = jest.spyOn(Date, 'now');
    const slow = {
      ...harness.deps,
      events: {
        ...harness.deps.events,
        insertAll: async (...[rows, session]: Parameters<typeof harness.deps.events.insertAll>) => {
          await harness.deps.events.insertAll(rows, session);
          clock.mockImplementation(() => now() + 59_000);
        },
      },
    };
    const context = systemContext({ deadlineAt: now() + 60_000 });
    const answered = await runInContext(context, () => batch(events, slow));
    clock.mockRestore();
    expect(answered).toMatchObject({ created: 100, failed: 150 });
    expect(answered.errors[0]).toMatchObject({
      index: 100,
      error: expect.stringMatching(/send it again/),
    });
  });

  test('says of each event what is known of it, though none could be written', async () => {
    const [lost] = await purchases(1);
    const unknown = purchase(newId());
    const away: typeof harness.deps = {
      ...harness.deps,
      events: {
        ...harness.deps.events,
        insertAll: async () => {
          throw Object.assign(new Error('the store stops'), { code: 91 });
        },
      },
    };
    const errorsOf = async (deps: typeof harness.deps) => {
      const { created, failed, errors } = await batch([unknown, lost!], deps);
      expect([created, failed]).toEqual([0, 2]);
      return errors.map(({ error }) => error);
    };
    const absent = 'the pass does not exist';
    expect(await errorsOf(refusing('till-0'))).toEqual([absent, 'the event could not be recorded']);
    expect(await errorsOf(away)).toEqual([absent, expect.stringMatching(/^whether .* not known/)]);
  });

  test('of which nothing could be written is a fault, for the sender to come again', async () => {
    const [first, ...others] = await purchases(3);
    await expect(batch([first!], refusing('till-0'))).rejects.toThrow('no room');
    const { created, errors } = await batch([first!, ...others], refusing('till-0'));
    expect([created, errors.map(({ index }) => index)]).toEqual([2, [0]]);
  });
});

describe('metrics until a moment', () => {
  test('leave out what happened later, and of one moment what has a higher id', async () => {
    const client = await harness.client();
    const passId = await harness.pass(client.id);
    const days = ['2026-01-01', '2026-01-02', '2026-01-02', '2026-01-03'];
    const written: api.Event[] = [];
    for (const [at, day] of days.entries())
      written.push(
        await record(
          purchase(passId, {
            amount: 10 ** at,
            event_type: at === 1 ? 'refund' : 'purchase',
            event_timestamp: `${day}T10:00:00.000Z`,
          }),
        ),
      );
    const until = async (day: string, until_id?: string) => {
      const { metrics } = await getTransactionMetrics(harness.deps, {
        workspace_id: harness.workspaceId,
        client_ids: [client.id],
        until: `${day}T10:00:00.000Z`,
        ...(until_id ? { until_id } : {}),
      });
      return [metrics[0]!.transaction_count, metrics[0]!.total_spending];
    };
    expect(await until('2025-12-31')).toEqual([0, 0]);
    expect(await until('2026-01-01')).toEqual([1, 1]);
    expect(await until('2026-01-02', written[1]!.id)).toEqual([1, -9]);
    expect(await until('2026-01-02')).toEqual([2, 91]);
    expect(await until('2026-01-03')).toEqual([3, 1091]);
    // Figures of all time outlive the events that they were made of.
    await deleteEvents(harness.deps, {
      workspace_id: harness.workspaceId,
      event_ids: [written[0]!.id],
    });
    expect(await until('2026-01-02')).toEqual([2, 91]);
  });
});

describe('the trail', () => {
  test('lists newest first and pages by cursor', async () => {
    const { id } = await harness.client();
    const passId = await harness.pass(id);
    for (const day of ['05', '02', '09', '02', '01']) {
      await record(purchase(passId, { event_timestamp: `2026-01-${day}T00:00:00.000Z` }));
    }
    const request = { workspace_id: harness.workspaceId, client_id: id };
    const whole = await listEvents(harness.deps, { ...request, ...page });
    expect(whole.events.map((event) => event.event_timestamp.slice(8, 10))).toEqual([
      '09',
      '05',
      '02',
      '02',
      '01',
    ]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const part = await listEvents(harness.deps, { ...request, limit: 2, offset: 0, cursor });
      seen.push(...part.events.map((event) => event.id));
      cursor = part.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(whole.events.map((event) => event.id));
  });

  test('deletes only what belongs to the workspace, and tells of it', async () => {
    const mine = await record(purchase(await harness.pass(null)));
    const other = newId();
    const event = purchase(await harness.pass(null, other));
    const theirs = await recordEvent(harness.deps, { workspace_ids: [other], event });
    const event_ids = [mine.id, theirs.id, newId()];
    const request = { workspace_id: harness.workspaceId, event_ids };
    expect(await deleteEvents(harness.deps, request)).toEqual({ deleted: 1 });
    expect(await deleteEvents(harness.deps, request)).toEqual({ deleted: 0 });
    const deleted = await harness.told('events.deleted');
    expect(deleted.map((one) => one.data)).toEqual([{ event_ids: [mine.id] }]);
  });

  test('takes in what the ledger did, once, and publishes nothing again', async () => {
    const { id } = await harness.client({ first_name: 'Ada' });
    const earned = told('loyalty.points_earned', id);
    await handle(earned);
    await handle(earned);
    const { events } = await listEvents(harness.deps, {
      workspace_id: harness.workspaceId,
      client_id: id,
      ...page,
    });
    expect(events).toMatchObject([
      {
        id: earned.id,
        event_category: 'loyalty',
        event_type: 'points_earned',
        amount: 25,
        client_name_snapshot: 'Ada',
        metadata: { points_delta: 25, wallet_type_code: 'points' },
      },
    ]);
    expect((await harness.told()).map((event) => event.type)).toEqual(['clients.created']);
  });

  test('takes in what other services tell, once however often it comes', async () => {
    const { id } = await harness.client({ first_name: 'Ada' });
    const passId = await harness.pass(id);
    const entry = {
      id: newId(),
      pass_id: passId,
      event_category: 'pass_lifecycle',
      event_type: 'pass_installed',
      source: 'passes',
    };
    const request = { workspace_id: harness.workspaceId, entries: [entry, entry] };
    const tries = await Promise.all([
      recordTrail(harness.deps, request),
      recordTrail(harness.deps, request),
    ]);
    expect(tries.map(({ recorded }) => recorded).sort()).toEqual([0, 1]);
    const told = await harness.told('pass_lifecycle.pass_installed');
    expect(told).toMatchObject([{ id: entry.id, data: { client_id: id, pass_id: passId } }]);
  });

  test('takes no event of before our era in, by whatever way it comes', async () => {
    const { workspaceId: workspace_id } = harness;
    const { id: client_id } = await harness.client();
    const early = {
      event_category: 'transaction',
      event_type: 'purchase',
      amount: 1,
      source: 'till',
    };
    const entry = {
      ...early,
      id: newId(),
      client_id,
      event_timestamp: '0000-01-01T00:00:00+14:00',
    };
    const refused = { code: 'INVALID_PAYLOAD', problems: [{ field: 'event_timestamp' }] };
    const record = recordTrail(harness.deps, { workspace_id, entries: [entry] });
    await expect(record).rejects.toMatchObject(refused);
    const { total } = await listEvents(harness.deps, { workspace_id, ...page });
    expect(total).toBe(0);
  });

  test('keeps to itself what it is asked to publish nowhere', async () => {
    const { id: client_id } = await harness.client();
    const entry = { id: newId(), client_id, event_category: 'custom', event_type: 'note' };
    const { workspaceId: workspace_id } = harness;
    const source = `campaign:${newId()}`;
    const request = { workspace_id, entries: [{ ...entry, source, untold: true }] };
    await recordTrail(harness.deps, request);
    await recordTrail(harness.deps, request);
    const { events, total } = await listEvents(harness.deps, { workspace_id, source, ...page });
    expect(events).toMatchObject([{ id: entry.id, source, event_type: 'note' }]);
    expect(total).toBe(1);
    expect(await harness.told('custom.note')).toEqual([]);
  });

  test('takes in events of several workspaces and clients at once, each in its own trail', async () => {
    const [ada, bob] = [await harness.client({ first_name: 'Ada' }), await harness.client()];
    const elsewhere = { ...told('loyalty.points_earned', newId()), workspaceid: newId() };
    const known = told('loyalty.points_earned', ada.id);
    await handle(known);
    await handle(
      known,
      told('loyalty.points_spent', ada.id),
      elsewhere,
      told('loyalty.points_earned', bob.id),
    );
    const trailOf = async (workspace_id: string, client_id?: string) => {
      const query = { workspace_id, ...(client_id ? { client_id } : {}), ...page };
      const { events } = await listEvents(harness.deps, query);
      return events.map(({ event_type, client_name_snapshot }) => [
        event_type,
        client_name_snapshot,
      ]);
    };
    expect((await trailOf(harness.workspaceId, ada.id)).sort()).toEqual([
      ['points_earned', 'Ada'],
      ['points_spent', 'Ada'],
    ]);
    expect(await trailOf(harness.workspaceId, bob.id)).toEqual([['points_earned', null]]);
    expect(await trailOf(elsewhere.workspaceid)).toEqual([['points_earned', null]]);
  });

  test('writes no name for an erased client, however old the event', async () => {
    const { id } = await harness.client({ first_name: 'Ada' });
    const passId = await harness.pass(id);
    const old = told('loyalty.points_earned', id);
    await anonymizeClient(harness.deps, { workspace_id: harness.workspaceId, id });
    await handle(old);
    await record({
      pass_id: passId,
      event_category: 'field_change',
      event_type: 'field_updated',
      field_name: 'first_name',
      old_value: 'Ada',
      new_value: 'Grace',
    });
    const { events } = await listEvents(harness.deps, {
      workspace_id: harness.workspaceId,
      client_id: id,
      ...page,
    });
    expect(JSON.stringify(events)).not.toMatch(/Ada|Grace/);
    expect(new Set(events.map((event) => event.client_name_snapshot))).toEqual(
      new Set([ANONYMIZED_NAME]),
    );
    expect(JSON.stringify((await harness.told('clients.field_change')).at(-1))).not.toMatch(
      /Grace/,
    );
  });
});

test('somebody may buy more in all than one purchase can be', async () => {
  const { id } = await harness.client();
  const pass = await harness.pass(id);
  for (let count = 0; count < 3; count += 1)
    await record(purchase(pass, { amount: 100_000_000_000, currency: 'IDR' }));
  expect(await metricsOf(id)).toMatchObject({ transaction_count: 3, total_spending: 3e11 });
  await record(purchase(pass, { event_type: 'refund', amount: 1, currency: 'IDR' }));
  expect(await metricsOf(id)).toMatchObject({ total_spending: 299_999_999_999 });
});

describe('aggregating events', () => {
  const aggregate = (request: Partial<api.AggregateEventsRequest>) =>
    aggregateEvents(harness.deps, {
      workspace_id: harness.workspaceId,
      function: 'count',
      ...request,
    });

  async function threePurchases() {
    const { id } = await harness.client();
    const passes = [await harness.pass(id), await harness.pass(id)] as const;
    const at = (day: string) => ({ event_timestamp: `${day}T12:00:00.000Z` });
    await record(purchase(passes[0], { amount: 0.1, ...at('2026-01-14') }));
    await record(purchase(passes[0], { amount: 0.2, ...at('2026-01-05') }));
    await record(purchase(passes[1], { amount: 0.4, ...at('2025-12-31') }));
    await record({
      pass_id: passes[0],
      event_category: 'engagement',
      event_type: 'visit',
      ...at('2026-01-14'),
    });
    return passes;
  }

  test('computes each function exactly', async () => {
    await threePurchases();
    const value = async (name: string) =>
      (await aggregate({ function: name, field: 'amount' })).results[0]?.value;
    expect(await value('count')).toBe(4);
    expect(await value('sum')).toBe(0.7);
    expect(await value('avg')).toBe(0.2333);
    expect(await value('min')).toBe(0.1);
    expect(await value('max')).toBe(0.4);
  });

  test('adds up one currency, however it was written, and not several together', async () => {
    const { id } = await harness.client();
    const passId = await harness.pass(id);
    const told = await record(purchase(passId, { amount: 12.34, currency: 'eur' }));
    expect(told.currency).toBe('EUR');
    await record(purchase(passId, { amount: 30, currency: 'USD' }));
    await record(purchase(passId, { amount: 1, currency: 'EUR' }));
    const sum = async (currency: string) =>
      (await aggregate({ function: 'sum', field: 'amount', currency })).results[0]?.value;
    expect([await sum('EUR'), await sum('usd'), await sum('CHF')]).toEqual([13.34, 30, 0]);
  });

  test('answers an empty selection with 0, or null where there is nothing to take it of', async () => {
    const value = async (name: string) =>
      (await aggregate({ function: name, field: 'amount' })).results[0]?.value;
    expect([await value('count'), await value('sum')]).toEqual([0, 0]);
    expect([await value('avg'), await value('min'), await value('max')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('looks back over windows, days and explicit dates', async () => {
    await threePurchases();
    const count = async (request: Partial<api.AggregateEventsRequest>) =>
      (await aggregate({ event_types: ['purchase'], ...request })).results[0]?.value;
    expect(await count({ time_window: 'day' })).toBe(1);
    expect(await count({ time_window: 'week' })).toBe(1);
    expect(await count({ time_window: 'month' })).toBe(3);
    expect(await count({ time_window: 'all_time' })).toBe(3);
    expect(await count({ custom_days: 11 })).toBe(2);
    expect(await count({ from_date: '2026-01-01T00:00:00.000Z' })).toBe(2);
    expect(await count({ to_date: '2025-12-31T23:59:59.999Z' })).toBe(1);
  });

  test('groups by pass and by time, weeks starting on Monday', async () => {
    const passes = await threePurchases();
    const request = { function: 'sum', field: 'amount', event_category: 'transaction' };
    const perPass = await aggregate({ ...request, group_by_pass: true });
    expect(new Map(perPass.results.map(({ pass_id, value }) => [pass_id, value]))).toEqual(
      new Map([
        [passes[0], 0.3],
        [passes[1], 0.4],
      ]),
    );
    const perWeek = await aggregate({ ...request, group_by_time: 'week' });
    expect(perWeek.results[0]?.buckets).toEqual([
      { date: '2025-12-29', value: 0.4 },
      { date: '2026-01-05', value: 0.2 },
      { date: '2026-01-12', value: 0.1 },
    ]);
    const perMonth = await aggregate({ ...request, group_by_time: 'month' });
    expect(perMonth.results[0]?.buckets.map(({ date }) => date)).toEqual([
      '2025-12-01',
      '2026-01-01',
    ]);
  });

  test('groups by time though an event of before our era is there from earlier', async () => {
    await threePurchases();
    const { events } = await listEvents(harness.deps, {
      workspace_id: harness.workspaceId,
      ...page,
    });
    const oldest = events.at(-1)!;
    await harness.deps.connection
      .collection<{ _id: string }>('events')
      .updateOne({ _id: oldest.id }, { $set: { event_timestamp: new Date(-62_200_000_000_000) } });
    const request = { event_category: 'transaction', group_by_time: 'day' };
    for (const more of [{}, { to_date: '2026-02-01T00:00:00.000Z' }]) {
      const { results } = await aggregate({ ...request, ...more });
      expect(results[0]?.buckets.map(({ date }) => date)).toEqual(['2026-01-05', '2026-01-14']);
    }
    expect((await aggregate({ event_category: 'transaction' })).results[0]?.value).toBe(3);
  });

  test('refuses ids that name no pass of the workspace, each at its place, but not those of passes that are gone', async () => {
    const passes = await threePurchases();
    const stranger = newId();
    const gone = newId();
    await harness.deps.connection
      .collection('events')
      .insertOne({ _id: newId() as never, workspace_id: harness.workspaceId, pass_id: gone });
    const asking = (pass_ids: string[]) => aggregate({ pass_ids });
    await expect(asking([passes[0], stranger, gone, newId()])).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      problems: [{ field: 'pass_ids.1' }, { field: 'pass_ids.3' }],
    });
    await expect(asking([passes[0], passes[1], gone])).resolves.toBeTruthy();
    const foreign = { workspace_id: newId(), pass_ids: [passes[0]] };
    await expect(aggregate(foreign)).rejects.toMatchObject({ httpStatus: 400 });
  });

  test('adds up what the ledger moved, signed', async () => {
    const { id } = await harness.client();
    await handle(told('loyalty.points_earned', id));
    await handle(told('loyalty.points_spent', id));
    const request = { function: 'sum', event_category: 'loyalty' };
    const delta = await aggregate({ ...request, field: 'points_delta' });
    expect(delta.results[0]?.value).toBe(-15);
    const spent = await aggregate({ ...request, field: 'amount', event_types: ['points_spent'] });
    expect(spent.results[0]?.value).toBe(40);
  });
});
