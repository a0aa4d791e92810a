import { Refusal } from '@laurel/errors';
import { createEvent } from '@laurel/events';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { removeWorkspace } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { createVault } from '@laurel/secrets';
import { atEveryCall, mortal, until, workOffJob } from '@laurel/testing';
import { integrationJobs } from '../../jobs';
import { outboundJobs } from '../../store/outbound-job-rows';
import { failing, IntegrationBench } from '../../testing/integration-bench';
import { getIntegrationHealth } from '../integration/get-integration-health';
import { getIntegration } from '../integration/read-integrations';
import { testConnection } from '../integration/test-connection';
import { enqueueOutbound } from './enqueue-outbound';
import { listOutboundJobs, retryOutboundJob } from './outbound-jobs';

let root: IntegrationBench;
let bench: IntegrationBench;
const access = { config: { base_url: 'https://outside.example' }, secrets: { api_key: 'key' } };
const HOUR = 3_600_000;

beforeAll(async () => {
  root = await IntegrationBench.open();
});
beforeEach(() => {
  bench = root.inNewWorkspace();
});
afterEach(() => removeWorkspace(bench.deps, bench.workspaceId));
afterAll(() => root.store.drop());

const connect = (provider: string) => bench.put(provider, { ...access, enabled_outbound: true });
const enqueue = (...events: Parameters<typeof enqueueOutbound>[1]) =>
  enqueueOutbound(bench.deps, events);
const about = (id: string) => ({ workspaceId: bench.workspaceId, subject: id });
/** Any event about a client is as good as the other: what is sent is how the client is. */
const changed = ({ id }: api.Client) =>
  createEvent('clients.anonymized', { ...about(id), data: { client_id: id } });
const known = (externalId?: string) => ({
  external_identities: externalId ? [{ provider: 'pos', external_id: externalId }] : [],
});
const deleted = ({ id }: api.Client, externalId?: string) =>
  createEvent('clients.deleted', {
    ...about(id),
    data: { client_id: id, ...known(externalId) },
  });
const erased = ({ id }: api.Client, externalId?: string) => {
  bench.clients.erase(id);
  return createEvent('clients.anonymized', {
    ...about(id),
    data: { client_id: id, ...known(externalId) },
  });
};
const workAll = async (): Promise<void> => {
  while ((await bench.workRetry()) || (await bench.workOutbound()));
};
const told = () => bench.calls.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
const job = async (client: api.Client) =>
  (await outboundJobs.ofPerson(bench.store.connection, bench.workspaceId, client.id))[0];

describe('switching outbound on', () => {
  it('tells the other system of the clients there are, in pages, and of none twice', async () => {
    const people = Array.from({ length: 450 }, () => bench.clients.add());
    bench.clients.add({ status: 'anonymized' });
    await connect('crm_sync');
    await bench.put('crm_sync', { enabled_outbound: true });
    while ((await bench.workBackfill()) || (await bench.workOutbound())) {
      await workAll();
      bench.clock.advanceMs(2_000);
    }
    const ids = [...bench.clients.people.values()].filter(({ status }) => status !== 'anonymized');
    expect(told().sort()).toEqual(ids.map(({ id }) => `PUT /clients/${id}`).sort());
    expect(ids.length).toBeGreaterThanOrEqual(people.length);
    await enqueue(changed(people[0]!));
    await workAll();
    expect(told()).toHaveLength(ids.length);
  });

  it('goes on where it stood when the worker dies, and ends when it is switched off', async () => {
    const client = bench.clients.add();
    await connect('crm_sync');
    const claim = { now: bench.clock.now(), leaseMs: 1 };
    const room = { count: 1, share: 1, inHand: new Map() };
    expect(await bench.deps.backfills.due.claim(room, claim)).toHaveLength(1);
    await bench.outlastLeases();
    while (await bench.workBackfill());
    await workAll();
    expect(told()).toContain(`PUT /clients/${client.id}`);
    await bench.put('crm_sync', { enabled_outbound: false });
    await bench.put('crm_sync', { enabled_outbound: true });
    await bench.put('crm_sync', { enabled_outbound: false });
    while (await bench.workBackfill());
    expect(
      await bench.deps.outboundJobs.count(bench.workspaceId, {
        provider: 'crm_sync',
        status: 'pending',
      }),
    ).toBe(0);
  });

  it('goes on where very many were refused and wait to be tried again, and not where as many are due', async () => {
    await connect('crm_sync');
    const about = { workspaceId: bench.workspaceId, provider: 'crm_sync' };
    const many = Array.from({ length: 400 }, () => newId());
    for (const clientId of many)
      await bench.deps.outboundJobs.enqueue(
        { ...about, clientId, action: 'upsert_customer' },
        bench.clock.now(),
      );
    const client = bench.clients.add();
    await bench.workBackfill();
    expect(await job(client)).toBeUndefined();
    const jobs = bench.store.connection.collection('outbound_jobs');
    const inFiveHours = new Date(bench.clock.now().getTime() + 5 * HOUR);
    await jobs.updateMany(
      { workspace_id: bench.workspaceId },
      { $set: { due_at: inFiveHours, failures: 5 } },
    );
    bench.clock.advanceMs(2_000);
    await bench.workBackfill();
    expect(await job(client)).toMatchObject({ status: 'pending', failures: 0 });
  });
});

