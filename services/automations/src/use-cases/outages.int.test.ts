import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { workOff } from '@laurel/testing';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { visitOf } from '../testing/visit';
import { TAKE_OVER_MS } from './decide-execution';
import { executionSweeper } from './sweep-executions';
import { createTriggers } from './take-triggers';

const MINUTE_MS = 60_000;
const HOURS = 6;

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const away = () => platform.serviceUnavailable({ message: 'ledger is not available' });
const executions = () => harness.executions();

const doubling = {
  type: 'earn_points',
  wallet_type_code: 'points',
  amount_type: 'expression',
  amount_expression: 'wallet.points.active * 2',
};

test('what a rule gives is given once the ledger is back, however long it was away', async () => {
  await harness.newRule();
  const client = harness.newClient();
  harness.ledgerFault = away();
  await expect(harness.fire(harness.happening(client))).rejects.toMatchObject({ httpStatus: 503 });
  for (let minute = 0; minute < HOURS * 60; minute += 10) {
    harness.clock.advanceMs(10 * MINUTE_MS);
    await workOff(executionSweeper(harness.deps));
  }
  expect(await executions()).toEqual([]);
  // It costs no attempt: a fault that comes after it is borne as ever.
  harness.ledgerFault = new Error('a fault');
  harness.clock.advanceMs(TAKE_OVER_MS);
  await workOff(executionSweeper(harness.deps));
  expect(await executions()).toEqual([]);
  harness.ledgerFault = null;
  harness.clock.advanceMs(TAKE_OVER_MS);
  await workOff(executionSweeper(harness.deps));
  expect(await executions()).toMatchObject([{ status: 'success' }]);
  expect(harness.balanceOf(client)).toBe(5);
});

test('an event that was put aside waits for a service as long as that is away', async () => {
  await harness.newRule();
  const client = harness.newClient();
  const { clients, ...others } = harness.neighbours();
  let isAway = true;
  const deps = harness.depsOver(harness.store.connection, {
    ...others,
    clients: {
      ...clients,
      GetClients: (request) => (isAway ? Promise.reject(away()) : clients.GetClients(request)),
    },
  });
  const { backlog } = createTriggers(deps, () => undefined);
  const visit = visitOf(harness.workspaceId, client);
  await deps.triggerBacklog.add(harness.workspaceId, visit, harness.clock.now());
  for (let minute = 0; minute < HOURS * 60; minute += 10) {
    await workOff(backlog);
    harness.clock.advanceMs(10 * MINUTE_MS);
  }
  expect(harness.balanceOf(client)).toBe(0);
  isAway = false;
  await workOff(backlog);
  expect(harness.balanceOf(client)).toBe(5);
});

test('a rule whose effect waits for a service is waited for by those after it, which see what it does', async () => {
  await harness.newRule({ priority: 0 });
  await harness.newRule({ priority: 1, effects: [doubling] });
  const { ledger } = harness.deps;
  let isBusy = true;
  const deps: Deps = {
    ...harness.deps,
    ledger: {
      ...ledger,
      EarnPoints: async (request) => {
        const fails = isBusy;
        isBusy = false;
        if (fails) throw away();
        return ledger.EarnPoints(request);
      },
    },
  };
  const client = harness.newClient();
  const happened = harness.happening(client);
  await expect(harness.fire(happened, deps)).rejects.toMatchObject({ httpStatus: 503 });
  expect(harness.balanceOf(client)).toBe(0);
  await harness.fire(happened, deps);
  expect(harness.balanceOf(client)).toBe(15);
  expect(await executions()).toHaveLength(2);
});

describe('a rule whose condition did not hold when an event had its turn', () => {
  const rich = { type: 'wallet_balance', wallet_type_code: 'points', operator: 'gte', value: 5 };
  const big = {
    type: 'earn_points',
    wallet_type_code: 'points',
    amount_type: 'fixed',
    amount: 100,
  };
  let client: string;
  let visit: ReturnType<typeof visitOf>;
  /** Whose ledger does the first award and does not answer. */
  let deps: Deps;
  beforeEach(async () => {
    await harness.newRule({ priority: 0, conditions: [rich], effects: [big] });
    await harness.newRule({ priority: 1 });
    client = harness.newClient();
    visit = visitOf(harness.workspaceId, client);
    const { ledger } = harness.deps;
    let isLost = true;
    const EarnPoints: typeof ledger.EarnPoints = async (request) => {
      const reply = await ledger.EarnPoints(request);
      if (!isLost) return reply;
      isLost = false;
      throw away();
    };
    deps = { ...harness.deps, ledger: { ...ledger, EarnPoints } };
  });

  test('has no other turn by what later rules gave, where the event comes from the queue again', async () => {
    const { take } = createTriggers(deps, () => undefined);
    await expect(take(visit)).rejects.toMatchObject({ httpStatus: 503 });
    await take(visit);
    expect(harness.balanceOf(client)).toBe(5);
  });

  test('has none where the event waits in the backlog, and another process goes on with it', async () => {
    await deps.triggerBacklog.add(harness.workspaceId, visit, harness.clock.now());
    await workOff(createTriggers(deps, () => undefined).backlog);
    expect(harness.balanceOf(client)).toBe(5);
    harness.clock.advanceMs(MINUTE_MS);
    await workOff(createTriggers(deps, () => undefined).backlog);
    expect(await executions()).toMatchObject([{ status: 'success' }]);
    expect(harness.balanceOf(client)).toBe(5);
  });

  test('has its turn at the next event', async () => {
    const { take } = createTriggers(deps, () => undefined);
    await expect(take(visit)).rejects.toMatchObject({ httpStatus: 503 });
    await take(visit);
    await take(visitOf(harness.workspaceId, client));
    expect(harness.balanceOf(client)).toBe(110);
  });
});

describe('a rule about which nothing can be decided while a service is away', () => {
  const conditions = () => [{ type: 'segment', segment_id: newId() }];
  let isAway: boolean;
  beforeEach(() => {
    isAway = true;
    harness.deps.segments.containing = async (_workspaceId, ids) => {
      if (isAway) throw away();
      return [...ids];
    };
  });

  test('is waited for by those after it, which see what it does', async () => {
    await harness.newRule({ priority: 0 });
    await harness.newRule({ priority: 1, conditions: conditions() });
    await harness.newRule({ priority: 2, effects: [doubling] });
    const client = harness.newClient();
    const happened = harness.happening(client);
    await expect(harness.fire(happened)).rejects.toMatchObject({ httpStatus: 503 });
    expect(harness.balanceOf(client)).toBe(5);
    isAway = false;
    await harness.fire(happened);
    expect(harness.balanceOf(client)).toBe(30);
  });

  test('is what its event waits for, also where another rule has a fault of its own', async () => {
    const broken = await harness.newRule({ priority: 1, limits: { total_executions: 5 } });
    await harness.newRule({ priority: 2, conditions: conditions() });
    const { executions } = harness.deps;
    const deps: Deps = {
      ...harness.deps,
      executions: {
        ...executions,
        insertAll: (decided, ...rest) =>
          decided.some(({ execution }) => execution.ruleId === broken.id)
            ? Promise.reject(new Error('too large for the store'))
            : executions.insertAll(decided, ...rest),
      },
    };
    const happened = harness.happening(harness.newClient());
    await expect(harness.fire(happened, deps)).rejects.toMatchObject({ httpStatus: 503 });
    isAway = false;
    await expect(harness.fire(happened, deps)).rejects.toThrow('too large for the store');
  });
});
