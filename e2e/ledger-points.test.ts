import { randomUUID } from 'node:crypto';
import type { Reply } from './support/api';
import {
  expectStatus,
  inNewSession,
  newClient,
  newWalletType,
  newWorkspace,
  type TestWorkspace,
} from './support/factories';
import { insistOnAll } from './support/insist';

const UUID = /^[0-9a-f-]{36}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const HASH = /^[0-9a-f]{64}$/;
const DAY_MS = 86_400_000;
const points = ':ws/loyalty/points';

let workspace: TestWorkspace;
let stranger: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
  stranger = await newWorkspace();
  await Promise.all([newWalletType(workspace), newWalletType(stranger)]);
});

const earn = (client_id: string, amount: number, more: object = {}) =>
  workspace.post(`${points}/earn`, { client_id, amount, ...more });
const spend = (client_id: string, amount: number, more: object = {}) =>
  workspace.post(`${points}/spend`, { client_id, amount, ...more });
async function client(balance = 0): Promise<string> {
  const { id } = await newClient(workspace);
  if (balance > 0) expectStatus(await earn(id, balance), 201);
  return id;
}
async function walletOf(client_id: string, query: Record<string, string> = {}) {
  const reply = expectStatus(await workspace.get(`:ws/clients/${client_id}/wallets`, query), 200);
  return reply.body.data[0].wallet;
}
const fieldsOf = (reply: Reply): (string | undefined)[] =>
  reply.body.errors.map((error: { extensions: { field?: string } }) => error.extensions.field);
const codeOf = (reply: Reply): string => reply.body.errors[0].extensions.code;

