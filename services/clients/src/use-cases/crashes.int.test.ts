import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { ledger as ledgerApi } from '@laurel/rpc';
import { atEveryCall, type Death, mortal, until, workOff } from '@laurel/testing';
import { ANONYMIZED_NAME } from '../domain/trail-event';
import { createHarness, type Harness } from '../testing/harness';
import { anonymizeClient } from './anonymize-client';
import { deleteClient } from './delete-client';
import { getTransactionMetrics } from './get-transaction-metrics';
import { listExternalIdentities } from './list-external-identities';
import { mergeClients } from './merge-clients';
import { putExternalIdentity } from './put-external-identity';
import { recordEvent } from './record-events';
import { runProcess } from './run-process';
import { processSweeper } from './sweep-processes';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.drop());

interface Pair {
  source: string;
  target: string;
  email: string;
}

async function buy(clientId: string, amount: number): Promise<void> {
  const event = {
    pass_id: await harness.pass(clientId),
    event_category: 'transaction',
    event_type: 'purchase',
    amount,
    currency: 'EUR',
  };
  await recordEvent(harness.deps, { workspace_ids: [harness.workspaceId], event });
}

/** Two clients, each with a purchase; the source with all that a merge hands on. */
async function newPair(): Promise<Pair> {
  const email = `${newId()}@example.com`;
  const source = await harness.client({ email, custom_fields: { city: 'Berlin' } });
  const target = await harness.client({ first_name: 'Augusta' });
  await buy(source.id, 10.1);
  await buy(target.id, 0.2);
  await putExternalIdentity(harness.deps, {
    workspace_id: harness.workspaceId,
    client_id: source.id,
    provider: 'pos',
    external_id: source.id,
  });
  return { source: source.id, target: target.id, email };
}

const merge = (deps: Harness['deps'], { source, target }: Pair, operationId: string) =>
  runInContext(systemContext({ operationId, operationKept: true }), () =>
    mergeClients(deps, {
      workspace_id: harness.workspaceId,
      source_client_id: source,
      target_client_id: target,
    }),
  );

/** What the other replicas do, once what was left behind counts as abandoned. */
async function sweepAll(): Promise<void> {
  harness.clock.advanceMs(3_600_000);
  await workOff(processSweeper(harness.deps));
}

/** What was asked of the ledger, and sent to all services, about the source. */
async function heardOf({ source }: Pair) {
  const merged = await harness.told('clients.merged');
  return {
    asked: harness.ledger.calls.filter(
      ({ method, request }) =>
        method === 'MergeClientWallets' &&
        (request as { source_client_id: string }).source_client_id === source,
    ).length,
    told: merged.filter(
      ({ data }) => (data as { source_client_id: string }).source_client_id === source,
    ).length,
  };
}

async function expectUntouched(pair: Pair): Promise<void> {
  const source = await harness.deps.clients.find(harness.workspaceId, pair.source);
  const target = await harness.deps.clients.find(harness.workspaceId, pair.target);
  expect(source).toMatchObject({ email: pair.email });
  expect(target).toMatchObject({ email: null });
  expect(await heardOf(pair)).toEqual({ asked: 0, told: 0 });
}

async function expectMerged(pair: Pair): Promise<void> {
  const { workspaceId } = harness;
  expect(await harness.deps.clients.find(workspaceId, pair.source)).toBeNull();
  expect(await harness.deps.clients.find(workspaceId, pair.target)).toMatchObject({
    email: pair.email,
    first_name: 'Augusta',
    custom_fields: { city: 'Berlin' },
  });
  const { metrics } = await getTransactionMetrics(harness.deps, {
    workspace_id: workspaceId,
    client_ids: [pair.target],
  });
  expect(metrics[0]).toMatchObject({ transaction_count: 2, total_spending: 10.3 });
  const page = { limit: 100, offset: 0 };
  const left = await harness.deps.events.list(workspaceId, { clientId: pair.source }, page);
  expect(left.events).toEqual([]);
  const { identities } = await listExternalIdentities(harness.deps, {
    workspace_id: workspaceId,
    client_id: pair.target,
  });
  expect(identities).toMatchObject([{ provider: 'pos', external_id: pair.source }]);
  const { asked, told } = await heardOf(pair);
  expect(told).toBe(1);
  expect(asked).toBeGreaterThan(0);
  expect(await harness.deps.processes.findUnfinished(workspaceId, 'merge', pair.source)).toBeNull();
}

