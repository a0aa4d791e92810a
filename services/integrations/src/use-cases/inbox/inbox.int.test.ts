import { createEvent, type EventMap } from '@laurel/events';
import { forgetSandbox, newId, noteSandbox } from '@laurel/lifecycle';
import { removeWorkspace } from '@laurel/mongo';
import { createVault, resealAll } from '@laurel/secrets';
import { atEveryCall, type Death, mortal, underOneKey } from '@laurel/testing';
import { IntegrationBench, MAPPING, secretsKey } from '../../testing/integration-bench';
import { followDeparture } from '../../testing/workbench';
import { exportClient } from '../export-client';
import { deleteIntegration } from '../integration/delete-integration';
import { getIntegrationHealth } from '../integration/get-integration-health';
import { putIntegration } from '../integration/put-integration';
import { getIntegration } from '../integration/read-integrations';
import { accountOf } from '../integration/require-integration';
import { provisionInbox } from './provision-inbox';
import { getInboxMessage, listInboxMessages } from './read-inbox-messages';
import { receiveInboxMessage } from './receive-inbox-message';
import { retryInboxMessage } from './retry-inbox-message';

let root: IntegrationBench;
let bench: IntegrationBench;
const SECOND = 1_000;
const SALE_AWAITED_MS = 600 * SECOND;

beforeAll(async () => {
  root = await IntegrationBench.open();
});
beforeEach(() => {
  bench = root.inNewWorkspace();
});
afterEach(() => removeWorkspace(bench.deps, bench.workspaceId));
afterAll(() => root.store.drop());

const request = (provider = 'webhook_inbox') => ({ workspace_id: bench.workspaceId, provider });
const messages = async () =>
  (await listInboxMessages(bench.deps, { ...request(), limit: 1_000 })).data;
async function depart<Type extends 'clients.merged' | 'clients.deleted' | 'clients.anonymized'>(
  type: Type,
  data: EventMap[Type],
): Promise<void> {
  const { workspaceId } = bench;
  const event = createEvent(type, { workspaceId, subject: newId(), data });
  await followDeparture(bench.deps, event);
}
const sale = (email: string, id: string = newId()) => ({ id, email, total: 5 });

/** An inbox to which a shop tells sales and refunds of one client. */
async function openTill(): Promise<(told: object) => Promise<unknown>> {
  const mapping = { ...MAPPING, event_type: 'body.type', original_external_id: 'body.refund_of' };
  const { data, token } = await bench.put('webhook_inbox', {
    enabled_inbound: true,
    config: { mapping },
  });
  const { email } = bench.clients.add();
  return (told) =>
    bench.post(data!.inbox_id!, token!, { ...sale(email!), type: 'refund', ...told });
}