describe('earn', () => {
  test('answers with the entry, and the wallet has the points', async () => {
    const id = await client();
    const reply = expectStatus(
      await earn(id, 12.5, {
        description: 'Order 7',
        source_type: 'pos',
        source_id: 'till-3',
        external_id: 'order-7',
        metadata: { lines: [1, 2] },
      }),
      201,
    );
    expect(reply.body.data).toEqual({
      id: expect.stringMatching(UUID),
      client_wallet_id: expect.stringMatching(UUID),
      client_id: id,
      workspace_id: workspace.workspaceId,
      type: 'earn',
      amount: 12.5,
      balance_after: 12.5,
      status: 'active',
      source_type: 'pos',
      source_id: 'till-3',
      external_id: 'order-7',
      expires_at: null,
      description: 'Order 7',
      metadata: { lines: [1, 2] },
      created_at: expect.stringMatching(TIMESTAMP),
      sequence: 1,
      prev_hash: '0'.repeat(64),
      hash: expect.stringMatching(HASH),
    });
    const [{ wallet, wallet_type }] = (await workspace.get(`:ws/clients/${id}/wallets`)).body.data;
    expect(wallet).toEqual({
      id: reply.body.data.client_wallet_id,
      client_id: id,
      wallet_type_id: wallet_type.id,
      workspace_id: workspace.workspaceId,
      active_balance: 12.5,
      pending_balance: 0,
      locked_balance: 0,
      total_earned: 12.5,
      total_spent: 0,
      total_expired: 0,
    });
  });

  test('the defaults of what was left out', async () => {
    const { data } = (await earn(await client(), 1)).body;
    expect(data).toMatchObject({
      source_type: 'manual',
      source_id: null,
      external_id: null,
      description: null,
      metadata: {},
    });
  });

  test('pending_days and expiry_days: of the request, else of the wallet type; 0 outranks', async () => {
    const own = await newWorkspace();
    await newWalletType(own, { pending_days: 2, expiry_days: 10 });
    const { id } = await newClient(own);
    const earnThere = async (more: object) => {
      const body = { client_id: id, amount: 10, ...more };
      return expectStatus(await own.post(`${points}/earn`, body), 201).body.data;
    };
    const daysAhead = ({ expires_at, created_at }: { expires_at: string; created_at: string }) =>
      Math.round((Date.parse(expires_at) - Date.parse(created_at)) / DAY_MS);
    const pending = await earnThere({});
    expect(pending).toMatchObject({ status: 'pending', balance_after: 0 });
    expect(daysAhead(pending)).toBe(12);
    const active = await earnThere({ pending_days: 0, expiry_days: 3 });
    expect(active).toMatchObject({ status: 'active', balance_after: 10 });
    expect(daysAhead(active)).toBe(3);
    const [{ wallet }] = (await own.get(`:ws/clients/${id}/wallets`)).body.data;
    expect(wallet).toMatchObject({ active_balance: 10, pending_balance: 10, total_earned: 20 });
    const expiring = await own.get(`:ws/clients/${id}/points/expiring`, { within_days: 20 });
    expect(expiring.body.data).toEqual([
      { expires_at: active.expires_at, amount: 10 },
      { expires_at: pending.expires_at, amount: 10 },
    ]);
    const soon = await own.get(`:ws/clients/${id}/points/expiring`, { within_days: 5 });
    expect(soon.body.data).toHaveLength(1);
    expect((await own.get(`:ws/clients/${id}/points/expiring`, { within_days: 366 })).status).toBe(
      400,
    );
  });

  test('over max_balance only the room left is credited, then nothing at all', async () => {
    const own = await newWorkspace();
    await newWalletType(own, { max_balance: 100 });
    const { id } = await newClient(own);
    const earnThere = (amount: number) =>
      own.post(`${points}/earn`, { client_id: id, amount, metadata: { a: 1 } });
    expectStatus(await earnThere(80), 201);
    expect((await earnThere(50)).body.data).toMatchObject({
      amount: 20,
      balance_after: 100,
      metadata: { a: 1, requested_amount: 50 },
    });
    expect((await earnThere(1)).status).toBe(400);
    const ledger = await own.get(`:ws/clients/${id}/points/ledger`);
    expect(ledger.body.meta.total_count).toBe(2);
  });

  test.each([
    ['amount', { amount: 0 }],
    ['amount', { amount: -1 }],
    ['amount', { amount: '5' }],
    ['amount', { amount: 0.00001 }],
    ['amount', { amount: 100_000_000_001 }],
    ['client_id', { client_id: 'nobody' }],
    ['client_id', { client_id: randomUUID() }],
    ['pending_days', { pending_days: -1 }],
    ['pending_days', { pending_days: 1.5 }],
    ['expiry_days', { expiry_days: 0 }],
    ['description', { description: 'x'.repeat(501) }],
    ['source_type', { source_type: 'x'.repeat(51) }],
    ['external_id', { external_id: 'x'.repeat(256) }],
    ['metadata', { metadata: 'text' }],
    ['surprise', { surprise: 1 }],
  ])('refuses a wrong %s: %j', async (field, wrong) => {
    const id = await client();
    const reply = await workspace.post(`${points}/earn`, { client_id: id, amount: 1, ...wrong });
    expect(reply.status).toBe(400);
    expect(codeOf(reply)).toBe('INVALID_PAYLOAD');
    expect(fieldsOf(reply)).toContain(field);
  });

  test('a client of another workspace is unknown; so is the workspace to a stranger', async () => {
    const foreign = await newClient(stranger);
    expect(fieldsOf(await earn(foreign.id, 1))).toEqual(['client_id']);
    const { id } = await newClient(workspace);
    const path = `/workspace/${workspace.workspaceId}/loyalty/points/earn`;
    expect((await stranger.post(path, { client_id: id, amount: 1 })).status).toBe(403);
  });

  test('an external_id earns once; with another amount it conflicts; other operations may use it', async () => {
    const id = await client();
    const first = await earn(id, 5, { external_id: 'e1' });
    const repeat = await earn(id, 5, { external_id: 'e1', description: 'again' });
    expect(repeat.status).toBe(201);
    expect(repeat.body.data.id).toBe(first.body.data.id);
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const other = await earn(id, 6, { external_id: 'e1' });
    expect([other.status, codeOf(other)]).toEqual([409, 'CONFLICT']);
    const adjust = { client_id: id, amount: 1, description: 'x', external_id: 'e1' };
    expectStatus(await workspace.post(`${points}/adjust`, adjust), 201);
    expect((await walletOf(id)).active_balance).toBe(6);
  });

  test('an Idempotency-Key earns once', async () => {
    const id = await client();
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { client_id: id, amount: 5 };
    const first = await workspace.post(`${points}/earn`, body, headers);
    const second = await workspace.post(`${points}/earn`, body, headers);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await walletOf(id)).active_balance).toBe(5);
  });

  test('the chain: each entry carries the hash of the one before', async () => {
    const id = await client();
    const first = (await earn(id, 1)).body.data;
    const second = (await earn(id, 1)).body.data;
    expect(second).toMatchObject({ sequence: 2, prev_hash: first.hash });
  });

  test('inactive and not enrolled clients may earn, anonymized ones may not', async () => {
    const inactive = await newClient(workspace, { status: 'inactive' });
    expectStatus(await earn(inactive.id, 1), 201);
    const anonymous = await client(5);
    expectStatus(await workspace.post(`:ws/clients/${anonymous}/anonymize`), 200);
    expect((await earn(anonymous, 1)).status).toBe(400);
    expect((await spend(anonymous, 1)).status).toBe(400);
  });
});

