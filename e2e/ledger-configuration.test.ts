import { randomUUID } from 'node:crypto';
import type { Caller, Reply } from './support/api';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from './support/factories';

const UUID = /^[0-9a-f-]{36}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let workspace: TestWorkspace;
let stranger: Caller;
beforeAll(async () => {
  workspace = await newWorkspace();
  stranger = await newWorkspace();
});

const fieldsOf = (reply: Reply): (string | undefined)[] =>
  reply.body.errors.map((error: { extensions: { field?: string } }) => error.extensions.field);

describe('loyalty config', () => {
  test('there is none, then one, never two', async () => {
    const own = await newWorkspace();
    expect((await own.get(':ws/loyalty/config')).body).toEqual({ data: null });
    expect((await own.patch(':ws/loyalty/config', { program_name: 'x' })).status).toBe(400);
    const created = expectStatus(await own.post(':ws/loyalty/config', {}), 201).body.data;
    expect(created).toEqual({
      id: expect.stringMatching(UUID),
      workspace_id: own.workspaceId,
      program_name: null,
      program_currency: 'points',
      settings: {},
      date_created: expect.stringMatching(TIMESTAMP),
      date_updated: expect.stringMatching(TIMESTAMP),
    });
    expect((await own.post(':ws/loyalty/config', {})).status).toBe(400);
    const changed = await own.patch(':ws/loyalty/config', {
      program_name: 'Corner Club',
      settings: { tone: ['warm'] },
    });
    expect(changed.body.data).toMatchObject({
      id: created.id,
      program_name: 'Corner Club',
      program_currency: 'points',
      settings: { tone: ['warm'] },
    });
    const cleared = await own.patch(':ws/loyalty/config', { program_name: null });
    expect(cleared.body.data.program_name).toBeNull();
    expect((await own.get(':ws/loyalty/config')).body.data).toEqual(cleared.body.data);
  });

  test('PUT creates with 201, changes with 200', async () => {
    const own = await newWorkspace();
    expect((await own.put(':ws/loyalty/config', { program_currency: 'stars' })).status).toBe(201);
    const second = await own.put(':ws/loyalty/config', { program_name: 'Stars' });
    expect(second.status).toBe(200);
    expect(second.body.data).toMatchObject({ program_name: 'Stars', program_currency: 'stars' });
  });

  test('of creates at once one wins', async () => {
    const own = await newWorkspace();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => own.post(':ws/loyalty/config', {})),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
  });

  test('of PUTs at once one creates and the others update', async () => {
    const own = await newWorkspace();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => own.put(':ws/loyalty/config', { program_name: 'Stars' })),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(7).fill(200), 201]);
  });

  test('each wrong field is named', async () => {
    const reply = await workspace.post(':ws/loyalty/config', {
      program_name: 'x'.repeat(256),
      program_currency: 5,
      settings: [],
      workspace_id: workspace.workspaceId,
    });
    expect(reply.status).toBe(400);
    expect(fieldsOf(reply).sort()).toEqual([
      'program_currency',
      'program_name',
      'settings',
      'workspace_id',
    ]);
  });
});

