import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { until } from '@laurel/testing';
import type { Reply } from './support/api';
import { onOneDay } from './support/days';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';

const points = ':ws/loyalty/points';

interface Scene {
  workspace: TestWorkspace;
  code: string;
  ids: string[];
}

test('a workspace that holds more than one wallet may is summed up all the same', async () => {
  const workspace = await newWorkspace();
  await newWalletType(workspace);
  for (const amount of [100_000_000_000, 100_000_000_000, 0.5]) {
    const { id: client_id } = await newClient(workspace);
    expectStatus(await workspace.post(`${points}/earn`, { client_id, amount }), 201);
  }
  const { data } = expectStatus(await workspace.get(`${points}/summary`), 200).body;
  expect(JSON.stringify(data)).toContain('200000000000.5');
});

/** A workspace with two clients and a handful of entries. */
async function scene(): Promise<Scene> {
  const workspace = await newWorkspace();
  const { code } = await newWalletType(workspace);
  const ids = [(await newClient(workspace)).id, (await newClient(workspace)).id];
  const act = async (op: string, body: object) =>
    expectStatus(await workspace.post(`${points}/${op}`, body), 201);
  await act('earn', { client_id: ids[0], amount: 100 });
  await act('earn', { client_id: ids[0], amount: 50, pending_days: 5 });
  await act('spend', { client_id: ids[0], amount: 30 });
  await act('lock', { client_id: ids[0], amount: 10 });
  await act('earn', { client_id: ids[1], amount: 7 });
  await act('adjust', { client_id: ids[1], amount: -2, description: 'x' });
  return { workspace, code, ids };
}

const idsOf = (reply: Reply): string[] => reply.body.data.map((entry: { id: string }) => entry.id);
const typesOf = (reply: Reply): string[] =>
  reply.body.data.map((entry: { type: string }) => entry.type);

describe('ledger lists', () => {
  let here: Scene;
  let day: string;
  let stranger: TestWorkspace;
  beforeAll(async () => {
    await onOneDay(async (today) => {
      here = await scene();
      day = today;
    });
    stranger = await newWorkspace();
  });
  const list = (query: Record<string, string | number> = {}) =>
    here.workspace.get(`${points}/ledger`, query);
  const listOf = (id: string, query: Record<string, string | number> = {}) =>
    here.workspace.get(`:ws/clients/${id}/points/ledger`, query);

  test('say whose each entry is where that is asked for, and nothing more where it is not', async () => {
    const [entry] = expectStatus(await list({ expand: 'client', limit: 1 }), 200).body.data;
    const { id, first_name, last_name, email } = (
      await here.workspace.get(`:ws/clients/${here.ids[1]}`)
    ).body.data;
    expect(entry).toMatchObject({ client_id: id, client: { id, first_name, last_name, email } });
    const [plain] = expectStatus(await list({ limit: 1 }), 200).body.data;
    expect(plain).not.toHaveProperty('client');
    expectStatus(await list({ expand: 'wallet' }), 400);
  });

  test('newest first, with meta', async () => {
    const reply = expectStatus(await list(), 200);
    expect(typesOf(reply)).toEqual(['adjust', 'earn', 'lock', 'spend', 'earn', 'earn']);
    expect(reply.body.meta).toEqual({
      total_count: 6,
      returned_count: 6,
      offset: 0,
      next_cursor: null,
    });
    const own = await listOf(here.ids[0]!);
    expect(own.body.data.map((entry: { sequence: number }) => entry.sequence)).toEqual([
      4, 3, 2, 1,
    ]);
    expect(own.body.meta).toEqual({
      total_count: 4,
      returned_count: 4,
      offset: 0,
      next_cursor: null,
    });
  });

  test('offset and cursor walk the same list', async () => {
    for (const read of [
      list,
      (query: Record<string, string | number>) => listOf(here.ids[0]!, query),
    ]) {
      const all = idsOf(await read({}));
      const second = await read({ limit: 2, offset: 2 });
      expect(idsOf(second)).toEqual(all.slice(2, 4));
      expect(second.body.meta).toMatchObject({
        total_count: all.length,
        returned_count: 2,
        offset: 2,
      });
      const walked: string[] = [];
      let query: Record<string, string | number> = { limit: 2 };
      for (;;) {
        const page = await read(query);
        walked.push(...idsOf(page));
        if (page.body.meta.next_cursor === null) break;
        query = { limit: 2, cursor: page.body.meta.next_cursor };
      }
      expect(walked).toEqual(all);
    }
  });

  test('filters compose', async () => {
    expect(typesOf(await list({ client_id: here.ids[1]! }))).toEqual(['adjust', 'earn']);
    expect((await list({ type: 'earn' })).body.meta.total_count).toBe(3);
    expect(typesOf(await list({ status: 'pending' }))).toEqual(['earn']);
    expect(typesOf(await listOf(here.ids[0]!, { type: 'lock', status: 'locked' }))).toEqual([
      'lock',
    ]);
    expect((await list({ from_date: day, to_date: day })).body.meta.total_count).toBe(6);
    expect((await list({ to_date: '2020-01-01' })).body.data).toEqual([]);
    expect((await listOf(here.ids[0]!, { from_date: '2090-01-01' })).body.data).toEqual([]);
    expect((await list({ wallet_type_code: here.code })).body.meta.total_count).toBe(6);
  });

  test.each<Record<string, string | number>>([
    { limit: 0 },
    { limit: 1_001 },
    { limit: 'all' },
    { offset: -1 },
    { type: 'gift' },
    { status: 'lost' },
    { from_date: 'yesterday' },
    { cursor: 'made-up' },
    { client_id: 'x' },
    { client_id: randomUUID() },
    { wallet_type_code: 'nothing' },
    { surprise: 1 },
  ])('refuses %j', async (query) => {
    expect((await list(query)).status).toBe(400);
  });

  test('cursor excludes offset', async () => {
    const { next_cursor } = (await list({ limit: 1 })).body.meta;
    expect((await list({ limit: 1, cursor: next_cursor, offset: 1 })).status).toBe(400);
  });

  test("a client's ledger without any default wallet type is empty; an unknown client is 404", async () => {
    const { id } = await newClient(stranger);
    const reply = await stranger.get(`:ws/clients/${id}/points/ledger`);
    expect(reply.body).toEqual({
      data: [],
      meta: { total_count: 0, returned_count: 0, offset: 0, next_cursor: null },
    });
    expect((await listOf(randomUUID())).status).toBe(404);
    expect((await stranger.get(`:ws/clients/${here.ids[0]}/points/ledger`)).status).toBe(404);
    expect((await stranger.get(`:ws/clients/${here.ids[0]}/wallets`)).status).toBe(404);
    expect((await stranger.get(`:ws/clients/${here.ids[0]}/points/expiring`)).status).toBe(404);
  });

  test('one entry, and only in its workspace', async () => {
    const [first] = (await list()).body.data;
    expect((await here.workspace.get(`${points}/ledger/${first.id}`)).body.data).toEqual(first);
    expect((await stranger.get(`${points}/ledger/${first.id}`)).status).toBe(404);
    expect((await stranger.get(`${points}/ledger/${first.id}/explain`)).status).toBe(404);
  });
});