/** One merge with a death; returns whether everything got through before it. */
async function runWithDeath(death: Death): Promise<boolean> {
  const pair = await newPair();
  const operation = newId();
  const dying = mortal(harness.deps.connection, death);
  const replica = harness.depsOver(dying.connection, dying.peer(harness.ledger));
  dying.arm();
  await Promise.race([merge(replica, pair, operation), dying.died]);
  await sweepAll();
  if (await harness.deps.clients.find(harness.workspaceId, pair.source)) {
    expect(dying.isDead()).toBe(true);
    await expectUntouched(pair);
  } else {
    await expectMerged(pair);
  }
  // A caller without an answer asks again.
  await merge(harness.deps, pair, operation);
  await sweepAll();
  await expectMerged(pair);
  return !dying.isDead();
}

describe('a merge, killed at every call to the store and to the ledger', () => {
  test.each(['before', 'after'] as const)(
    '%s the call: it is finished by others or never began, and its repeat completes it',
    async (when) => {
      expect(await atEveryCall(when, runWithDeath)).toBeGreaterThan(20);
    },
    600_000,
  );
});

test('a process that the sweeper gives back, or ends, has no holder', async () => {
  const [pair, { processes }] = [await newPair(), harness.deps];
  await merge(harness.deps, pair, newId());
  const isHeld = () => processes.due.isHeld(harness.workspaceId, new Date('9999-12-31'));
  const isOpen = async () =>
    (await processes.findUnfinished(harness.workspaceId, 'merge', pair.source)) !== null;
  const away = () => Promise.reject(new Error('the ledger is away'));
  const ledger = { ...harness.deps.ledger, MergeClientWallets: away };
  harness.clock.advanceMs(90_000);
  await workOff(processSweeper({ ...harness.deps, ledger }));
  expect([await isOpen(), await isHeld()]).toEqual([true, false]);
  await sweepAll();
  expect([await isOpen(), await isHeld()]).toEqual([false, false]);
});

test('a merge whose target is merged into a third before the answer tells who it is by then', async () => {
  const [pair, third] = [await newPair(), await harness.client()];
  const onwards = { ...pair, source: pair.target, target: third.id };
  const ledger = {
    ...harness.deps.ledger,
    MergeClientWallets: async (request: ledgerApi.MergeClientWalletsRequest) => {
      await merge(harness.deps, onwards, newId());
      return harness.deps.ledger.MergeClientWallets(request);
    },
  };
  expect(await merge({ ...harness.deps, ledger }, pair, newId())).toMatchObject({ id: third.id });
});

test('a merge that is asked for again while it is under way is waited for, and not worked on twice', async () => {
  const pair = await newPair();
  let letOn = () => {};
  const held = new Promise<void>((resolve) => {
    letOn = resolve;
  });
  const { ledger } = harness.deps;
  const MergeClientWallets: typeof ledger.MergeClientWallets = async (request) => {
    const reply = await ledger.MergeClientWallets(request);
    await held;
    return reply;
  };
  const deps = { ...harness.deps, ledger: { ...ledger, MergeClientWallets } };
  const first = merge(deps, pair, newId());
  await until(async () => (await heardOf(pair)).asked === 1);
  const looks = jest.spyOn(deps.processes, 'takeUp');
  const repeat = merge(deps, pair, newId());
  await until(async () => looks.mock.calls.length > 1);
  letOn();
  const [answer, again] = await Promise.all([first, repeat]);
  expect(answer.id).toBe(pair.target);
  expect(again.id).toBe(pair.target);
  expect(await heardOf(pair)).toEqual({ asked: 1, told: 1 });
});

test('a merge that is asked for five times at once takes place once, and all five are answered with it', async () => {
  const pair = await newPair();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => merge(harness.deps, pair, newId())),
  );
  expect(answers.map(({ id }) => id)).toEqual(answers.map(() => pair.target));
  expect(await heardOf(pair)).toEqual({ asked: 1, told: 1 });
});

test('a merge moves trail and wallets beside each other, so that who asked waits for the slower of them alone', async () => {
  const pair = await newPair();
  let resolve: () => void;
  const walletsAsked = new Promise<void>((done) => {
    resolve = done;
  });
  const { events, ledger } = harness.deps;
  const deps: Harness['deps'] = {
    ...harness.deps,
    events: {
      ...events,
      moveToClient: async (...args) => {
        await walletsAsked;
        return events.moveToClient(...args);
      },
    },
    ledger: {
      ...ledger,
      MergeClientWallets: (request) => {
        resolve();
        return ledger.MergeClientWallets(request);
      },
    },
  };
  expect(await merge(deps, pair, newId())).toMatchObject({ id: pair.target });
});