describe('wallet types', () => {
  test('the first becomes the default; every field has its default', async () => {
    const own = await newWorkspace();
    const { data } = expectStatus(
      await own.post(':ws/wallet-types', { code: 'points', name: 'Points' }),
      201,
    ).body;
    expect(data).toEqual({
      id: expect.stringMatching(UUID),
      workspace_id: own.workspaceId,
      code: 'points',
      name: 'Points',
      is_default: true,
      active: true,
      unit_singular_name: null,
      unit_plural_name: null,
      pending_days: null,
      expiry_days: null,
      max_balance: null,
      allow_negative_balance: false,
      date_created: expect.stringMatching(TIMESTAMP),
      date_updated: expect.stringMatching(TIMESTAMP),
    });
    expect((await own.get(`:ws/wallet-types/${data.id}`)).body.data).toEqual(data);
  });

  test('is_default moves; the list has the default first, then goes by name', async () => {
    const own = await newWorkspace();
    const make = async (code: string, name: string, more: object = {}) =>
      expectStatus(await own.post(':ws/wallet-types', { code, name, ...more }), 201).body.data;
    await make('b', 'Beta');
    await make('c', 'Cappa', { active: false });
    const alpha = await make('z', 'Zeta', { is_default: true });
    await make('a', 'Alpha');
    const list = (await own.get(':ws/wallet-types')).body.data;
    expect(list.map((type: { code: string }) => type.code)).toEqual(['z', 'a', 'b', 'c']);
    expect(list.filter((type: { is_default: boolean }) => type.is_default)).toHaveLength(1);
    const active = (await own.get(':ws/wallet-types', { active: true })).body.data;
    expect(active.map((type: { code: string }) => type.code)).toEqual(['z', 'a', 'b']);
    expect((await own.get(':ws/wallet-types', { active: 'maybe' })).status).toBe(400);

    expect((await own.patch(`:ws/wallet-types/${alpha.id}`, { active: false })).status).toBe(400);
    expect((await own.patch(`:ws/wallet-types/${alpha.id}`, { is_default: false })).status).toBe(
      400,
    );
    expect((await own.del(`:ws/wallet-types/${alpha.id}`)).status).toBe(400);
    const [, second] = list;
    const moved = await own.patch(`:ws/wallet-types/${second.id}`, { is_default: true });
    expect(moved.body.data.is_default).toBe(true);
    expect((await own.get(`:ws/wallet-types/${alpha.id}`)).body.data.is_default).toBe(false);
  });

  test('a code is unique, well-formed and fixed', async () => {
    const code = `c${randomUUID().slice(0, 8)}`;
    const { data } = (await workspace.post(':ws/wallet-types', { code, name: 'One' })).body;
    const again = await workspace.post(':ws/wallet-types', { code, name: 'Two' });
    expect(again.status).toBe(409);
    expect(again.body.errors[0].extensions.code).toBe('CONFLICT');
    const bad = await workspace.post(':ws/wallet-types', { code: 'Not OK', name: '' });
    expect(fieldsOf(bad).sort()).toEqual(['code', 'name']);
    const fixed = await workspace.patch(`:ws/wallet-types/${data.id}`, { code: 'other' });
    expect(fieldsOf(fixed)).toEqual(['code']);
    const numbers = await workspace.patch(`:ws/wallet-types/${data.id}`, {
      pending_days: -1,
      expiry_days: 0,
      max_balance: 0,
    });
    expect(fieldsOf(numbers).sort()).toEqual(['expiry_days', 'max_balance', 'pending_days']);
  });

  test('one that is unused can be deleted, one with an entry cannot', async () => {
    const own = await newWorkspace();
    await own.post(':ws/wallet-types', { code: 'points', name: 'Points' });
    const { data } = (await own.post(':ws/wallet-types', { code: 'stars', name: 'Stars' })).body;
    const client = await newClient(own);
    const earn = { client_id: client.id, amount: 1, wallet_type_code: 'stars' };
    expectStatus(await own.post(':ws/loyalty/points/earn', earn), 201);
    expect((await own.del(`:ws/wallet-types/${data.id}`)).status).toBe(409);
    const unused = (await own.post(':ws/wallet-types', { code: 'unused', name: 'U' })).body.data;
    const deleted = await own.del(`:ws/wallet-types/${unused.id}`);
    expect(deleted.body).toEqual({ message: expect.any(String) });
    expect((await own.get(`:ws/wallet-types/${unused.id}`)).status).toBe(404);
    expect((await own.del(`:ws/wallet-types/${unused.id}`)).status).toBe(404);
  });

  test('an operation on an inactive or unknown type is 400; so is one without a default', async () => {
    const own = await newWorkspace();
    const client = await newClient(own);
    const earn = (more: object = {}) =>
      own.post(':ws/loyalty/points/earn', { client_id: client.id, amount: 1, ...more });
    expect((await earn()).status).toBe(400);
    await own.post(':ws/wallet-types', { code: 'points', name: 'Points' });
    const stars = { code: 'stars', name: 'Stars', active: false };
    expectStatus(await own.post(':ws/wallet-types', stars), 201);
    expect(fieldsOf(await earn({ wallet_type_code: 'stars' }))).toEqual(['wallet_type_code']);
    expect(fieldsOf(await earn({ wallet_type_code: 'none' }))).toEqual(['wallet_type_code']);
    expectStatus(await earn(), 201);
  });

  test('what a type held when it was switched off stays as it is until it is switched on', async () => {
    const own = await newWorkspace();
    await own.post(':ws/wallet-types', { code: 'points', name: 'Points' });
    const stars = (await own.post(':ws/wallet-types', { code: 'stars', name: 'Stars' })).body.data;
    const body = { client_id: (await newClient(own)).id, amount: 10, wallet_type_code: 'stars' };
    const points = ':ws/loyalty/points';
    const earned = expectStatus(await own.post(`${points}/earn`, body), 201).body.data;
    const lock = { ...body, amount: 4 };
    const held = expectStatus(await own.post(`${points}/lock`, lock), 201).body.data;
    const path = `:ws/wallet-types/${stars.id}`;
    expectStatus(await own.patch(path, { active: false }), 200);
    const release = () => own.post(`${points}/locks/${held.id}/release`);
    expect((await release()).status).toBe(400);
    expect((await own.post(`${points}/locks/${held.id}/capture`)).status).toBe(400);
    const cancel = await own.post(`${points}/ledger/${earned.id}/cancel`, { reason: 'mistake' });
    expect(fieldsOf(cancel)).toEqual(['wallet_type_code']);
    expectStatus(await own.patch(path, { active: true }), 200);
    expectStatus(await release(), 201);
  });

  test('those of another workspace do not exist', async () => {
    const { data } = (
      await workspace.post(':ws/wallet-types', { code: `x${randomUUID().slice(0, 8)}`, name: 'X' })
    ).body;
    expect((await stranger.get(`:ws/wallet-types/${data.id}`)).status).toBe(404);
    expect((await stranger.patch(`:ws/wallet-types/${data.id}`, { name: 'Y' })).status).toBe(404);
    expect((await stranger.del(`:ws/wallet-types/${data.id}`)).status).toBe(404);
    expect((await workspace.get(':ws/wallet-types/not-a-uuid')).status).toBe(400);
  });
});