describe('what a system refused', () => {
  const fine = { status: 200, error: null, retryAfterMs: null };

  it('is sent as soon as its access is put right, with all its tries, and no sooner for a switch', async () => {
    await connect('crm_sync');
    const client = bench.clients.add();
    bench.respond = () => failing(401);
    await enqueue(changed(client));
    for (let failures = 1; failures < 7; failures += 1) {
      await workAll();
      bench.clock.advanceMs(11 * HOUR);
    }
    await workAll();
    expect(await job(client)).toMatchObject({ status: 'pending', failures: 7 });
    await bench.put('crm_sync', { enabled_outbound: true });
    expect(await bench.workRetry()).toBe(false);
    expect(await bench.workOutbound()).toBe(false);
    await bench.put('crm_sync', { secrets: { api_key: 'another that is wrong' } });
    await workAll();
    expect(await job(client)).toMatchObject({ status: 'pending', failures: 1 });
    bench.respond = () => fine;
    await bench.put('crm_sync', { secrets: { api_key: 'the right one' } });
    await workAll();
    expect(await job(client)).toMatchObject({ status: 'done', last_error: null });
    expect(bench.calls.at(-1)).toMatchObject({ apiKey: 'the right one' });
  });

  const jobs = () => bench.store.connection.collection('outbound_jobs');
  const state = () =>
    Promise.all(
      (['pending', 'failed'] as const).map((status) =>
        bench.deps.outboundJobs.count(bench.workspaceId, { provider: 'crm_sync', status }),
      ),
    );
  /** As after the eighth attempt. */
  const giveUp = () =>
    jobs().updateMany(
      { workspace_id: bench.workspaceId, status: 'pending' },
      { $set: { status: 'failed', failures: 8 }, $unset: { due_at: '' } },
    );

  it.each([
    ['its access is put right', false],
    ['telling it is switched on again, with its access put right meanwhile', true],
  ])('for good is sent, who is to be forgotten as well, as soon as %s', async (_, wasOff) => {
    await connect('crm_sync');
    const [stays, gone] = [bench.clients.add(), bench.clients.add()];
    bench.respond = () => failing(401);
    bench.clients.people.delete(gone.id);
    await enqueue(changed(stays), deleted(gone));
    for (let failures = 1; failures <= 8; failures += 1) {
      await workAll();
      bench.clock.advanceMs(11 * HOUR);
    }
    for (const client of [stays, gone])
      expect(await job(client)).toMatchObject({ status: 'failed', failures: 8 });
    if (wasOff) await bench.put('crm_sync', { enabled_outbound: false });
    await bench.put('crm_sync', { secrets: { api_key: 'the right one' } });
    if (wasOff) await bench.put('crm_sync', { enabled_outbound: true });
    bench.respond = () => fine;
    bench.calls.length = 0;
    await workAll();
    expect(told().sort()).toEqual(
      [`PUT /clients/${stays.id}`, `DELETE /clients/${gone.id}`].sort(),
    );
    for (const client of [stays, gone])
      expect(await job(client)).toMatchObject({ status: 'done', failures: 0, last_error: null });
  });

  it('of very many clients is due again a piece at a time, and no more of them at once than others may wait for', async () => {
    await connect('crm_sync');
    await workAll();
    const about = { workspaceId: bench.workspaceId, provider: 'crm_sync' };
    for (let count = 0; count < 450; count += 1)
      await bench.deps.outboundJobs.enqueue(
        { ...about, clientId: newId(), action: 'upsert_customer' },
        bench.clock.now(),
      );
    await giveUp();
    await bench.put('crm_sync', { secrets: { api_key: 'the right one' } });
    expect(await state()).toEqual([0, 450]);
    await bench.workRetry();
    expect(await state()).toEqual([200, 250]);
    await bench.workRetry();
    await bench.workRetry();
    expect(await state()).toEqual([400, 50]);
    await bench.workOutbound();
    bench.clock.advanceMs(2_000);
    await workAll();
    expect(await state()).toEqual([0, 0]);
    expect(await bench.workRetry()).toBe(false);
  });

  it.each(['before', 'after'] as const)(
    'is sent at last, wherever the worker that makes it due dies: %s each of its calls',
    async (when) => {
      await connect('crm_sync');
      await atEveryCall(when, async (death) => {
        await workAll();
        const client = bench.clients.add();
        await enqueue(changed(client));
        await giveUp();
        await bench.put('crm_sync', { secrets: { api_key: 'the right one' } });
        const process = mortal(bench.store.connection, death);
        const deps = bench.depsOn(process.connection, process.peer);
        process.arm();
        await Promise.race([bench.workRetry(deps), process.died]);
        await bench.outlastLeases();
        await workAll();
        expect(await job(client)).toMatchObject({ status: 'done', failures: 0 });
        expect(await bench.workRetry()).toBe(false);
        return !process.isDead();
      });
    },
  );

  it('while its access was put right is sent by the right one at once', async () => {
    await connect('crm_sync');
    const client = bench.clients.add();
    bench.respond = async ({ apiKey }) => {
      if (apiKey === 'the right one') return fine;
      await bench.put('crm_sync', { secrets: { api_key: 'the right one' } });
      return failing(401);
    };
    await enqueue(changed(client));
    await workAll();
    expect(bench.calls.map(({ apiKey }) => apiKey)).toEqual(['key', 'the right one']);
    expect(await job(client)).toMatchObject({ status: 'done', failures: 0 });
  });
});