describe('a message', () => {
  it.each(['before', 'after'] as const)(
    'makes one event, wherever the worker dies: %s each of its calls',
    async (when) => {
      const post = await bench.openInbox();
      const calls = await atEveryCall(when, async (death: Death) => {
        const client = bench.clients.add();
        const before = bench.clients.recorded;
        await post({ email: client.email, total: 1 });
        const process = mortal(bench.store.connection, death);
        const deps = bench.depsOn(process.connection, process.peer);
        process.arm();
        await Promise.race([bench.workMessage(deps), process.died]);
        await bench.outlastLeases();
        while (await bench.workMessage());
        expect(bench.clients.recorded).toBe(before + 1);
        expect((await messages()).every(({ status }) => status === 'processed')).toBe(true);
        return !process.isDead();
      });
      expect(calls).toBeGreaterThan(4);
    },
  );

  it('is made an event by one worker, however many work', async () => {
    const post = await bench.openInbox();
    const client = bench.clients.add();
    for (let count = 0; count < 40; count += 1) await post(sale(client.email!));
    const worker = async (): Promise<number> => {
      let worked = 0;
      while (await bench.workMessage()) worked += 1;
      return worked;
    };
    const shares = await Promise.all(Array.from({ length: 4 }, worker));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(40);
    expect(bench.clients.recorded).toBe(40);
  });

  it('with a key that no store takes, however it is spelled, is refused to its sender; such a header is not kept', async () => {
    const { data, token } = await bench.put('webhook_inbox', {
      enabled_inbound: true,
      config: { mapping: MAPPING },
    });
    const send = (text: string, headers = {}) => {
      const body = Buffer.from(text);
      const message = { inbox_id: data!.inbox_id!, token: token!, body, headers };
      return receiveInboxMessage(bench.deps, message);
    };
    for (const key of ['_bsontype', '__proto__', 'constructor'])
      await expect(send(`{"a":[{"${key}":{"b":1}}]}`)).rejects.toMatchObject({
        httpStatus: 400,
        problems: [{ field: `a.0.${key}` }],
      });
    await expect(send('{"\\u005fbsontype":"x"}')).rejects.toMatchObject({ httpStatus: 400 });
    const { id } = await send('{"a":1}', { _bsontype: 'Long', 'x-shop': 'web' });
    expect(await getInboxMessage(bench.deps, { ...request(), id })).toMatchObject({
      headers: { 'x-shop': 'web' },
    });
    expect((await messages()).map((message) => message.id)).toEqual([id]);
  });

  it('is listed once, page by page, and no page promises another that is empty', async () => {
    const post = await bench.openInbox();
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push((await post(sale('a@mail.example'))).id);
    const first = await listInboxMessages(bench.deps, { ...request(), limit: 2 });
    const cursor = first.next_cursor!;
    const second = await listInboxMessages(bench.deps, { ...request(), limit: 2, cursor });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.reverse());
    expect(second.next_cursor).toBeNull();
  });

  it('that a stalled worker goes on with after its lease changes nothing any more', async () => {
    const post = await bench.openInbox();
    await post(sale(bench.clients.add().email!));
    const [stalled] = await bench.claimMessages(1);
    bench.clock.advanceMs(2);
    await bench.workMessage();
    const failure = { error: 'too late', now: bench.clock.now() };
    await bench.deps.messages.fail(stalled!, failure);
    expect(await messages()).toMatchObject([
      { status: 'processed', attempts: 2, last_error: null },
    ]);
  });

  it('about an unknown client is tried eight times, each time after twice as long, and again when somebody asks', async () => {
    const post = await bench.openInbox();
    await post(sale('nobody@mail.example'));
    for (let attempt = 1; attempt < 8; attempt += 1) {
      expect(await bench.workMessage()).toBe(true);
      expect(await messages()).toMatchObject([{ status: 'pending', attempts: attempt }]);
      bench.clock.advanceMs(SECOND * 2 ** (attempt - 1) - 1);
      expect(await bench.workMessage()).toBe(false);
      bench.clock.advanceMs(1);
    }
    await bench.workMessage();
    const [failed] = await messages();
    expect(failed).toMatchObject({ status: 'failed', attempts: 8, next_attempt_at: null });
    // Who was looked for stands in the body alone.
    expect(failed!.last_error).toBe('no client was found by email');
    const { last_error } = await getIntegration(bench.deps, request());
    expect(last_error).toBe('no client was found by email');
    bench.clients.add({ email: 'nobody@mail.example' });
    const retry = underOneKey(() =>
      retryInboxMessage(bench.deps, { ...request(), id: failed!.id }),
    );
    for (let asked = 0; asked < 2; asked += 1)
      expect(await retry()).toMatchObject({ status: 'pending', attempts: 0 });
    const another = retryInboxMessage(bench.deps, { ...request(), id: failed!.id });
    await expect(another).rejects.toMatchObject({ httpStatus: 409 });
    // What is kept of the retry does not say who was looked for.
    const kept = await bench.store.connection.collection('operations').find({}).toArray();
    expect(JSON.stringify(kept)).not.toContain('nobody@mail.example');
    await bench.workMessage();
    expect(await messages()).toMatchObject([{ status: 'processed', outcome: 'recorded' }]);
  });

  it('that names a client who was merged meanwhile is about who they are now', async () => {
    const mapping = { ...MAPPING, client_id: 'body.who' };
    const { data, token } = await bench.put('webhook_inbox', {
      enabled_inbound: true,
      config: { mapping },
    });
    const [source, target] = [newId(), bench.clients.add()];
    bench.clients.successors.set(source, target.id);
    await bench.post(data!.inbox_id!, token!, { id: 'one', total: 5, who: source.toUpperCase() });
    await bench.workMessage();
    expect(await messages()).toMatchObject([{ outcome: 'recorded', client_id: target.id }]);
    await bench.post(data!.inbox_id!, token!, { id: 'two', total: 5, who: newId() });
    await bench.workMessage();
    expect((await messages())[0]).toMatchObject({ status: 'pending', client_id: null });
  });

  it('that is a refund says in the log whether its sale was found, and nothing where it names none', async () => {
    const told = await openTill();
    bench.clients.links.set('till-1', 'linked').set('till-2', 'exceeds');
    for (const refund_of of ['till-1', 'till-2', 777]) await told({ refund_of });
    await told({});
    await told({ type: 'purchase' });
    while (await bench.workMessage());
    bench.clock.advanceMs(SALE_AWAITED_MS);
    while (await bench.workMessage());
    const page = await messages();
    expect(page.reverse().map(({ refund_link }) => refund_link)).toEqual([
      'linked',
      'exceeds',
      'not_found',
      null,
      null,
    ]);
    const { id } = page[0]!;
    expect(await getInboxMessage(bench.deps, { ...request(), id })).toMatchObject({
      refund_link: 'linked',
    });
  });

  it('that is a refund and overtakes its sale, which waits for what was away, gives that back once it is there', async () => {
    const told = await openTill();
    bench.clients.away = true;
    await told({ id: 'till-1', type: 'purchase' });
    await bench.workMessage();
    bench.clients.away = false;
    await told({ refund_of: 'till-1' });
    for (let second = 0; second < 20; second += 1) {
      while (await bench.workMessage());
      bench.clock.advanceMs(SECOND);
    }
    expect(await messages()).toMatchObject([
      { status: 'processed', refund_link: 'linked', attempts: 1 },
      { status: 'processed', refund_link: null },
    ]);
  });

  it('that is a refund looks for ten minutes for its sale, which costs no attempt, and is recorded without it then', async () => {
    const told = await openTill();
    await told({ refund_of: 'never' });
    let looks = 0;
    for (let waitedMs = 0; waitedMs < SALE_AWAITED_MS; waitedMs += 10 * SECOND) {
      while (await bench.workMessage()) looks += 1;
      expect(await messages()).toMatchObject([
        { status: 'pending', attempts: 0, last_error: expect.stringContaining('sale') },
      ]);
      bench.clock.advanceMs(10 * SECOND);
    }
    expect(looks).toBeLessThan(20);
    expect(bench.clients.recorded).toBe(0);
    await bench.workMessage();
    expect(await messages()).toMatchObject([
      { status: 'processed', outcome: 'recorded', refund_link: 'not_found', last_error: null },
    ]);
  });

  it('that is a refund waits afresh for its sale where something else kept both meanwhile', async () => {
    const told = await openTill();
    await told({ refund_of: 'till-1' });
    await bench.workMessage();
    await bench.put('webhook_inbox', { enabled_inbound: false });
    await told({ id: 'till-1', type: 'purchase' });
    while (await bench.workMessage());
    bench.clock.advanceMs(2 * SALE_AWAITED_MS);
    await bench.put('webhook_inbox', { enabled_inbound: true });
    while (await bench.workMessage());
    bench.clock.advanceMs(SECOND);
    while (await bench.workMessage());
    expect(await messages()).toMatchObject([
      { status: 'processed', outcome: 'recorded' },
      { status: 'processed', refund_link: 'linked' },
    ]);
  });

  it('that cannot be read fails at once', async () => {
    const post = await bench.openInbox();
    await post({ email: 'a@mail.example', total: 'much' });
    await post({ email: 'a@mail.example', total: -1 });
    await post([1, 2]);
    while (await bench.workMessage());
    expect((await messages()).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array.from({ length: 3 }, () => ['failed', 1]),
    );
  });

  it('loses no attempt while another part of the platform is away', async () => {
    const post = await bench.openInbox();
    await post(sale(bench.clients.add().email!));
    bench.clients.away = true;
    for (let count = 0; count < 12; count += 1) {
      await bench.workMessage();
      bench.clock.advanceMs(5 * SECOND);
    }
    expect(await messages()).toMatchObject([{ status: 'pending', attempts: 0 }]);
    bench.clients.away = false;
    await bench.workMessage();
    expect(await messages()).toMatchObject([{ status: 'processed', attempts: 1 }]);
  });

  it('is in the workspace’s currency when it names none, and of when it arrived', async () => {
    const post = await bench.openInbox();
    await post(sale(bench.clients.add().email!));
    const receivedAt = bench.clock.now().toISOString();
    bench.clock.advanceMs(SECOND);
    await bench.workMessage();
    const entry = [...bench.clients.trail.values()].at(-1);
    expect(entry).toMatchObject({
      currency: 'CHF',
      event_timestamp: receivedAt,
      source: 'webhook_inbox',
    });
  });

  it('of a sandbox is dated and judged by the clock that its members live by', async () => {
    const aheadMs = 60 * 86_400_000;
    const post = await bench.openInbox();
    const mapping = { ...MAPPING, event_timestamp: 'body.at' };
    await bench.put('webhook_inbox', { config: { mapping } });
    noteSandbox(bench.workspaceId, aheadMs);
    const present = new Date(bench.clock.now().getTime() + aheadMs).toISOString();
    const { email } = bench.clients.add();
    await post({ ...sale(email!), at: present });
    await post(sale(email!));
    while (await bench.workMessage());
    forgetSandbox(bench.workspaceId);
    expect((await messages()).map(({ status }) => status)).toEqual(['processed', 'processed']);
    const dated = [...bench.clients.trail.values()].map((entry) => entry.event_timestamp);
    expect(dated).toEqual([present, present]);
  });

  it('waits until receiving is on, which a mapping is needed for, and is worked on as soon as it is', async () => {
    await bench.put('webhook_inbox');
    const { data, token } = await provisionInbox(bench.deps, request());
    const client = bench.clients.add();
    await bench.post(data!.inbox_id!, token!, { who: client.email });
    await bench.workMessage();
    expect(await messages()).toMatchObject([
      { status: 'pending', attempts: 0, last_error: 'receiving is switched off' },
    ]);
    await expect(bench.put('webhook_inbox', { enabled_inbound: true })).rejects.toMatchObject({
      httpStatus: 400,
      problems: [{ field: 'enabled_inbound', message: expect.stringContaining('config.mapping') }],
    });
    const mapping = { event_category: '"custom"', event_type: '"hello"', email: 'body.who' };
    await bench.put('webhook_inbox', { enabled_inbound: true, config: { mapping } });
    await bench.workMessage();
    expect(await messages()).toMatchObject([{ status: 'processed', client_id: client.id }]);
  });

  it('goes when the person goes, moves when they are merged, and is part of what they may see', async () => {
    const post = await bench.openInbox();
    const client = bench.clients.add();
    await post(sale(client.email!));
    await bench.workMessage();
    const other = newId();
    await depart('clients.merged', { source_client_id: client.id, target_client_id: other });
    const held = await exportClient(bench.deps, {
      workspace_id: bench.workspaceId,
      client_id: other,
    });
    expect(held.data).toMatchObject({ inbox_messages: [{ body: { email: client.email } }] });
    await depart('clients.anonymized', { client_id: other });
    expect(await messages()).toEqual([]);
  });

  it.each(['clients.merged', 'clients.deleted'] as const)(
    'of a client who goes by %s while it is processed goes with them',
    async (type) => {
      const post = await bench.openInbox();
      const [client, target] = [bench.clients.add(), newId()];
      await post(sale(client.email!));
      const { RecordTrail } = bench.clients;
      const clients = Object.create(bench.clients) as typeof bench.clients;
      clients.RecordTrail = async (request) => {
        const recorded = await RecordTrail.call(bench.clients, request);
        const merged = { source_client_id: client.id, target_client_id: target };
        if (type === 'clients.merged') await depart(type, merged);
        else await depart(type, { client_id: client.id, external_identities: [] });
        return recorded;
      };
      await bench.workMessage({ ...bench.deps, clients });
      const left = type === 'clients.merged' ? [{ client_id: target }] : [];
      expect(await messages()).toMatchObject(left);
    },
  );
});

