import { Refusal } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { removeWorkspace } from '@laurel/mongo';
import { atEveryCall, mortal, underOneKey, until } from '@laurel/testing';
import { failing, IntegrationBench } from '../../testing/integration-bench';
import { deleteIntegration } from '../integration/delete-integration';
import { getIntegration } from '../integration/read-integrations';
import { cancelTransactionImport } from './cancel-transaction-import';
import { getImport, listImports } from './read-imports';
import { startImport } from './start-import';

let root: IntegrationBench;
let bench: IntegrationBench;

beforeAll(async () => {
  root = await IntegrationBench.open();
});
beforeEach(async () => {
  bench = root.inNewWorkspace();
  await configure();
});
afterEach(() => removeWorkspace(bench.deps, bench.workspaceId));
afterAll(() => root.store.drop());

const range = { date_from: '2026-01-01', date_to: '2026-01-31', location_ids: [1] };
const configure = () =>
  bench.put('pos', {
    config: { base_url: 'https://till.example', location_ids: [1] },
    secrets: { api_key: 'key' },
  });
const about = () => ({ workspace_id: bench.workspaceId, provider: 'pos' });
const start = () => startImport(bench.deps, { ...about(), parameters: range });
const read = (id: string) => getImport(bench.deps, { ...about(), id });
const records = () => bench.store.connection.collection('import_records');

/** A till with so many sales to one client, in pages. */
function till(count: number, { pageSize = 3, email = bench.clients.add().email } = {}) {
  const sales = Array.from({ length: count }, (_, id) => ({
    id,
    type: 'purchase',
    amount: 2,
    currency: 'EUR',
    created_at: '2026-01-05T09:00:00Z',
    location_id: 1,
    customer: { email },
  }));
  bench.respond = ({ url }) => {
    const from = Number(new URL(url).searchParams.get('cursor') ?? 0);
    const next = from + pageSize < count ? String(from + pageSize) : null;
    const json = { data: sales.slice(from, from + pageSize), total: count, next_cursor: next };
    return { status: 200, error: null, retryAfterMs: null, json: json as never };
  };
}

it('answers the repeat of an order as the first time, though the integration is gone by then', async () => {
  let order = start;
  const ordered = underOneKey(() => order());
  const first = await ordered();
  const deps = {
    ...bench.deps,
    integrations: { ...bench.deps.integrations, get: async () => null },
  };
  const later = () => startImport(deps, { ...about(), parameters: range });
  await expect(later()).rejects.toMatchObject({ httpStatus: 404 });
  order = later;
  expect(await ordered()).toEqual(first);
});