describe('outbound jobs', () => {
  const request = () => ({ workspace_id: bench.workspaceId });
  const health = async (provider = 'crm_sync') =>
    (await getIntegrationHealth(bench.deps, { ...request(), provider })).outbound;

  it('are listed by page, status and provider, and one that failed is sent again when it is retried', async () => {
    await connect('crm_sync');
    await connect('pos');
    const [good, bad] = [bench.clients.add(), bench.clients.add()];
    bench.respond = ({ url }) =>
      url.includes(bad.id)
        ? failing(400)
        : { status: 200, error: null, retryAfterMs: null, json: { id: 7 } };
    await enqueue(changed(good), changed(bad));
    for (let turn = 0; turn < 12; turn += 1) {
      await workAll();
      bench.clock.advanceMs(11 * HOUR);
    }
    const page = await listOutboundJobs(bench.deps, { ...request(), limit: 3 });
    const rest = await listOutboundJobs(bench.deps, {
      ...request(),
      limit: 3,
      cursor: page.next_cursor!,
    });
    const listed = [...page.data, ...rest.data];
    expect(listed).toHaveLength(4);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(4);
    expect(listed.map((each) => each.date_updated)).toEqual(
      listed
        .map((each) => each.date_updated)
        .sort()
        .reverse(),
    );
    const failed = await listOutboundJobs(bench.deps, {
      ...request(),
      limit: 9,
      status: 'failed',
      provider: 'crm_sync',
    });
    expect(failed.data).toMatchObject([
      {
        client_id: bad.id,
        status: 'failed',
        attempts: 8,
        last_error: 'answered 400',
        next_attempt_at: null,
      },
    ]);
    expect(await health()).toMatchObject({
      counts: { pending: 0, done: 1, failed: 1 },
      last_failed: { client_id: bad.id },
    });
    const { id } = failed.data[0]!;
    bench.respond = () => ({ status: 200, error: null, retryAfterMs: null });
    const retried = await retryOutboundJob(bench.deps, { ...request(), job_id: id });
    expect(retried).toMatchObject({ id, status: 'pending' });
    await workAll();
    expect(await health()).toMatchObject({ counts: { pending: 0, done: 2, failed: 0 } });
    const elsewhere = retryOutboundJob(bench.deps, { workspace_id: newId(), job_id: id });
    await expect(elsewhere).rejects.toMatchObject({ httpStatus: 404 });
    await bench.put('crm_sync', { enabled_outbound: false });
    const off = retryOutboundJob(bench.deps, { ...request(), job_id: id });
    await expect(off).rejects.toMatchObject({ httpStatus: 409 });
  });

  it('tell a till nothing when nothing has changed that it hears of, unless they are retried by hand', async () => {
    await connect('pos');
    const client = bench.clients.add({ first_name: 'Ada' });
    bench.respond = () => ({ status: 201, error: null, retryAfterMs: null, json: { id: 7 } });
    for (let visits = 0; visits < 5; visits += 1) {
      client.custom_fields = { visits };
      await enqueue(changed(client));
      await workAll();
    }
    expect(told()).toEqual(['POST /customers']);
    client.first_name = 'Grace';
    await enqueue(changed(client));
    await workAll();
    expect(told()).toEqual(['POST /customers', 'PUT /customers/7']);
    const { data } = await listOutboundJobs(bench.deps, { ...request(), limit: 1 });
    await retryOutboundJob(bench.deps, { ...request(), job_id: data[0]!.id });
    await workAll();
    expect(told()).toEqual(['POST /customers', 'PUT /customers/7', 'PUT /customers/7']);
    await bench.put('pos', { ...access, config: { base_url: 'https://other.example' } });
    await enqueue(changed(client));
    await workAll();
    expect(bench.calls.at(-1)!.url).toBe('https://other.example/customers/7');
  });
});