describe('an id above 2^53', () => {
  it('is kept as its text: two that are one as doubles are two sales, and a long one stays whole', async () => {
    const client = bench.clients.add();
    const { data, token } = await bench.put('webhook_inbox', {
      enabled_inbound: true,
      config: { mapping: { ...MAPPING, metadata: 'body' } },
    });
    const ids = ['9007199254740993', '9007199254740992', '123456789012345678901234567890'];
    for (const id of ids) {
      const text = `{"id":${id},"total":11.5,"email":"${client.email}"}`;
      const body = Buffer.from(text);
      const message = { inbox_id: data!.inbox_id!, token: token!, body, headers: {} };
      const { id: messageId } = await receiveInboxMessage(bench.deps, message);
      expect(await getInboxMessage(bench.deps, { ...request(), id: messageId })).toMatchObject({
        body: { id, total: 11.5 },
      });
      await bench.workMessage();
    }
    expect(await messages()).toMatchObject(ids.map(() => ({ outcome: 'recorded' })));
    const trail = [...bench.clients.trail.values()];
    expect(trail.map(({ external_id }) => external_id)).toEqual(ids);
    expect(trail.map(({ metadata }) => (metadata as { id: string }).id)).toEqual(ids);
  });
});

describe('an inbox', () => {
  it('is there once when many switch receiving on at once, and one of them has its token', async () => {
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () =>
        bench.put('webhook_inbox', { enabled_inbound: true, config: { mapping: MAPPING } }),
      ),
      ...Array.from({ length: 5 }, () => bench.put('webhook_inbox', { config: {} })),
    ]);
    await provisionInbox(bench.deps, request());
    const { inbox_id } = await getIntegration(bench.deps, request());
    expect(replies.filter(({ token }) => token !== undefined)).toHaveLength(1);
    const inboxes = bench.store.connection.collection('inboxes');
    const rows = await inboxes.find({ workspace_id: bench.workspaceId }).toArray();
    expect(rows.map(({ _id }) => String(_id))).toEqual([inbox_id]);
    const { token } = replies.find((reply) => reply.token !== undefined)!;
    expect(JSON.stringify(rows)).not.toContain(token);
    await expect(bench.post(inbox_id!, token!, {})).resolves.toMatchObject({ status: 'pending' });
    await expect(bench.post(inbox_id!, `${token}x`, {})).rejects.toMatchObject({ httpStatus: 404 });
  });

  it.each(['before', 'after'] as const)(
    'and its integration are saved both or not at all, wherever the save dies: %s each call',
    async (when) => {
      await atEveryCall(when, async (death) => {
        bench = root.inNewWorkspace();
        const process = mortal(bench.store.connection, death);
        const dying = bench.depsOn(process.connection, process.peer);
        process.arm();
        const body = { ...request(), enabled_inbound: true, config: { mapping: MAPPING } };
        await Promise.race([putIntegration(dying, body), process.died]);
        const row = await bench.deps.integrations.get(bench.workspaceId, 'webhook_inbox');
        const inboxes = bench.store.connection.collection('inboxes');
        const rows = await inboxes.find({ workspace_id: bench.workspaceId }).toArray();
        expect(rows.map(({ _id }) => String(_id))).toEqual(row ? [row.inbox_id] : []);
        return !process.isDead();
      });
    },
  );

  it('that was made anew does nothing about what came into the one before', async () => {
    const post = await bench.openInbox();
    await post(sale(bench.clients.add().email!));
    const inboxes = bench.store.connection.collection('inboxes');
    await inboxes.deleteMany({ workspace_id: bench.workspaceId });
    await getIntegrationHealth(bench.deps, request());
    const { inbox_id } = await getIntegration(bench.deps, request());
    const [row] = await inboxes.find({ workspace_id: bench.workspaceId }).toArray();
    expect(String(row!._id)).toBe(inbox_id);
    await bench.workMessage();
    expect(bench.clients.trail.size).toBe(0);
    expect(await messages()).toEqual([]);
  });

  it('that is gone is reported once, and is made anew where receiving is on', async () => {
    await bench.openInbox();
    const inboxes = bench.store.connection.collection('inboxes');
    await inboxes.deleteMany({ workspace_id: bench.workspaceId });
    const reports = await Promise.all(
      [1, 2, 3].map(() => getIntegrationHealth(bench.deps, request())),
    );
    expect(reports.some(({ inbox_missing }) => inbox_missing)).toBe(true);
    expect(await getIntegrationHealth(bench.deps, request())).toMatchObject({
      inbox: { processed_24h: 0 },
    });
    await bench.put('webhook_inbox', { enabled_inbound: false });
    await inboxes.deleteMany({ workspace_id: bench.workspaceId });
    expect(await getIntegrationHealth(bench.deps, request())).toMatchObject({
      inbox_missing: true,
    });
    const { inbox_id, inbox_ingest_url } = await getIntegration(bench.deps, request());
    expect([inbox_id, inbox_ingest_url]).toEqual([null, null]);
  });

  it('leaves nothing to be worked on when its integration is deleted', async () => {
    const post = await bench.openInbox();
    await post(sale(bench.clients.add().email!));
    const [message] = await bench.claimMessages(SECOND);
    await deleteIntegration(bench.deps, request());
    await bench.deps.messages.insert({ ...message!, _id: newId(), due_at: bench.clock.now() });
    await bench.outlastLeases();
    while (await bench.workMessage());
    expect(bench.clients.recorded).toBe(0);
    const rows = bench.store.connection.collection('inbox_messages');
    expect(await rows.countDocuments({ workspace_id: bench.workspaceId })).toBe(0);
    await expect(post({})).rejects.toMatchObject({ httpStatus: 404 });
  });

  it('of another workspace has no owner here', async () => {
    const post = await bench.openInbox();
    await post(sale('nobody@mail.example'));
    const [message] = await messages();
    const other = root.inNewWorkspace();
    await other.openInbox();
    const foreign = { workspace_id: other.workspaceId, provider: 'webhook_inbox', id: message!.id };
    await expect(retryInboxMessage(bench.deps, foreign)).rejects.toMatchObject({ httpStatus: 404 });
    expect((await listInboxMessages(bench.deps, { ...foreign, limit: 10 })).data).toEqual([]);
    await removeWorkspace(bench.deps, other.workspaceId);
    expect(await messages()).toHaveLength(1);
  });
});

describe('a secret', () => {
  it('is stored encrypted for its own place, and anew when the key is replaced', async () => {
    await bench.put('pos', { secrets: { api_key: 'a secret of the till' } });
    const rows = bench.store.connection.collection('integrations');
    const stored = JSON.stringify(await rows.findOne({ workspace_id: bench.workspaceId }));
    expect(stored).not.toContain('a secret of');
    const vault = createVault(Buffer.alloc(32, 9).toString('base64'), secretsKey);
    await resealAll(vault, bench.deps.integrations.sealed);
    const row = await bench.deps.integrations.get(bench.workspaceId, 'pos');
    expect(row!.secrets[0]!.sealed.key_id).toBe(vault.currentKeyId);
    expect(accountOf({ vault }, row!).secrets).toEqual({ api_key: 'a secret of the till' });
    expect(() => accountOf({ vault }, { ...row!, workspace_id: newId() })).toThrow();
  });
});