test('a merge of which one part failed is given back once the others have ended, and goes on with that part alone', async () => {
  const pair = await newPair();
  const { events } = harness.deps;
  let moved = 0;
  const deps: Harness['deps'] = {
    ...harness.deps,
    events: {
      ...events,
      moveToClient: async (...args) => {
        moved += 1;
        if (moved === 1) throw new Error('the trail is away');
        return events.moveToClient(...args);
      },
    },
  };
  const asked = () =>
    harness.ledger.calls.filter(({ method }) => method === 'MergeClientWallets').length;
  const before = asked();
  await expect(merge(deps, pair, newId())).rejects.toMatchObject({ httpStatus: 503 });
  expect(await merge(deps, pair, newId())).toMatchObject({ id: pair.target });
  expect([moved, asked() - before]).toEqual([2, 1]);
});

test('a merge that failed at a step is taken up at once by whom it is asked of again', async () => {
  const pair = await newPair();
  harness.ledger.goAway();
  await expect(merge(harness.deps, pair, newId())).rejects.toMatchObject({ httpStatus: 503 });
  harness.ledger.comeBack();
  expect(await merge(harness.deps, pair, newId())).toMatchObject({ id: pair.target });
});

test('a merge that is finished late names whom its target has become, and ends with one who is gone', async () => {
  const [pair, other, third] = [await newPair(), await newPair(), await harness.client()];
  const { ledger, workspaceId: workspace_id } = harness;
  ledger.goAway();
  for (const begun of [pair, other])
    await expect(merge(harness.deps, begun, newId())).rejects.toMatchObject({ httpStatus: 503 });
  ledger.comeBack();
  await merge(harness.deps, { ...pair, source: pair.target, target: third.id }, newId());
  await deleteClient(harness.deps, { workspace_id, id: other.target });
  const asked = ledger.calls.length;
  await sweepAll();
  const late = ledger.calls.slice(asked);
  const moves = late.filter(({ method }) => method === 'MergeClientWallets');
  const source_client_id = pair.source;
  expect(moves).toContainEqual({
    method: 'MergeClientWallets',
    request: { workspace_id, source_client_id, target_client_id: third.id },
  });
  const to = late.findIndex(
    ({ request }) => (request as { source_client_id?: string }).source_client_id === other.source,
  );
  expect(late[to + 1]).toEqual({
    method: 'CloseClientWallets',
    request: { workspace_id, client_id: other.target, anonymized: false },
  });
  const { metrics } = await getTransactionMetrics(harness.deps, {
    workspace_id,
    client_ids: [third.id],
  });
  expect(metrics[0]).toMatchObject({ transaction_count: 2 });
});

test.each([
  ['anonymized', anonymizeClient],
  ['deleted', deleteClient],
])(
  'what comes late of a merge into somebody who was %s since keeps no name of theirs',
  async (_what, end) => {
    const { workspaceId } = harness;
    const source = await harness.client({ first_name: 'Ada' });
    const target = await harness.client({ first_name: 'Augusta' });
    await buy(source.id, 10);
    const away = () => Promise.reject(new Error('the store is away'));
    const deps = { ...harness.deps, events: { ...harness.deps.events, moveToClient: away } };
    const pair = { source: source.id, target: target.id, email: '' };
    await expect(merge(deps, pair, newId())).rejects.toMatchObject({ httpStatus: 503 });
    await end(harness.deps, { workspace_id: workspaceId, id: target.id });
    const process = await harness.deps.processes.findUnfinished(workspaceId, 'merge', source.id);
    harness.clock.advanceMs(91_000);
    await workOff(processSweeper(deps));
    await runProcess(harness.deps, process!);
    const page = { limit: 100, offset: 0 };
    const { events } = await harness.deps.events.list(workspaceId, { clientId: target.id }, page);
    expect(events.length).toBeGreaterThan(0);
    const names = events.map(({ client_name_snapshot }) => client_name_snapshot);
    expect(new Set(names)).toEqual(new Set([ANONYMIZED_NAME]));
    const isOrphaned = events.map(({ orphaned_at }) => orphaned_at !== null);
    expect(new Set(isOrphaned)).toEqual(new Set([end === deleteClient]));
  },
);