describe('trying a connection', () => {
  it.each(['pos', 'crm_sync'])('of %s waits no longer than its caller does', async (provider) => {
    await connect(provider);
    bench.respond = async () => ({ status: null, error: 'no answer', retryAfterMs: null });
    const deadlineAt = Date.now() + 5_000;
    const context = { ...systemContext(), deadlineAt };
    const report = await runInContext(context, () =>
      testConnection(bench.deps, { workspace_id: bench.workspaceId, provider }),
    );
    expect(report).toMatchObject({ ok: false, status: null, error: expect.any(String) });
    expect(bench.calls.at(-1)!.timeoutMs).toBeLessThanOrEqual(4_000);
  });
});

describe('a change', () => {
  it('is sent as the client is at that moment, however often it changed', async () => {
    await connect('crm_sync');
    const client = bench.clients.add({ first_name: 'Ada' });
    await enqueue(changed(client), changed(client), changed(client));
    client.first_name = 'Grace';
    await workAll();
    expect(told()).toEqual([`PUT /clients/${client.id}`]);
    expect(bench.calls[0]).toMatchObject({ apiKey: 'key', body: { first_name: 'Grace' } });
    expect(
      (await getIntegration(bench.deps, { workspace_id: bench.workspaceId, provider: 'crm_sync' }))
        .last_synced_at,
    ).not.toBeNull();
  });

  it.each([
    ['was taken', { status: 200, error: null, retryAfterMs: null }],
    ['had no answer', { status: null, error: 'no answer', retryAfterMs: null }],
  ])(
    'that a replica sends when its claim has ended, and that %s, is sent once more as the client is',
    async (_, late) => {
      await connect('crm_sync');
      const client = bench.clients.add({ first_name: 'Ada' });
      let answer: () => void = () => undefined;
      bench.respond = () =>
        new Promise((resolve) => {
          answer = () => resolve(late);
        });
      await enqueue(changed(client));
      const frozen = bench.workOutbound();
      await until(() => bench.calls.length === 1);
      await bench.outlastLeases();
      client.first_name = 'Grace';
      await enqueue(changed(client));
      bench.respond = () => ({ status: 200, error: null, retryAfterMs: null });
      await workAll();
      answer();
      await frozen;
      await workAll();
      const names = bench.calls.map(({ body }) => (body as { first_name: string }).first_name);
      expect(names).toEqual(['Ada', 'Grace', 'Grace']);
      expect(await job(client)).toMatchObject({ status: 'done' });
    },
  );

  it('made while the last one is being sent is sent after it, by no other replica meanwhile', async () => {
    await connect('crm_sync');
    const client = bench.clients.add({ first_name: 'Ada' });
    let answer: () => void = () => undefined;
    bench.respond = () =>
      new Promise((resolve) => {
        answer = () => resolve({ status: 200, error: null, retryAfterMs: null });
      });
    await enqueue(changed(client));
    const first = bench.workOutbound();
    await until(() => bench.calls.length === 1);
    client.first_name = 'Grace';
    await enqueue(changed(client));
    expect(await bench.workOutbound()).toBe(false);
    answer();
    await first;
    bench.respond = () => ({ status: 200, error: null, retryAfterMs: null });
    await workAll();
    expect(bench.calls.map(({ body }) => (body as { first_name: string }).first_name)).toEqual([
      'Ada',
      'Grace',
    ]);
    expect(await job(client)).toMatchObject({ status: 'done' });
  });

  it.each(['before', 'after'] as const)(
    'is sent at last, wherever the worker dies: %s each of its calls',
    async (when) => {
      await connect('pos');
      bench.respond = ({ method, headers }) =>
        method === 'POST'
          ? {
              status: 201,
              error: null,
              retryAfterMs: null,
              json: { id: `till-${headers?.['idempotency-key']}` },
            }
          : { status: 200, error: null, retryAfterMs: null };
      await atEveryCall(when, async (death) => {
        const client = bench.clients.add();
        await enqueue(changed(client));
        const process = mortal(bench.store.connection, death);
        const deps = bench.depsOn(process.connection, process.peer);
        process.arm();
        await Promise.race([bench.workOutbound(deps), process.died]);
        await bench.outlastLeases();
        await workAll();
        expect(bench.clients.identities.get(client.id)).toBe(`pos:till-${client.id}`);
        expect(await job(client)).toMatchObject({
          status: 'done',
          external_id: `till-${client.id}`,
        });
        return !process.isDead();
      });
    },
  );

  it('is tried again on the schedule of webhooks, and at once when the client changes again', async () => {
    await connect('crm_sync');
    const client = bench.clients.add();
    bench.respond = () => failing(500);
    await enqueue(changed(client));
    await workAll();
    expect(await job(client)).toMatchObject({
      status: 'pending',
      failures: 1,
      last_error: 'answered 500',
    });
    bench.clock.advanceMs(4_999);
    expect(await bench.workOutbound()).toBe(false);
    bench.clock.advanceMs(1);
    for (let failures = 2; failures <= 8; failures += 1) {
      expect(await bench.workOutbound()).toBe(true);
      expect(await job(client)).toMatchObject({ failures });
      bench.clock.advanceMs(11 * HOUR);
    }
    expect(await job(client)).toMatchObject({ status: 'failed' });
    expect(await bench.workOutbound()).toBe(false);
    bench.respond = () => ({ status: 200, error: null, retryAfterMs: null });
    await enqueue(changed(client));
    await workAll();
    expect(await job(client)).toMatchObject({ status: 'done', failures: 0, last_error: null });
  });

  it('costs no attempt while another part of the platform is away', async () => {
    await connect('crm_sync');
    const client = bench.clients.add();
    await enqueue(changed(client));
    bench.clients.away = true;
    await workAll();
    expect(await job(client)).toMatchObject({ status: 'pending', failures: 0 });
    expect(bench.calls).toEqual([]);
  });

  const FAULT =
    'the client could not be sent: an internal error, which stands in the log of the platform';
  /** Brings a fault about; returns what mends it. */
  const refusing = (call: 'GetClients' | 'PutExternalIdentity') => (): (() => void) => {
    const fault = new Refusal({ code: 'INTERNAL', httpStatus: 500 }, [{ message: 'a fault' }]);
    const broken = jest.spyOn(bench.clients, call).mockRejectedValue(fault);
    return () => broken.mockRestore();
  };
  const losingKey = (): (() => void) => {
    const { vault } = bench.deps;
    bench.deps.vault = createVault(Buffer.alloc(32, 9).toString('base64'));
    return () => {
      bench.deps.vault = vault;
    };
  };

  it.each<[string, () => () => void, string[]]>([
    ['its secret is sealed under a key that is gone', losingKey, []],
    [
      'the id that the system gave cannot be noted',
      refusing('PutExternalIdentity'),
      Array(8).fill('POST /customers'),
    ],
  ])(
    'that meets a fault of ours, as where %s, is tried less and less often, seen, given up, and sent when it is retried',
    async (_, comeAbout, calls) => {
      await connect('pos');
      const client = bench.clients.add();
      bench.respond = () => ({ status: 201, error: null, retryAfterMs: null, json: { id: 7 } });
      await enqueue(changed(client));
      const mend = comeAbout();
      await workAll();
      const seen = { status: 'pending', failures: 1, attempts: 1, last_error: FAULT };
      expect(await job(client)).toMatchObject(seen);
      bench.clock.advanceMs(5_000);
      await workAll();
      bench.clock.advanceMs(5_000);
      expect(await bench.workOutbound()).toBe(false);
      for (let failures = 3; failures <= 8; failures += 1) {
        bench.clock.advanceMs(11 * HOUR);
        await workAll();
        expect(await job(client)).toMatchObject({ failures });
      }
      expect(await job(client)).toMatchObject({ status: 'failed', attempts: 8, last_error: FAULT });
      expect(told()).toEqual(calls);
      mend();
      const retried = { workspace_id: bench.workspaceId, job_id: String((await job(client))!.id) };
      await retryOutboundJob(bench.deps, retried);
      await workAll();
      expect(await job(client)).toMatchObject({ status: 'done', last_error: null });
    },
  );

  it('is tried less and less often, too, where it cannot be found out whether it is owed while its integration is off', async () => {
    await connect('crm_sync');
    const client = bench.clients.add();
    await enqueue(changed(client));
    await bench.put('crm_sync', { enabled_outbound: false });
    const mend = refusing('GetClients')();
    await workAll();
    expect(await job(client)).toMatchObject({ status: 'pending', failures: 1, last_error: FAULT });
    mend();
    bench.clock.advanceMs(5_000);
    await workAll();
    expect(await job(client)).toBeUndefined();
  });

  it('that was taken is sent no second time where only its integration could not be marked', async () => {
    await connect('crm_sync');
    const client = bench.clients.add();
    await enqueue(changed(client));
    const noteSynced = () => Promise.reject(new Error('the store is away'));
    const integrations = { ...bench.deps.integrations, noteSynced };
    const marked = bench.workOutbound({ ...bench.deps, integrations });
    await expect(marked).rejects.toThrow('the store is away');
    await bench.outlastLeases();
    expect(await bench.workOutbound()).toBe(false);
    expect(await job(client)).toMatchObject({ status: 'done', failures: 0 });
    expect(told()).toEqual([`PUT /clients/${client.id}`]);
  });

  it('is nothing to systems that are not to hear of it', async () => {
    await bench.put('crm_sync', access);
    const client = bench.clients.add();
    await enqueue(changed(client));
    expect(await job(client)).toBeUndefined();
    await connect('crm_sync');
    await enqueue(changed(client));
    await bench.put('crm_sync', { enabled_outbound: false });
    await workAll();
    expect(bench.calls).toEqual([]);
  });

  it('waits until it is switched on again where somebody is to be forgotten, and is sent then', async () => {
    await connect('crm_sync');
    const [first, second, third, stays] = Array.from({ length: 4 }, () => bench.clients.add());
    for (const client of [first, second, third, stays]) await enqueue(changed(client!));
    await workAll();
    await enqueue(deleted(first!));
    await bench.put('crm_sync', { enabled_outbound: false });
    await workAll();
    await enqueue(erased(second!), deleted(third!), changed(stays!));
    await workAll();
    bench.calls.length = 0;
    for (const client of [first, second, third])
      expect(await job(client!)).toMatchObject({ status: 'pending' });
    await connect('crm_sync');
    await workAll();
    const gone = bench.calls.filter(({ url }) => !url.endsWith(stays!.id));
    expect(gone.map(({ method, url }) => `${method} ${url.split('/').at(-1)}`).sort()).toEqual(
      [`DELETE ${first!.id}`, `DELETE ${third!.id}`, `PUT ${second!.id}`].sort(),
    );
    expect(JSON.stringify(gone)).not.toContain('mail.example');
  });

  it('that is held at the moment of switching on is sent, too', async () => {
    await connect('crm_sync');
    const client = bench.clients.add();
    await enqueue(changed(client));
    await workAll();
    await bench.put('crm_sync', { enabled_outbound: false });
    const { enqueue: note } = bench.deps.outboundJobs;
    const late = jest
      .spyOn(bench.deps.outboundJobs, 'enqueue')
      .mockImplementationOnce(async (...given) => {
        await connect('crm_sync');
        await note(...given);
      });
    await enqueue(deleted(client));
    late.mockRestore();
    bench.calls.length = 0;
    await workAll();
    expect(
      told().filter((call) => call.startsWith('DELETE') && call.endsWith(client.id)),
    ).toHaveLength(1);
  });

  it('of who is to be forgotten waits for as long as its integration is off, or was refused; what was sent goes after thirty days', async () => {
    await connect('crm_sync');
    const [stays, refused, owed] = Array.from({ length: 3 }, () => bench.clients.add());
    for (const client of [stays, refused, owed]) await enqueue(changed(client!));
    await workAll();
    bench.respond = () => failing(503);
    await enqueue(erased(refused!));
    for (let tries = 0; tries < 8; tries += 1) {
      await workAll();
      bench.clock.advanceMs(11 * HOUR);
    }
    await bench.put('crm_sync', { enabled_outbound: false });
    await enqueue(deleted(owed!));
    const forget = async () => {
      await bench.store.expire(bench.clock.now());
      await workOffJob(integrationJobs(bench.deps), 'forget-told-clients');
    };
    bench.clock.advanceMs(26 * 24 * HOUR);
    await forget();
    expect(await job(stays!)).toMatchObject({ status: 'done' });
    bench.clock.advanceMs(30 * 24 * HOUR);
    await forget();
    expect(await job(stays!)).toBeUndefined();
    expect(await job(refused!)).toMatchObject({ status: 'failed' });
    bench.respond = () => ({ status: 200, error: null, retryAfterMs: null });
    bench.calls.length = 0;
    await connect('crm_sync');
    await workAll();
    expect(told()).toContain(`DELETE /clients/${owed!.id}`);
    expect(told()).toContain(`PUT /clients/${refused!.id}`);
    bench.calls.length = 0;
    const { id } = (await job(refused!))!;
    const retried = { workspace_id: bench.workspaceId, job_id: String(id) };
    await retryOutboundJob(bench.deps, retried);
    await workAll();
    expect(told()).toContain(`PUT /clients/${refused!.id}`);
  });

  it('is not kept for a system that has heard nothing yet', async () => {
    await bench.put('crm_sync', access);
    const client = bench.clients.add();
    await enqueue(deleted(client));
    expect(await job(client)).toBeUndefined();
  });

  it('of a tier is sent where tiers are mapped', async () => {
    const tierId = newId();
    await connect('pos');
    const client = bench.clients.add();
    bench.clients.identities.set(client.id, 'pos:c-1');
    const data = {
      client_id: client.id,
      previous_tier: null,
      tier: null,
      manually_assigned: false,
      expires_at: null,
    };
    const promoted = () => createEvent('tiers.tier_promoted', { ...about(client.id), data });
    await enqueue(promoted());
    expect(await job(client)).toBeUndefined();
    await bench.put('pos', { config: { tier_mappings: { [tierId]: 'gold' } } });
    bench.tierId = tierId;
    await enqueue(promoted());
    await workAll();
    expect(bench.calls).toMatchObject([{ method: 'PUT', body: { group_id: 'gold' } }]);
    bench.tierId = null;
    await enqueue(promoted());
    await workAll();
    expect(bench.calls.at(-1)).toMatchObject({ body: { group_id: null } });
  });
});