describe('spend', () => {
  test('debits and says so with a negative amount', async () => {
    const id = await client(100);
    const reply = expectStatus(await spend(id, 30, { source_id: 'x' }), 201);
    expect(reply.body.data).toMatchObject({ type: 'spend', amount: -30, balance_after: 70 });
    expect(await walletOf(id)).toMatchObject({ active_balance: 70, total_spent: 30 });
  });

  test('more than there is: 400, unless the wallet type allows it', async () => {
    const id = await client(10);
    const refused = await spend(id, 11);
    expect([refused.status, codeOf(refused)]).toEqual([400, 'INVALID_PAYLOAD']);
    const { code } = await newWalletType(workspace, { allow_negative_balance: true });
    const below = await spend(id, 11, { wallet_type_code: code });
    expect(below.body.data.balance_after).toBe(-11);
    const back = await earn(id, 20, { wallet_type_code: code });
    expect(back.body.data.balance_after).toBe(9);
  });

  test('under one external_id happens once, and for another amount not at all', async () => {
    const id = await client(10);
    const receipt = { external_id: 'receipt' };
    const [first, second] = await Promise.all([spend(id, 4, receipt), spend(id, 4, receipt)]);
    expect(second.body.data.id).toBe(first.body.data.id);
    expect((await spend(id, 5, receipt)).status).toBe(409);
    expect((await spend(id, 6)).body.data.balance_after).toBe(0);
  });

  test('200 spends of 10 at once on 1000: exactly 100 succeed', async () => {
    workspace = await inNewSession(workspace);
    const id = await client(1_000);
    const replies = await Promise.all(Array.from({ length: 200 }, () => spend(id, 10)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(100);
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(100);
    expect((await walletOf(id)).active_balance).toBe(0);
  });
});

describe('adjust', () => {
  test('moves the balance either way', async () => {
    const id = await client();
    const adjust = (amount: number) =>
      workspace.post(`${points}/adjust`, { client_id: id, amount, description: 'correction' });
    expect((await adjust(50)).body.data).toMatchObject({
      type: 'adjust',
      amount: 50,
      balance_after: 50,
    });
    expect((await adjust(-20)).body.data).toMatchObject({ amount: -20, balance_after: 30 });
    expect(await walletOf(id)).toMatchObject({ total_earned: 50, total_spent: 20 });
    expect((await adjust(-31)).status).toBe(400);
    const nothing = await adjust(0);
    expect(fieldsOf(nothing)).toEqual(['amount']);
    expect(nothing.body.errors[0].message).toBe('amount must not be 0');
  });

  test('needs a description', async () => {
    const reply = await workspace.post(`${points}/adjust`, {
      client_id: await client(),
      amount: 1,
    });
    expect(fieldsOf(reply)).toEqual(['description']);
  });
});

describe('transfer', () => {
  const transfer = (
    from_client_id: string,
    to_client_id: string,
    amount: number,
    more: object = {},
  ) => workspace.post(`${points}/transfer`, { from_client_id, to_client_id, amount, ...more });

  test('moves points and answers with both sides', async () => {
    const [from, to] = [await client(100), await client()];
    const { data } = expectStatus(await transfer(from, to, 40, { external_id: 't1' }), 201).body;
    expect(data.transfer_out).toMatchObject({
      type: 'transfer_out',
      client_id: from,
      amount: -40,
      balance_after: 60,
    });
    expect(data.transfer_in).toMatchObject({
      type: 'transfer_in',
      client_id: to,
      amount: 40,
      balance_after: 40,
    });
    const repeat = await transfer(from, to, 40, { external_id: 't1' });
    expect(repeat.body.data).toEqual(data);
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    expect((await transfer(from, to, 41, { external_id: 't1' })).status).toBe(409);
    expect((await walletOf(from)).active_balance).toBe(60);
  });

  test('to oneself, to no client, or more than there is: 400 and nothing moves', async () => {
    const [from, to] = [await client(10), await client()];
    expect(fieldsOf(await transfer(from, from, 1))).toEqual(['to_client_id']);
    expect(fieldsOf(await transfer(from, randomUUID(), 1))).toEqual(['to_client_id']);
    expect(fieldsOf(await transfer(randomUUID(), to, 1))).toEqual(['from_client_id']);
    expect((await transfer(from, to, 11)).status).toBe(400);
    expect((await walletOf(to)).active_balance).toBe(0);
  });
});

describe('locks', () => {
  const lock = (client_id: string, amount: number, more: object = {}) =>
    workspace.post(`${points}/lock`, { client_id, amount, ...more });

  test('lock, release', async () => {
    const id = await client(100);
    const { data } = expectStatus(await lock(id, 60, { expires_in_seconds: 60 }), 201).body;
    expect(data).toMatchObject({ type: 'lock', amount: -60, status: 'locked', balance_after: 40 });
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(60_000);
    expect(await walletOf(id)).toMatchObject({ active_balance: 40, locked_balance: 60 });
    const released = await workspace.post(`${points}/locks/${data.id}/release`);
    expect(released.status).toBe(201);
    expect(released.body.data).toMatchObject({
      type: 'unlock',
      amount: 60,
      source_id: data.id,
      balance_after: 100,
    });
    expect((await workspace.post(`${points}/locks/${data.id}/release`)).status).toBe(409);
    expect((await workspace.post(`${points}/locks/${data.id}/capture`)).status).toBe(409);
  });

  test('capture of a part releases the rest', async () => {
    const id = await client(100);
    const { data } = (await lock(id, 60)).body;
    expect(
      (await workspace.post(`${points}/locks/${data.id}/capture`, { amount: 61 })).status,
    ).toBe(400);
    const captured = await workspace.post(`${points}/locks/${data.id}/capture`, { amount: 25 });
    expect(captured.status).toBe(201);
    expect(captured.body.data).toMatchObject({ type: 'spend', amount: -25 });
    expect(await walletOf(id)).toMatchObject({
      active_balance: 75,
      locked_balance: 0,
      total_spent: 25,
    });
  });

  test('of captures at once one wins', async () => {
    const id = await client(100);
    const { data } = (await lock(id, 60)).body;
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => workspace.post(`${points}/locks/${data.id}/capture`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test('wrong durations, too much, unknown and foreign locks', async () => {
    const id = await client(10);
    expect(fieldsOf(await lock(id, 1, { expires_in_seconds: 59 }))).toEqual(['expires_in_seconds']);
    expect((await lock(id, 11)).status).toBe(400);
    expect((await workspace.post(`${points}/locks/${randomUUID()}/release`)).status).toBe(404);
    const { data } = (await lock(id, 1)).body;
    expect((await stranger.post(`${points}/locks/${data.id}/capture`)).status).toBe(404);
  });
});

describe('cancel', () => {
  const cancel = (entryId: string, body: object = { reason: 'returned' }) =>
    workspace.post(`${points}/ledger/${entryId}/cancel`, body);

  test('an earn gives up what is left of its lot', async () => {
    const id = await client();
    const { data } = (await earn(id, 50)).body;
    await spend(id, 20);
    const cancelled = expectStatus(await cancel(data.id), 201).body.data;
    expect(cancelled).toMatchObject({
      type: 'cancel',
      amount: -30,
      balance_after: 0,
      source_id: data.id,
      description: 'returned',
    });
    expect((await workspace.get(`${points}/ledger/${data.id}`)).body.data.status).toBe('cancelled');
    expect((await cancel(data.id)).status).toBe(409);
    expect(await walletOf(id)).toMatchObject({ active_balance: 0, total_earned: 20 });
  });

  test('a spend is refunded, once', async () => {
    const id = await client(50);
    const { data } = (await spend(id, 20)).body;
    expect((await cancel(data.id)).body.data).toMatchObject({
      type: 'cancel',
      amount: 20,
      balance_after: 50,
    });
    expect((await cancel(data.id)).status).toBe(409);
    expect(await walletOf(id)).toMatchObject({ active_balance: 50, total_spent: 0 });
  });

  test('a reason is needed; nothing left is a conflict; unknown entries are 404', async () => {
    const id = await client();
    const { data } = (await earn(id, 20)).body;
    expect(fieldsOf(await cancel(data.id, {}))).toEqual(['reason']);
    await spend(id, 20);
    expect((await cancel(data.id)).status).toBe(409);
    expect((await cancel(randomUUID())).status).toBe(404);
    expect(
      (await stranger.post(`${points}/ledger/${data.id}/cancel`, { reason: 'x' })).status,
    ).toBe(404);
  });
});

describe('refund of a purchase', () => {
  const refund = (body: object) => workspace.post(`${points}/refund`, body);
  const purchase = () => ({ source_type: 'transaction', source_id: randomUUID() });

  test('takes back in proportion, replays, and never more than the whole', async () => {
    const id = await client();
    const source = purchase();
    await earn(id, 100, source);
    const body = { source_id: source.source_id, ratio: 0.4, external_id: randomUUID() };
    const first = expectStatus(await refund(body), 201);
    expect(first.body.data).toMatchObject({ refunded_points: 40, shortfall: 0 });
    expect(first.body.data.entries).toHaveLength(1);
    expect(first.body.data.entries[0]).toMatchObject({ type: 'cancel', amount: -40 });
    const repeat = await refund(body);
    expect(repeat.body).toEqual(first.body);
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    expect((await refund({ ...body, ratio: 0.5 })).status).toBe(409);
    expect((await refund({ ...body, ratio: 0.7, external_id: 'b' })).status).toBe(400);
    const rest = { source_id: source.source_id, amount: 30, purchase_amount: 50, external_id: 'c' };
    expect((await refund(rest)).body.data).toMatchObject({ refunded_points: 60, shortfall: 0 });
    expect(await walletOf(id)).toMatchObject({ active_balance: 0, total_earned: 0 });
  });

  test('what was spent is taken from other points, what is missing is the shortfall', async () => {
    const id = await client();
    const source = purchase();
    await earn(id, 100, source);
    await spend(id, 90);
    await earn(id, 15);
    const { data } = (await refund({ source_id: source.source_id, ratio: 1, external_id: 'x' }))
      .body;
    expect(data).toMatchObject({ refunded_points: 25, shortfall: 75 });
    expect((await walletOf(id)).active_balance).toBe(0);
  });

  test('an unknown source is 404; the share must be given one way', async () => {
    expect((await refund({ source_id: 'none', ratio: 1, external_id: 'x' })).status).toBe(404);
    expect((await refund({ source_id: 'none' })).status).toBe(400);
    expect((await refund({ source_id: 'none', amount: 1 })).status).toBe(400);
    expect((await refund({ source_id: 'none', ratio: 1.1 })).status).toBe(400);
    expect((await refund({ ratio: 1 })).status).toBe(400);
  });
});

describe('batch', () => {
  const batch = (operations: unknown) => workspace.post(`${points}/batch`, { operations });

  test('each on its own, in order per wallet', async () => {
    const id = await client();
    const { status, body } = await batch([
      { op: 'earn', client_id: id, amount: 10 },
      { op: 'spend', client_id: id, amount: 4 },
      { op: 'spend', client_id: id, amount: 7 },
      { op: 'adjust', client_id: id, amount: -1, description: 'x' },
      { op: 'earn', client_id: randomUUID(), amount: 1 },
      { op: 'earn', client_id: id, amount: -1 },
      { op: 'burn', client_id: id, amount: 1 },
    ]);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ succeeded: 3, failed: 4 });
    expect(body.data.results.map((one: { index: number }) => one.index)).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ]);
    expect(body.data.results[1].entry).toMatchObject({ amount: -4, balance_after: 6, sequence: 2 });
    expect(body.data.results[2].error.extensions).toMatchObject({
      code: 'INVALID_PAYLOAD',
      field: 'amount',
    });
    expect(body.data.results[3].entry.balance_after).toBe(5);
    expect(body.data.results.slice(4).every((one: { error?: object }) => one.error)).toBe(true);
  });

  test('1000 operations on 100 clients; none and 1001 are refused', async () => {
    workspace = await inNewSession(workspace);
    const ids = await Promise.all(Array.from({ length: 100 }, () => client()));
    const operations = Array.from({ length: 1_000 }, (_, index) => ({
      op: 'earn',
      client_id: ids[index % 100],
      amount: 1,
    }));
    const wish = { path: `${points}/batch`, body: { operations } };
    const [reply] = await insistOnAll(workspace, [wish]);
    expect(expectStatus(reply!, 200).body.data.succeeded).toBe(1_000);
    expect((await walletOf(ids[0]!)).active_balance).toBe(10);
    expect((await batch([])).status).toBe(400);
    expect((await batch([...operations, operations[0]])).status).toBe(400);
    expect((await batch('all')).status).toBe(400);
  });
});