describe('an import', () => {
  it.each(['before', 'after'] as const)(
    'ends with exact figures and every sale once, wherever the worker dies: %s each of its calls',
    async (when) => {
      const calls = await atEveryCall(when, async (death) => {
        bench = root.inNewWorkspace();
        await configure();
        till(7);
        const { id } = await start();
        const process = mortal(bench.store.connection, death);
        const deps = bench.depsOn(process.connection, process.peer);
        process.arm();
        await Promise.race([bench.workImport(deps), process.died]);
        await bench.outlastLeases();
        while (await bench.workImport());
        expect(await read(id)).toMatchObject({
          status: 'completed',
          fetch_total: 7,
          fetch_done: 7,
          processed_count: 7,
          imported_count: 7,
          error_log: [],
        });
        expect(bench.clients.recorded).toBe(7);
        await removeWorkspace(bench.deps, bench.workspaceId);
        return !process.isDead();
      });
      expect(calls).toBeGreaterThan(15);
    },
  );

  it('counts what another one has brought in as processed, not as imported', async () => {
    till(5);
    const [first, second] = [await start(), await start()];
    while (await bench.workImport());
    const counts = [await read(first.id), await read(second.id)].map(
      ({ imported_count }) => imported_count,
    );
    expect(counts.sort()).toEqual([0, 5]);
    expect(bench.clients.recorded).toBe(5);
    expect(await records().countDocuments({ workspace_id: bench.workspaceId })).toBe(0);
  });

  it('has a sale that no store takes among its errors, and takes the others', async () => {
    till(6);
    const honest = bench.respond;
    const deep = JSON.parse(`${'['.repeat(250)}${']'.repeat(250)}`);
    const hostile = [
      { metadata: { a: [{ _bsontype: 'x' }] } },
      { note: 'x\0' },
      { metadata: { deep } },
      { 'a\0b': 1 },
    ];
    bench.respond = async (call) => {
      const answer = await honest(call);
      const { data, ...page } = answer.json as { data: { id: number }[] };
      const sent = data.map((sale) => ({ ...sale, ...hostile[sale.id - 1] }));
      return { ...answer, json: { ...page, data: sent } as never };
    };
    const { id } = await start();
    await bench.workImport();
    const { status, imported_count, error_log } = await read(id);
    expect([status, imported_count]).toEqual(['completed', 2]);
    expect(error_log).toEqual([
      {
        transaction_id: '1',
        message: 'the transaction cannot be kept: metadata.a.0._bsontype is a forbidden key',
      },
      {
        transaction_id: '2',
        message: expect.stringContaining('note must not hold null characters'),
      },
      {
        transaction_id: '3',
        message: 'the transaction cannot be kept: is nested deeper than 20 levels',
      },
      {
        transaction_id: '4',
        message: expect.stringContaining('must not hold null characters'),
      },
    ]);
  });

  it.each([
    ['is refused', 'INVALID_PAYLOAD', 400, 'amount is too much'],
    ['fails again and again', 'INTERNAL_ERROR', 500, 'the sale could not be recorded'],
  ])(
    'has a sale that %s among its errors, and takes the others',
    async (_, code, httpStatus, message) => {
      till(7, { pageSize: 7 });
      const { clients } = bench;
      const record = clients.RecordTrail.bind(clients);
      clients.RecordTrail = async (request) => {
        if (request.entries.some(({ external_id }) => external_id?.endsWith('4')))
          throw new Refusal({ code, httpStatus }, [{ message: 'amount is too much' }]);
        return record(request);
      };
      const { id } = await start();
      for (let tries = 0; tries < 7; tries += 1) {
        await bench.workImport();
        bench.clock.advanceMs(120_000);
      }
      expect(await read(id)).toMatchObject({
        status: 'completed',
        processed_count: 7,
        imported_count: 6,
        error_log: [{ transaction_id: '4', message }],
      });
      expect(bench.clients.recorded).toBe(6);
    },
  );

  describe('of a shop where few customers show a card', () => {
    /** Of 250 sales in batches of a hundred these are of somebody. */
    const KNOWN = [4, 150, 240];
    const anonymous = ({ count = 250, known = KNOWN } = {}) => {
      till(count, { pageSize: 1_000 });
      const honest = bench.respond;
      bench.respond = async (call) => {
        const answer = await honest(call);
        const { data, ...page } = answer.json as { data: { id: number }[] };
        const sent = data.map((sale) =>
          known.includes(sale.id) ? sale : { ...sale, customer: null },
        );
        return { ...answer, json: { ...page, data: sent } as never };
      };
    };
    const failingAt = (ids: readonly number[]) => {
      const { clients } = bench;
      const record = clients.RecordTrail.bind(clients);
      clients.RecordTrail = async (request) => {
        if (
          request.entries.some(({ external_id }) => ids.some((id) => external_id === `pos:${id}`))
        )
          throw new Refusal({ code: 'INTERNAL_ERROR', httpStatus: 500 }, [{ message: 'a fault' }]);
        return record(request);
      };
    };
    const workThrough = async () => {
      const { id } = await start();
      for (let tries = 0; tries < 7; tries += 1) {
        await bench.workImport();
        bench.clock.advanceMs(120_000);
      }
      return read(id);
    };

    it.each(KNOWN)(
      'has the sale %i that fails among its errors though it is alone in its batch, and takes the others',
      async (id) => {
        anonymous();
        failingAt([id]);
        expect(await workThrough()).toMatchObject({
          status: 'completed',
          processed_count: 250,
          imported_count: 2,
          error_log: [{ transaction_id: String(id), message: 'the sale could not be recorded' }],
        });
      },
    );

    it('has the one that fails at its end among its errors, too, where all others were there before', async () => {
      anonymous();
      failingAt([240]);
      for (const imported_count of [2, 0])
        expect(await workThrough()).toMatchObject({
          status: 'completed',
          processed_count: 250,
          imported_count,
          error_log: [{ transaction_id: '240', message: 'the sale could not be recorded' }],
        });
    });

    it('reads on for others than one that fails no further than five thousand sales at a time', async () => {
      anonymous({ count: 5_400, known: [4, 150, 5_350] });
      failingAt([150]);
      const advance = jest.spyOn(bench.deps.importJobs, 'advance');
      expect(await workThrough()).toMatchObject({
        status: 'completed',
        processed_count: 5_400,
        imported_count: 2,
        error_log: [{ transaction_id: '150', message: 'the sale could not be recorded' }],
      });
      const steps = advance.mock.calls.map(([, { processed }]) => processed);
      advance.mockRestore();
      expect(Math.max(...steps)).toBe(5_000);
    });

    it('fails where ten in a row cannot be recorded, however many sales lie between them', async () => {
      const early = [150, 250, 350, 450, 550];
      const late = [5_250, 5_350, 5_450, 5_550, 5_650];
      anonymous({ count: 5_700, known: [4, ...early, ...late] });
      failingAt([...early, ...late]);
      const { id } = await start();
      for (let tries = 0; tries < 14; tries += 1) {
        await bench.workImport();
        bench.clock.advanceMs(120_000);
      }
      expect(await read(id)).toMatchObject({
        status: 'failed',
        imported_count: 1,
        error_log: [
          ...early.map((sale) => ({ transaction_id: String(sale) })),
          { transaction_id: '', message: 'the import could not be continued' },
        ],
      });
    });

    it('fails where none of them can be recorded, with none passed over', async () => {
      anonymous();
      failingAt(KNOWN);
      expect(await workThrough()).toMatchObject({
        status: 'failed',
        processed_count: 0,
        error_log: [{ transaction_id: '', message: 'the import could not be continued' }],
      });
    });
  });

  it('fails where no sale can be recorded, with none passed over, and takes all when it is started again', async () => {
    till(7, { pageSize: 7 });
    const { clients } = bench;
    const record = clients.RecordTrail.bind(clients);
    clients.RecordTrail = async () => {
      throw new Refusal({ code: 'INTERNAL_ERROR', httpStatus: 500 }, [{ message: 'a fault' }]);
    };
    const { id } = await start();
    for (let tries = 0; tries < 7; tries += 1) {
      await bench.workImport();
      bench.clock.advanceMs(120_000);
    }
    expect(await read(id)).toMatchObject({
      status: 'failed',
      processed_count: 0,
      error_log: [{ transaction_id: '', message: 'the import could not be continued' }],
    });
    clients.RecordTrail = record;
    const again = await start();
    await bench.workImport();
    expect(await read(again.id)).toMatchObject({ status: 'completed', imported_count: 7 });
    expect(clients.recorded).toBe(7);
  });

  it('hears a till that repeats itself once', async () => {
    till(5);
    const honest = bench.respond;
    bench.respond = async (call) => {
      const answer = await honest(call);
      const page = answer.json as { data: object[] };
      return { ...answer, json: { ...page, data: [...page.data, ...page.data] } as never };
    };
    const { id } = await start();
    await bench.workImport();
    expect(await read(id)).toMatchObject({ fetch_done: 5, processed_count: 5, imported_count: 5 });
  });

  it('asks a till that is away again a few times, from the page it was at, and then fails', async () => {
    till(7);
    const honest = bench.respond;
    let away = true;
    bench.respond = (call) => (away && call.url.includes('cursor=3') ? failing(503) : honest(call));
    const { id } = await start();
    await bench.workImport();
    expect(await read(id)).toMatchObject({ status: 'running', phase: 'fetching', fetch_done: 3 });
    expect(await bench.workImport()).toBe(false);
    bench.clock.advanceMs(1_000);
    away = false;
    await bench.workImport();
    expect(await read(id)).toMatchObject({ status: 'completed', imported_count: 7 });
    expect(bench.calls.filter(({ url }) => !url.includes('cursor'))).toHaveLength(1);
    away = true;
    const doomed = await start();
    for (let count = 0; count < 7; count += 1) {
      await bench.workImport();
      bench.clock.advanceMs(120_000);
    }
    expect(await read(doomed.id)).toMatchObject({
      status: 'failed',
      error_log: [{ transaction_id: '', message: 'answered 503' }],
    });
  });

  it.each([
    ['no JSON', undefined],
    ['another shape', { rows: [] }],
    ['a sale without an id', { data: [{ amount: 1 }] }],
  ])('fails at once when the till answers with %s', async (_, json) => {
    bench.respond = () => ({
      status: 200,
      error: null,
      retryAfterMs: null,
      ...(json ? { json: json as never } : {}),
    });
    const { id } = await start();
    await bench.workImport();
    expect(await read(id)).toMatchObject({ status: 'failed', error_log: [{ transaction_id: '' }] });
  });

  it.each([
    [
      'a page of more than a thousand sales',
      { json: { data: Array.from({ length: 1_001 }, (_, id) => ({ id })) } },
      'more than 1000 transactions',
    ],
    [
      'a sale whose id is very long',
      { json: { data: [{ id: 'x'.repeat(201) }] } },
      '200 characters',
    ],
    [
      'a very long cursor',
      { json: { data: [], next_cursor: 'x'.repeat(2_001) } },
      '2000 characters',
    ],
    ['a page that nothing has room for', { isTooLarge: true as const }, 'larger than 8 MiB'],
  ])(
    'fails at once, and names the limit, when the till answers with %s',
    async (_, answer, limit) => {
      bench.respond = () => ({
        status: 200,
        error: null,
        retryAfterMs: null,
        ...(answer as object),
      });
      const { id } = await start();
      await bench.workImport();
      expect(await read(id)).toMatchObject({
        status: 'failed',
        error_log: [{ transaction_id: '', message: expect.stringContaining(limit) }],
      });
      expect(bench.calls[0]).toMatchObject({ jsonBytesMax: 8 * 1024 * 1024 });
    },
  );

  it.each([
    ['500000 transactions', { pages: 1, fetch_done: 499_999 }],
    ['20000 pages', { pages: 20_000, fetch_done: 3 }],
    ['1 GiB', { pages: 1, fetch_done: 3, fetched_bytes: 1024 ** 3 }],
  ])('fails once it has fetched more than %s, and keeps nothing of it', async (limit, fetched) => {
    till(9);
    const { id } = await start();
    const jobs = bench.store.connection.collection<{ _id: string }>('import_jobs');
    await jobs.updateOne({ _id: id }, { $set: { ...fetched, cursor: '3' } });
    await bench.workImport();
    const message = expect.stringContaining(`at most ${limit}: import a shorter range`);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      error_log: [{ transaction_id: '', message }],
    });
    expect(bench.calls).toHaveLength(1);
    expect(await records().countDocuments({ job_id: id })).toBe(0);
    expect(await getIntegration(bench.deps, about())).toMatchObject({ last_error: message });
  });

  it('fails at its first page where the till says that there is more than it takes', async () => {
    till(9);
    const honest = bench.respond;
    bench.respond = async (call) => {
      const answer = await honest(call);
      return { ...answer, json: { ...(answer.json as object), total: 500_001 } as never };
    };
    const { id } = await start();
    await bench.workImport();
    const message = expect.stringContaining('500000 transactions');
    expect(await read(id)).toMatchObject({ status: 'failed', error_log: [{ message }] });
    expect(bench.calls).toHaveLength(1);
  });

  it('takes a sale without its receipt where that is very long, and has one that is too large without among its errors', async () => {
    till(3);
    const honest = bench.respond;
    const long = 'x'.repeat(64 * 1024);
    const over: object[] = [{}, { items: [{ note: long }] }, { metadata: { note: long } }];
    bench.respond = async (call) => {
      const answer = await honest(call);
      const { data, ...page } = answer.json as { data: { id: number }[] };
      const sent = data.map((sale) => ({ ...sale, ...over[sale.id] }));
      return { ...answer, json: { ...page, data: sent } as never };
    };
    const { id } = await start();
    await bench.workImport();
    const message = 'the transaction cannot be kept: it is larger than 64 KiB';
    expect(await read(id)).toMatchObject({
      status: 'completed',
      imported_count: 2,
      error_log: [{ transaction_id: '2', message }],
    });
  });

  it('quotes little of what it complains about, so that its log always fits into its row', async () => {
    till(3);
    const honest = bench.respond;
    bench.respond = async (call) => {
      const answer = await honest(call);
      const { data, ...page } = answer.json as { data: object[] };
      const sent = data.map((sale) => ({ ...sale, ['k'.repeat(20_000)]: 'x\0' }));
      return { ...answer, json: { ...page, data: sent } as never };
    };
    const { id } = await start();
    await bench.workImport();
    const { error_log } = await read(id);
    expect(error_log).toHaveLength(3);
    for (const { message } of error_log) expect(message.length).toBeLessThanOrEqual(300);
  });

  it('is worked on to its end before another of its workspace is begun, however many slices it takes', async () => {
    till(9);
    const honest = bench.respond;
    bench.respond = (call) => {
      bench.clock.advanceMs(11_000);
      return honest(call);
    };
    const first = await start();
    bench.clock.advanceMs(1);
    const second = await start();
    while ((await read(first.id)).status !== 'completed') {
      expect(await read(second.id)).toMatchObject({ status: 'pending' });
      expect(await bench.workImport()).toBe(true);
    }
    while (await bench.workImport());
    expect(await read(second.id)).toMatchObject({ status: 'completed' });
  });

  describe('beside others of its workspace', () => {
    const statuses = async (...jobs: { id: string }[]) =>
      Promise.all(jobs.map(async ({ id }) => (await read(id)).status));
    const workAll = async () => {
      while (await bench.workImport());
    };

    it('ends before the next is begun, also where a page of it fails and it waits for the till', async () => {
      till(9);
      const honest = bench.respond;
      let away = true;
      bench.respond = (call) =>
        away && call.url.includes('cursor=3') ? failing(503) : honest(call);
      const [first, second, third] = [await start(), await start(), await start()];
      for (let tries = 0; tries < 3; tries += 1) {
        await workAll();
        expect(await statuses(first, second, third)).toEqual(['running', 'pending', 'pending']);
        bench.clock.advanceMs(5_000);
      }
      expect((await read(second.id)).started_at).toBeNull();
      away = false;
      await workAll();
      expect(await statuses(first, second, third)).toEqual(Array(3).fill('completed'));
      const [before, after] = [await read(second.id), await read(third.id)];
      expect(before.finished_at! <= after.started_at!).toBe(true);
    });

    it('ends before another replica begins the next', async () => {
      till(9);
      const honest = bench.respond;
      const seen: unknown[] = [];
      const [first, second] = [await start(), await start()];
      bench.respond = async (call) => {
        while (await bench.workImport());
        seen.push(await statuses(first, second));
        return honest(call);
      };
      await bench.workImport();
      expect(seen).toEqual(Array(3).fill(['running', 'pending']));
      bench.respond = honest;
      await workAll();
      expect(await statuses(first, second)).toEqual(['completed', 'completed']);
    });

    it('keeps all that wait behind it from being looked at one by one', async () => {
      till(3);
      const honest = bench.respond;
      bench.respond = () => failing(503);
      for (let count = 0; count < 20; count += 1) await start();
      let looks = 0;
      while (await bench.workImport()) looks += 1;
      expect(looks).toBe(2);
      bench.respond = honest;
      bench.clock.advanceMs(5_000);
      await workAll();
      const { data } = await listImports(bench.deps, { ...about(), limit: 20 });
      expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['completed']));
    });

    it.each([
      ['is cancelled', (id: string) => cancelTransactionImport(bench.deps, { ...about(), id })],
      [
        'fails',
        () => {
          bench.respond = () => failing(401);
          bench.clock.advanceMs(5_000);
          return bench.workImport();
        },
      ],
    ])('lets the next be begun at once when it %s', async (_, end) => {
      till(3);
      const honest = bench.respond;
      bench.respond = () => failing(503);
      const [first, second] = [await start(), await start()];
      await workAll();
      await end(first.id);
      bench.respond = honest;
      await workAll();
      expect(await statuses(second)).toEqual(['completed']);
    });

    it('lets the next be begun where the process died at its end before it said so', async () => {
      till(3);
      const [first, second] = [await start(), await start()];
      const { callNext } = bench.deps.importJobs;
      bench.respond = ((honest) => async (call) => {
        while (await bench.workImport());
        return honest(call);
      })(bench.respond);
      bench.deps.importJobs.callNext = () => Promise.reject(new Error('died'));
      await expect(bench.workImport()).rejects.toThrow('died');
      bench.deps.importJobs.callNext = callNext;
      expect(await statuses(first, second)).toEqual(['completed', 'pending']);
      await bench.outlastLeases();
      await workAll();
      expect(await statuses(second)).toEqual(['completed']);
    });

    it('ends where its integration is gone, and keeps no other waiting', async () => {
      till(3);
      const { id } = await start();
      const gone = bench.deps.integrations.get;
      bench.deps.integrations.get = async () => null;
      await bench.workImport();
      bench.deps.integrations.get = gone;
      const next = await start();
      await workAll();
      expect([...(await statuses({ id }, next))]).toEqual(['cancelled', 'completed']);
    });

    const jobs = () =>
      bench.store.connection.collection<{ _id: string; status: string; provider: string }>(
        'import_jobs',
      );
    /** An import of a provider that this release imports nothing from. */
    const startElsewhere = async () => {
      await bench.put('crm_sync', {
        config: { base_url: 'https://crm.example' },
        secrets: { api_key: 'key' },
      });
      const { id } = await start();
      await jobs().updateOne({ _id: id }, { $set: { provider: 'crm_sync' } });
      return id;
    };

    it('fails where nothing can be imported from its provider any more, and keeps no other waiting', async () => {
      till(3);
      const id = await startElsewhere();
      const next = await start();
      for (let tries = 0; tries < 7; tries += 1) {
        await workAll();
        bench.clock.advanceMs(60_000);
      }
      expect(await jobs().findOne({ _id: id })).toMatchObject({
        status: 'failed',
        error_log: [{ transaction_id: '', message: 'nothing can be imported from crm_sync' }],
      });
      expect(await statuses(next)).toEqual(['completed']);
    });

    it('lets the next be begun at once when its integration is deleted', async () => {
      till(3);
      const id = await startElsewhere();
      const next = await start();
      await workAll();
      expect(await statuses(next)).toEqual(['pending']);
      await deleteIntegration(bench.deps, { ...about(), provider: 'crm_sync' });
      await workAll();
      expect(await jobs().findOne({ _id: id })).toMatchObject({ status: 'cancelled' });
      expect(await statuses(next)).toEqual(['completed']);
    });

    it('lets one go on at once that a replica of before had begun beside it', async () => {
      till(9);
      const honest = bench.respond;
      bench.respond = () => failing(503);
      const [first, second] = [await start(), await start()];
      await jobs().updateOne({ _id: second.id }, { $set: { status: 'running' } });
      await workAll();
      bench.respond = honest;
      bench.clock.advanceMs(5_000);
      await workAll();
      expect(await statuses(first, second)).toEqual(['completed', 'completed']);
    });

    it('waits for its till as long as ever when one behind it is cancelled', async () => {
      till(3);
      bench.respond = () => failing(503);
      const [, second] = [await start(), await start()];
      await workAll();
      await cancelTransactionImport(bench.deps, { ...about(), id: second.id });
      expect(await bench.workImport()).toBe(false);
    });

    it('is due anew from the end of a slice on, so that how late it is taken up says nothing of its age', async () => {
      till(9);
      const honest = bench.respond;
      bench.respond = (call) => {
        bench.clock.advanceMs(11_000);
        return honest(call);
      };
      const { id } = await start();
      await bench.workImport();
      const rows = bench.store.connection.collection<{ _id: string; due_at: Date }>('import_jobs');
      expect((await rows.findOne({ _id: id }))?.due_at).toEqual(bench.clock.now());
    });
  });

  it.each([
    ['the same page', ['more', 'more']],
    ['the same three pages in turn', ['a', 'b', 'c']],
  ])('fails when a till gives %s for ever', async (_, cursors) => {
    let asked = 0;
    bench.respond = () => ({
      status: 200,
      error: null,
      retryAfterMs: null,
      json: { data: [], next_cursor: cursors[asked++ % cursors.length]! },
    });
    const { id } = await start();
    await bench.workImport();
    expect(await read(id)).toMatchObject({ status: 'failed' });
  });

  it('is cancelled in the middle, and its worker stops and cleans up', async () => {
    till(30);
    const honest = bench.respond;
    bench.respond = async (call) => {
      if (call.url.includes('cursor=9')) await deleteIntegration(bench.deps, about());
      return honest(call);
    };
    const { id } = await start();
    await bench.workImport();
    expect(await read(id)).toMatchObject({ status: 'cancelled', imported_count: 0 });
    expect((await read(id)).finished_at).not.toBeNull();
    expect(bench.clients.recorded).toBe(0);
    expect(await records().countDocuments({ workspace_id: bench.workspaceId })).toBe(0);
    expect((await listImports(bench.deps, { ...about(), limit: 20 })).data).toHaveLength(1);
    await bench.outlastLeases();
    expect(await bench.workImport()).toBe(false);
  });

  it('stops where somebody cancels it, keeps what was recorded, and cannot be cancelled twice', async () => {
    till(9);
    const { id } = await start();
    const respond = bench.respond;
    bench.respond = async (call) => {
      if (call.url.includes('cursor=6')) {
        expect(await cancelTransactionImport(bench.deps, { ...about(), id })).toMatchObject({
          id,
          status: 'cancelled',
          finished_at: expect.any(String),
        });
      }
      return respond(call);
    };
    while (await bench.workImport());
    expect(await read(id)).toMatchObject({ status: 'cancelled', fetch_done: 6, imported_count: 0 });
    expect(await records().countDocuments({ job_id: id })).toBe(0);
    const again = cancelTransactionImport(bench.deps, { ...about(), id });
    await expect(again).rejects.toMatchObject({ httpStatus: 409 });
    const elsewhere = { ...about(), id, workspace_id: newId() };
    await expect(cancelTransactionImport(bench.deps, elsewhere)).rejects.toMatchObject({
      httpStatus: 404,
    });
  });

  it('that is cancelled while the till refuses it is no fault of the integration', async () => {
    till(9);
    const { id } = await start();
    const respond = bench.respond;
    bench.respond = async (call) => {
      if (!call.url.includes('cursor=6')) return respond(call);
      await cancelTransactionImport(bench.deps, { ...about(), id });
      return failing(401);
    };
    await bench.workImport();
    expect(await read(id)).toMatchObject({ status: 'cancelled', error_log: [] });
    expect(await records().countDocuments({ job_id: id })).toBe(0);
    expect(await getIntegration(bench.deps, about())).toMatchObject({ last_error: null });
  });

  it('that is cancelled at its end does not count as done', async () => {
    till(3);
    const { id } = await start();
    const { finish } = bench.deps.importJobs;
    bench.deps.importJobs.finish = async (...given) => {
      await cancelTransactionImport(bench.deps, { ...about(), id });
      return finish(...given);
    };
    await bench.workImport();
    bench.deps.importJobs.finish = finish;
    expect(await read(id)).toMatchObject({ status: 'cancelled', imported_count: 3 });
    expect(await records().countDocuments({ job_id: id })).toBe(0);
    expect(await getIntegration(bench.deps, about())).toMatchObject({ last_synced_at: null });
  });

  it('of which a replica with a former key is refused late is gone on with by another, which has all that was fetched', async () => {
    till(9);
    const { id } = await start();
    const honest = bench.respond;
    let refuse: () => void = () => undefined;
    let stalled: Promise<void> | undefined;
    bench.respond = async (call) => {
      if (!call.url.includes('cursor=')) return honest(call);
      if (stalled === undefined) {
        stalled = new Promise<void>((resolve) => {
          refuse = resolve;
        });
        await stalled;
        return failing(401);
      }
      if (call.url.includes('cursor=6')) {
        refuse();
        await first;
      }
      return honest(call);
    };
    const first = bench.workImport();
    await until(() => stalled !== undefined);
    await bench.outlastLeases();
    await bench.workImport();
    expect(await read(id)).toMatchObject({
      status: 'completed',
      processed_count: 9,
      imported_count: 9,
      error_log: [],
    });
    expect(bench.clients.recorded).toBe(9);
    expect(await getIntegration(bench.deps, about())).toMatchObject({ last_error: null });
  });

  it('fails where what was fetched is gone, and is not worked on for ever', async () => {
    till(150, { pageSize: 150 });
    const { clients } = bench;
    const record = clients.RecordTrail.bind(clients);
    const { id } = await start();
    clients.RecordTrail = async (request) => {
      await records().deleteMany({ job_id: id });
      return record(request);
    };
    await bench.workImport();
    expect(await read(id)).toMatchObject({
      status: 'failed',
      processed_count: 100,
      error_log: [{ transaction_id: '', message: expect.stringContaining('gone') }],
    });
    await bench.outlastLeases();
    expect(await bench.workImport()).toBe(false);
  });

  it('cancelled once more under the same key is answered as the first time', async () => {
    const { id } = await start();
    const cancel = underOneKey(() => cancelTransactionImport(bench.deps, { ...about(), id }));
    const first = await cancel();
    expect(first).toMatchObject({ id, status: 'cancelled' });
    expect(await cancel()).toEqual(first);
  });

  it('is worked on by one of two at once; one that was thought dead does no harm', async () => {
    till(9);
    const { id } = await start();
    const stalled = bench.respond;
    let free: () => void = () => undefined;
    let stalling = true;
    bench.respond = async (call) => {
      if (stalling && call.url.includes('cursor=6')) {
        stalling = false;
        await new Promise<void>((resolve) => {
          free = resolve;
        });
      }
      return stalled(call);
    };
    const first = bench.workImport();
    await until(() => !stalling);
    expect(await bench.workImport()).toBe(false);
    await bench.outlastLeases();
    await bench.workImport();
    free();
    await first;
    expect(await read(id)).toMatchObject({
      status: 'completed',
      processed_count: 9,
      imported_count: 9,
    });
    expect(bench.clients.recorded).toBe(9);
  });

  it('logs a thousand faults at most, and counts on', async () => {
    till(1_050, { pageSize: 500, email: 'nobody@mail.example' });
    const { id } = await start();
    await bench.workImport();
    const { processed_count, imported_count, error_log } = await read(id);
    expect([processed_count, imported_count, error_log.length]).toEqual([1_050, 0, 1_000]);
    // It stays for as long as there are imports: nothing in it says who was not found.
    expect(error_log[0]!.message).toBe('no client was found by email');
  });

  it('tells in its log of refunds whose sale was not found, and imports them all the same', async () => {
    till(0);
    const { email } = bench.clients.add();
    const refund = (id: number, refund_of: number | null) => ({
      id,
      type: 'refund',
      amount: 2,
      created_at: '2026-01-05T09:00:00Z',
      location_id: 1,
      customer: { email },
      refund_of,
    });
    bench.clients.links.set('pos:1', 'linked').set('pos:2', 'exceeds');
    const data = [refund(10, 1), refund(11, 2), refund(12, 3), refund(13, null)];
    bench.respond = () => ({
      status: 200,
      error: null,
      retryAfterMs: null,
      json: { data, total: 4, next_cursor: null } as never,
    });
    const { id } = await start();
    while (await bench.workImport());
    expect(await read(id)).toMatchObject({
      status: 'completed',
      imported_count: 4,
      error_log: [
        { transaction_id: '11', message: expect.stringContaining('exceeds') },
        { transaction_id: '12', message: expect.stringContaining('not_found') },
      ],
    });
  });
});