describe('a client who goes', () => {
  it('is to be forgotten where they are known, also by a system that is off and has heard nothing yet', async () => {
    await bench.put('pos', access);
    const client = bench.clients.add();
    bench.clients.people.delete(client.id);
    await enqueue(deleted(client, 'c-1'));
    await workAll();
    expect(told()).toEqual([]);
    expect(await job(client)).toMatchObject({ action: 'delete_customer', status: 'pending' });
    await connect('pos');
    await workAll();
    expect(told()).toEqual(['DELETE /customers/c-1']);
  });

  it('is seen for thirty days to be owed to a system that is not set up, and for as long as it takes to one that is off', async () => {
    await bench.put('pos', access);
    const [off, unset] = [bench.clients.add(), bench.clients.add()];
    const ofCrm = { external_identities: [{ provider: 'crm_sync', external_id: 'c-3' }] };
    await enqueue(
      deleted(off, 'c-1'),
      createEvent('clients.deleted', {
        ...about(unset.id),
        data: { client_id: unset.id, ...ofCrm },
      }),
    );
    const forget = () => workOffJob(integrationJobs(bench.deps), 'forget-told-clients');
    bench.clock.advanceMs(29 * 24 * HOUR);
    await forget();
    expect([await job(off), await job(unset)]).toMatchObject([
      { provider: 'pos', status: 'pending' },
      { provider: 'crm_sync', status: 'pending' },
    ]);
    bench.clock.advanceMs(2 * 24 * HOUR);
    await forget();
    expect([await job(off), await job(unset)]).toMatchObject([{ provider: 'pos' }, undefined]);
  });

  it('is seen to be owed to a system that is not set up; one that is set up later may know another by the id', async () => {
    const [client, stranger] = [bench.clients.add(), bench.clients.add()];
    await enqueue(deleted(client, 'c-2'), deleted(stranger));
    const { data } = await listOutboundJobs(bench.deps, {
      workspace_id: bench.workspaceId,
      limit: 10,
    });
    const shown = { provider: 'pos', action: 'delete_customer', client_id: client.id };
    expect(data).toMatchObject([{ ...shown, external_id: 'c-2', status: 'pending' }]);
    await connect('pos');
    await workAll();
    expect(told().filter((call) => call.startsWith('DELETE'))).toEqual([]);
    expect(await job(client)).toBeUndefined();
  });

  it('is deleted elsewhere by identifiers alone, and no late change brings them back', async () => {
    await connect('pos');
    const client = bench.clients.add();
    bench.clients.people.delete(client.id);
    await enqueue(deleted(client, 'c 7/8'), changed(client));
    const row = await job(client);
    expect(row).toMatchObject({ action: 'delete_customer', external_id: 'c 7/8' });
    expect(JSON.stringify(row)).not.toContain('mail.example');
    await workAll();
    await enqueue(changed(client));
    await workAll();
    expect(told()).toEqual(['DELETE /customers/c%207%2F8']);
  });

  it('while they are being sent is deleted right after', async () => {
    await connect('pos');
    const client = bench.clients.add();
    bench.respond = async ({ method }) => {
      if (method === 'POST') {
        bench.clients.people.delete(client.id);
        await enqueue(deleted(client));
        return { status: 201, error: null, retryAfterMs: null, json: { id: 'c-1' } };
      }
      return { status: 200, error: null, retryAfterMs: null };
    };
    await enqueue(changed(client));
    await workAll();
    expect(told().slice(0, 2)).toEqual(['POST /customers', 'DELETE /customers/c-1']);
  });

  it('is nothing to a till that does not know them; a customer who is gone there is as good as deleted', async () => {
    await connect('pos');
    const [unknown, known] = [bench.clients.add(), bench.clients.add()];
    bench.clients.people.clear();
    bench.respond = () => failing(404);
    await enqueue(deleted(unknown), deleted(known, 'c-2'));
    await workAll();
    expect(told()).toEqual(['DELETE /customers/c-2']);
    expect(await job(known)).toMatchObject({ status: 'done' });
  });

  it('by a merge leaves the id that passed to the other client alone', async () => {
    await connect('pos');
    const [source, target] = [bench.clients.add(), bench.clients.add()];
    await bench.deps.outboundJobs.enqueue(
      {
        workspaceId: bench.workspaceId,
        provider: 'pos',
        clientId: source.id,
        action: 'upsert_customer',
        externalId: 'c-3',
      },
      bench.clock.now(),
    );
    bench.clients.identities.set(target.id, 'pos:c-3');
    bench.clients.people.delete(source.id);
    const data = { source_client_id: source.id, target_client_id: target.id };
    await enqueue(createEvent('clients.merged', { ...about(target.id), data }));
    await workAll();
    expect(told()).toEqual(['PUT /customers/c-3']);
  });

  it('by a merge is deleted by an id that the other client did not take over', async () => {
    await connect('pos');
    const [source, target] = [bench.clients.add(), bench.clients.add()];
    bench.clients.identities.set(target.id, 'pos:c-5');
    bench.clients.people.delete(source.id);
    const ids = { source_client_id: source.id, target_client_id: target.id };
    await enqueue(
      createEvent('clients.merged', { ...about(target.id), data: { ...ids, ...known('c-6') } }),
    );
    await workAll();
    expect(told().sort()).toEqual(['DELETE /customers/c-6', 'PUT /customers/c-5']);
  });

  it('is deleted by the id that came with it, though a change is worked on that knows of none', async () => {
    await connect('pos');
    const client = bench.clients.add();
    await enqueue(changed(client));
    bench.clients.people.delete(client.id);
    jest.spyOn(bench.clients, 'GetClients').mockImplementationOnce(async () => {
      await enqueue(deleted(client, 'c-7'));
      return { clients: [] };
    });
    await workAll();
    expect(told()).toEqual(['DELETE /customers/c-7']);
  });

  it('while a change of them is refused is deleted at once, not when that would be tried again', async () => {
    await connect('pos');
    const client = bench.clients.add();
    bench.clients.identities.set(client.id, 'pos:c-10');
    bench.respond = async ({ method }) => {
      if (method !== 'PUT') return { status: 200, error: null, retryAfterMs: null };
      bench.clients.people.delete(client.id);
      await enqueue(deleted(client, 'c-10'));
      return { ...failing(503), retryAfterMs: HOUR };
    };
    await enqueue(changed(client));
    await workAll();
    expect(told()).toEqual(['PUT /customers/c-10', 'DELETE /customers/c-10']);
  });

  it('by anonymization is deleted where the till made a customer of them meanwhile', async () => {
    await connect('pos');
    const client = bench.clients.add();
    bench.respond = async ({ method }) => {
      if (method !== 'POST') return { status: 200, error: null, retryAfterMs: null };
      await enqueue(erased(client));
      return { status: 201, error: null, retryAfterMs: null, json: { id: 'c-8' } };
    };
    await enqueue(changed(client));
    await workAll();
    expect(told()).toEqual(['POST /customers', 'DELETE /customers/c-8']);
    expect(await job(client)).toMatchObject({ status: 'done' });
  });

  it('by anonymization is deleted by the id that the till gave before, where the event has none', async () => {
    await connect('pos');
    const client = bench.clients.add();
    bench.respond = () => ({ status: 201, error: null, retryAfterMs: null, json: { id: 'c-9' } });
    await enqueue(changed(client));
    await workAll();
    bench.clients.erase(client.id);
    await enqueue(changed(client));
    await workAll();
    expect(told()).toEqual(['POST /customers', 'DELETE /customers/c-9']);
  });

  it('by anonymization is deleted at the till, and emptied in the CRM', async () => {
    await connect('pos');
    await connect('crm_sync');
    const client = bench.clients.add();
    bench.clients.identities.set(client.id, 'pos:c-4');
    await enqueue(erased(client, 'c-4'));
    await workAll();
    expect(told().sort()).toEqual(['DELETE /customers/c-4', `PUT /clients/${client.id}`]);
    expect(bench.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      email: null,
      status: 'anonymized',
    });
  });
});

it('many enqueue and many work at once, and every client is sent at last, never twice at a time', async () => {
  await connect('crm_sync');
  const people = Array.from({ length: 10 }, () => bench.clients.add({ first_name: '0' }));
  const inFlight = new Set<string>();
  const lastTold = new Map<string, string>();
  let overlaps = 0;
  bench.respond = async ({ url, body }) => {
    if (inFlight.has(url)) overlaps += 1;
    inFlight.add(url);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    lastTold.set(url, (body as { first_name: string }).first_name);
    inFlight.delete(url);
    return { status: 200, error: null, retryAfterMs: null };
  };
  const change = async (client: api.Client) => {
    for (let count = 1; count <= 5; count += 1) {
      client.first_name = String(count);
      await enqueue(changed(client));
    }
  };
  await Promise.all([...people.map(change), ...Array.from({ length: 4 }, workAll)]);
  await workAll();
  expect(overlaps).toBe(0);
  expect([...lastTold.values()]).toEqual(people.map(() => '5'));
});