describe('what is known of points', () => {
  test('wallets as they were', async () => {
    const { workspace, ids } = await scene();
    const entries = (await workspace.get(`:ws/clients/${ids[0]}/points/ledger`)).body.data;
    const walletAt = async (at: string) =>
      (await workspace.get(`:ws/clients/${ids[0]}/wallets`, { at })).body.data[0].wallet;
    expect(await walletAt('2020-01-01T00:00:00Z')).toMatchObject({
      active_balance: 0,
      total_earned: 0,
    });
    expect(await walletAt(entries[3].created_at)).toMatchObject({
      active_balance: expect.any(Number),
    });
    expect(await walletAt(new Date().toISOString())).toMatchObject({
      active_balance: 60,
      pending_balance: 50,
      locked_balance: 10,
      total_earned: 150,
      total_spent: 30,
    });
    expect((await workspace.get(`:ws/clients/${ids[0]}/wallets`, { at: 'then' })).status).toBe(400);
  });

  test('a client has a wallet of every active type, the default first', async () => {
    const { workspace, code, ids } = await scene();
    await newWalletType(workspace, { code: 'a_stars', name: 'A stars' });
    await newWalletType(workspace, { code: 'off', name: 'Off', active: false });
    const { data } = (await workspace.get(`:ws/clients/${ids[1]}/wallets`)).body;
    expect(data.map((one: { wallet_type: { code: string } }) => one.wallet_type.code)).toEqual([
      code,
      'a_stars',
    ]);
    expect(data[1].wallet).toMatchObject({ active_balance: 0, client_id: ids[1] });
  });

  test('the summary', () =>
    onOneDay(async (today) => {
      const { workspace } = await scene();
      const { data } = expectStatus(await workspace.get(`${points}/summary`), 200).body;
      const figures = {
        earned: 157,
        spent: 30,
        expired: 0,
        cancelled: 0,
        adjusted: 2,
        active_liability: 65,
        pending_liability: 50,
        locked: 10,
      };
      const { by_wallet_type, ...all } = data;
      expect(all).toEqual(figures);
      expect(by_wallet_type).toEqual([{ wallet_type_code: expect.any(String), ...figures }]);
      const grouped = (await workspace.get(`${points}/summary`, { group_by_time: 'day' })).body
        .data;
      expect(grouped.buckets).toEqual([
        { date: today, earned: 157, spent: 30, expired: 0, cancelled: 0, adjusted: 2 },
      ]);
      const before = (await workspace.get(`${points}/summary`, { to_date: '2020-01-01' })).body
        .data;
      expect(before).toMatchObject({ earned: 0, active_liability: 0 });
      expect((await workspace.get(`${points}/summary`, { group_by_time: 'year' })).status).toBe(
        400,
      );
    }));

  test('an entry can be explained', async () => {
    const { workspace, ids } = await scene();
    const entries = (await workspace.get(`:ws/clients/${ids[0]}/points/ledger`)).body.data;
    const [, spend, , earn] = entries;
    const explain = async (id: string) =>
      expectStatus(await workspace.get(`${points}/ledger/${id}/explain`), 200).body.data;
    const explained = await explain(spend.id);
    expect(explained).toMatchObject({
      entry: spend,
      caused_by: { type: 'manual', id: null, summary: expect.any(String) },
      lots_made: [],
      lots_consumed: [{ entry_id: earn.id, amount: 30, expires_at: null }],
      caps_applied: { max_balance: null, allow_negative_balance: false },
      chain_position: { sequence: 3, hash: spend.hash, prev_hash: spend.prev_hash },
    });
    expect((await explain(earn.id)).lots_made).toMatchObject([{ entry_id: earn.id, amount: 100 }]);
  });

  test('the ledger verifies, as a whole and in part', async () => {
    const { workspace, code, ids } = await scene();
    const verifyWith = async (body: object) =>
      expectStatus(await workspace.post(`${points}/verify`, body), 200).body.data;
    expect(await verifyWith({})).toEqual({
      wallets_checked: 2,
      entries_checked: 6,
      valid: true,
      problems: [],
    });
    expect(await verifyWith({ client_id: ids[1], wallet_type_code: code })).toMatchObject({
      wallets_checked: 1,
      entries_checked: 2,
    });
    const unknown = await workspace.post(`${points}/verify`, { client_id: randomUUID() });
    expectStatus(unknown, 400);
    expect(unknown.body.errors[0].extensions).toMatchObject({ field: 'client_id' });
  });

  test('the export has a line per entry with what its hash covers', async () => {
    const { workspace } = await scene();
    const reply = await workspace.get(`${points}/ledger/export`);
    expect(reply.headers.get('content-type')).toContain('application/x-ndjson');
    const lines = reply.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(6);
    expect(Object.keys(lines[0]).sort()).toEqual(['body', 'hash', 'note', 'prev_hash', 'status']);
    const none = await workspace.get(`${points}/ledger/export`, { to_date: '2020-01-01' });
    expect(none.text).toBe('');
  });

  test('checkpoints: none yet in a young workspace, unknown ones are 404', async () => {
    const { workspace } = await scene();
    const reply = await workspace.get(':ws/loyalty/checkpoints');
    expect(reply.body.data).toEqual(expect.any(Array));
    expect((await workspace.get(`:ws/loyalty/checkpoints/${randomUUID()}`)).status).toBe(404);
    for (const { public_key, signature, ...checkpoint } of reply.body.data) {
      const text = [
        'laurel-checkpoint-1',
        workspace.workspaceId,
        checkpoint.id,
        checkpoint.at,
        checkpoint.wallets,
        checkpoint.root,
      ].join('\n');
      const key = createPublicKey(public_key);
      expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))).toBe(true);
    }
  });
});

