import { cloneHandlers } from '@laurel/backend';
import { platform } from '@laurel/errors';
import { currentContext, newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { clients, identity, ledger } from '@laurel/rpc';
import { awake, workOffJob } from '@laurel/testing';
import { PIECE_LEASE_MS } from '@laurel/work';
import { collections } from '../collections';
import { jobs } from '../jobs';
import { type ClonePeer, createClonePeers } from '../outside/clone-peers';
import { type IdentityUnderTest, identityUnderTest, outcome } from '../testing/identity-under-test';
import { cloneWorkspace, getClone } from './clone-workspace';
import { deleteWorkspace } from './delete-workspace';
import { putBrand } from './put-brand';
import { removeWorkspaceData } from './remove-workspace-data';
import { workClone } from './work-clone';

const HOUR_MS = 3_600_000;

let it: IdentityUnderTest;
let owner: identity.User;
let shop: identity.Workspace;
let calls: string[];
/** What another service does at its next turns, before it is well. */
let faults: (() => unknown)[];
/** What each created client was made under. */
let made: { operation: string; depth: number; request: clients.CreateClientRequest }[];

beforeAll(async () => {
  const other = (service: string): ClonePeer => ({
    service,
    client: {
      Survey: async () => ({ ids: [], mentions: [] }),
      Copy: async () => {
        calls.push(service);
        await faults.shift()?.();
        return { done: true };
      },
    },
  });
  it = await identityUnderTest();
  const own = cloneHandlers(it.deps.connection, collections) as ClonePeer['client'];
  it.deps.clonePeers = createClonePeers([
    other('automations'),
    { service: 'identity', client: own },
    other('tiers'),
  ]);
});
beforeEach(async () => {
  calls = [];
  faults = [];
  made = [];
  it.clients.clear();
  owner = await it.newUser();
  shop = await it.newWorkspace(owner);
});
afterAll(() => it.stop());

const begin = (more: object = {}) =>
  cloneWorkspace(it.deps, {
    workspace_id: shop.id,
    user_id: owner.id,
    name: 'Second',
    members: 0,
    ...more,
  });
const look = (id: string) => getClone(it.deps, { workspace_id: shop.id, id });
const work = () => workOffJob(jobs(it.deps), 'clone-workspaces');
const breaks = () => {
  throw new Error('the service dies');
};
/** Until what a dead worker held is due again. */
const later = () => it.clock.advanceMs(PIECE_LEASE_MS + 1);
const toldOf = (workspaceId: string) =>
  it.deps.connection.collection('outbox').countDocuments({
    'event.type': 'identity.workspace_deleted',
    'event.workspaceid': workspaceId,
  });

test('a clone that was cut short goes on, and nothing of it is seen before all of it is there', async () => {
  const { id } = await begin();
  faults = [breaks];
  await work();
  expect((await look(id)).status).toBe('copying');
  expect(await it.deps.workspaces.find(id)).toBeNull();
  expect(await it.deps.members.list(id)).toEqual([]);
  later();
  await work();
  expect((await look(id)).status).toBe('ready');
  expect(await it.deps.workspaces.find(id)).toMatchObject({
    name: 'Second',
    slug: 'second',
    creator_id: owner.id,
    cloned_from: shop.id,
  });
  expect(await it.deps.members.list(id)).toMatchObject([{ user_id: owner.id, role: 'admin' }]);
  await work();
  expect(calls).toEqual(['tiers', 'tiers', 'automations']);
});

test('its look and the words of its mails go along, in ids of its own', async () => {
  const words = { subject: 'Hello', paragraphs: ['Words of ours.'] } as never;
  const mail = { kind: 'portal_code', language: 'en', words, now: it.clock.now() } as const;
  await unitOfWork(it.deps.connection, (session) =>
    it.deps.mailTexts.put({ workspaceId: shop.id, read: null }, mail, session),
  );
  await putBrand(it.deps, { workspace_id: shop.id, name: 'Our beans' } as never);
  const { id } = await begin();
  await work();
  const clone = await it.deps.workspaces.find(id);
  expect(clone!.brand).toMatchObject({ name: 'Our beans' });
  const [its, ...others] = await it.deps.mailTexts.list(id, 'en');
  expect(others).toEqual([]);
  expect(its).toMatchObject({ _id: `${id}:portal_code:en`, workspace_id: id, words });
});

test('one that was deleted once it was there is shown as deleted, not as ready', async () => {
  const { id } = await begin();
  await work();
  const { slug } = (await it.deps.workspaces.find(id))!;
  await deleteWorkspace(it.deps, { workspace_id: id, user_id: owner.id, confirm_slug: slug });
  expect(await look(id)).toMatchObject({ status: 'deleted', problem: null });
});

test('one whose source is deleted meanwhile is given up, and every service is asked to remove it', async () => {
  const { id } = await begin();
  const gone = { workspace_id: shop.id, user_id: owner.id, confirm_slug: shop.slug };
  await deleteWorkspace(it.deps, gone);
  await work();
  expect(await look(id)).toMatchObject({ status: 'failed', problem: 'its source was deleted' });
  expect(await toldOf(id)).toBe(1);
  expect(await it.deps.workspaces.find(id)).toBeNull();
});

test('the removal of a source ends what is being made like it, also where no worker is at it', async () => {
  const { id } = await begin();
  await removeWorkspaceData(it.deps, shop.id);
  expect(await toldOf(id)).toBe(1);
  expect(await outcome(look(id))).toBe('RECORD_NOT_FOUND');
});

test('who is no admin of the source any more gets no clone of it', async () => {
  const { id } = await begin();
  faults = [() => it.deps.connection.collection('members').deleteMany({ workspace_id: shop.id })];
  await work();
  expect(await look(id)).toMatchObject({
    status: 'failed',
    problem: expect.stringContaining('no admin'),
  });
  expect(await it.deps.members.list(id)).toEqual([]);
});

test('what fails for an hour is given up and removed', async () => {
  const { id } = await begin();
  faults = [breaks, breaks];
  await work();
  it.clock.advanceMs(HOUR_MS);
  await work();
  expect(await look(id)).toMatchObject({ status: 'failed' });
  expect(await toldOf(id)).toBe(1);
});

test('of two workers that hold the same clone one opens it', async () => {
  const { id } = await begin();
  const row = await it.deps.connection.collection('workspace_clones').findOne({ _id: id as never });
  const stale = { ...row, lease: newId() } as never;
  await workClone(it.deps, stale, awake);
  expect(await it.deps.workspaces.find(id)).toBeNull();
  await work();
  expect((await look(id)).status).toBe('ready');
});

test('one clone of a source is made at a time, and another once it is there', async () => {
  await begin();
  expect(await outcome(begin())).toBe('CONFLICT');
  await work();
  expect(await outcome(begin())).toBe('done');
  await work();
});

test('members are made before rules, under names that repeat nothing, and with what they earned and hold', async () => {
  const anna = { id: newId(), workspace_id: shop.id, first_name: 'Anna', email: 'a@example.com' };
  it.clients.set(anna.id, {
    ...anna,
    status: 'active',
    loyalty_program_enabled: true,
  } as clients.Client);
  const booked: object[] = [];
  const book = (kind: string) => async (request: { amount: number }) => {
    booked.push({ kind, ...request });
    return { entry: { amount: request.amount }, replayed: false } as never;
  };
  const wallet = { wallet_type_id: 'w', active_balance: 30, pending_balance: 5, total_earned: 100 };
  Object.assign(it.deps, {
    clients: {
      ...it.deps.clients,
      CreateClient: async (request: clients.CreateClientRequest) => {
        const { operationId: operation, depth } = currentContext();
        made.push({ operation, depth, request });
        if (made.length === 1) breaks();
        return { id: 'new' };
      },
    },
    ledger: {
      ListBalances: async () => ({
        wallet_types: [{ id: 'w', code: 'beans' }],
        clients: [{ client_id: anna.id, wallets: [{ ...wallet, locked_balance: 0 }] }],
      }),
      EarnPoints: book('earn'),
      AdjustPoints: book('adjust'),
    },
  });
  const { id } = await begin({ members: 5 });
  await work();
  expect(calls).toEqual(['tiers']);
  later();
  await work();
  expect(await look(id)).toMatchObject({ status: 'ready', members_copied: 1 });
  expect(new Set(made.map(({ operation }) => operation)).size).toBe(1);
  expect(made.map(({ depth }) => depth)).toEqual([5, 5]);
  expect(made[1]!.request).toEqual({
    workspace_id: id,
    first_name: 'Member',
    last_name: '1',
    status: 'active',
    loyalty_program_enabled: true,
    source: 'clone',
  });
  expect(booked).toMatchObject([
    { kind: 'earn', amount: 100, wallet_type_code: 'beans', client_id: 'new' },
    { kind: 'adjust', amount: -65 },
  ]);
});

test('a member who holds more than a wallet may by now, or owes where none may, stands in nothing’s way', async () => {
  const anna = { id: newId(), workspace_id: shop.id, first_name: 'Anna', status: 'active' };
  it.clients.set(anna.id, { ...anna, loyalty_program_enabled: true } as clients.Client);
  const held = new Map<string, number>();
  const max: Record<string, number> = { beans: 100, cups: 1_000 };
  // As the ledger does: a credit gets the room that there is and is refused without any, a debit never overdraws.
  const book = async ({ wallet_type_code: code = '', amount }: ledger.AdjustRequest) => {
    const balance = held.get(code) ?? 0;
    const room = max[code]! - balance;
    if (amount > 0 ? room === 0 : balance + amount < 0) throw platform.invalidPayload();
    const booked = Math.min(amount, room);
    held.set(code, balance + booked);
    return { entry: { amount: booked }, replayed: false } as never;
  };
  const wallet = { pending_balance: 0, locked_balance: 0 };
  const wallets = [
    { ...wallet, wallet_type_id: 'b', active_balance: 100, locked_balance: 20, total_earned: 120 },
    { ...wallet, wallet_type_id: 'c', active_balance: -7, total_earned: 50 },
  ];
  Object.assign(it.deps, {
    clients: { ...it.deps.clients, CreateClient: async () => ({ id: 'new' }) },
    ledger: {
      ListBalances: async () => ({
        wallet_types: [
          { id: 'b', code: 'beans', allow_negative_balance: false },
          { id: 'c', code: 'cups', allow_negative_balance: false },
        ],
        clients: [{ client_id: anna.id, wallets }],
      }),
      EarnPoints: book,
      AdjustPoints: book,
    },
  });
  const { id } = await begin({ members: 5 });
  await work();
  expect(await look(id)).toMatchObject({ status: 'ready', members_copied: 1 });
  expect(Object.fromEntries(held)).toEqual({ beans: 100, cups: 0 });
});