describe('what happens to clients', () => {
  test('deleting a client closes the balance with an adjust entry; the entries stay', async () => {
    const { workspace, ids } = await scene();
    expectStatus(await workspace.del(`:ws/clients/${ids[0]}`), 200);
    const closed = await until(async () => {
      const { body } = await workspace.get(`${points}/ledger`, { client_id: ids[0]! });
      const [newest] = body.data;
      return newest.source_type === 'client_deleted' && newest.type === 'adjust' ? body : null;
    });
    expect(closed.data[0]).toMatchObject({ amount: -70, balance_after: 0 });
    expect(closed.meta.total_count).toBeGreaterThan(4);
    expect((await workspace.get(`:ws/clients/${ids[0]}/wallets`)).status).toBe(404);
  });

  test('merging moves the balances by a pair of transfers', async () => {
    const { workspace, ids } = await scene();
    const body = { source_client_id: ids[0], target_client_id: ids[1] };
    expectStatus(await workspace.post(':ws/clients/merge', body), 200);
    const wallet = await until(async () => {
      const { data } = (await workspace.get(`:ws/clients/${ids[1]}/wallets`)).body;
      return data[0].wallet.active_balance === 65 ? data[0].wallet : null;
    });
    expect(wallet).toMatchObject({ pending_balance: 50, locked_balance: 10, total_earned: 157 });
    const newest = (await workspace.get(`:ws/clients/${ids[1]}/points/ledger`)).body.data[0];
    expect(newest).toMatchObject({ type: 'transfer_in', source_type: 'merge', amount: 60 });
    expect((await workspace.post(`${points}/verify`)).body.data.valid).toBe(true);
  });

  test('erasing a client erases the words on the entries, and the ledger still verifies', async () => {
    const { workspace, ids } = await scene();
    const earn = {
      client_id: ids[0],
      amount: 1,
      description: 'for Ada',
      metadata: { name: 'Ada' },
    };
    const { data } = (await workspace.post(`${points}/earn`, earn)).body;
    expectStatus(await workspace.post(`:ws/clients/${ids[0]}/anonymize`), 200);
    await until(async () => {
      const shown = (await workspace.get(`${points}/ledger/${data.id}`)).body.data;
      return shown.description === null && Object.keys(shown.metadata).length === 0;
    });
    expect((await workspace.post(`${points}/verify`)).body.data.valid).toBe(true);
  });
});
