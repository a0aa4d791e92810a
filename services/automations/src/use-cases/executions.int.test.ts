import { invalidField, platform } from '@laurel/errors';
import { createEvent, type EventMap, findDefinition } from '@laurel/events';
import { newId, stableId } from '@laurel/lifecycle';
import { erasePerson, mergePerson, unitOfWork } from '@laurel/mongo';
import { atEveryCall, awake, type Death, mortal, takeUp, until, workOff } from '@laurel/testing';
import { toUnits } from '@laurel/values/amount';
import { startWork } from '@laurel/work';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { visitOf } from '../testing/visit';
import { TAKE_OVER_MS } from './decide-execution';
import { followEvent } from './follow-event';
import { openRuns } from './open-runs';
import { executionSweeper } from './sweep-executions';
import { createTriggers } from './take-triggers';
import { updateRule } from './update-rule';
import { runReader, runWorker } from './work-run';

let harness: Harness;
let other: Deps;
beforeEach(async () => {
  harness = await Harness.open();
  other = await harness.anotherInstance();
});
afterEach(() => harness.close());

/** What one replica does of runs as long as it finds something, with how many pieces that took. */
const workRuns = async (deps: Deps): Promise<number> =>
  (await workOff(runReader(deps))) + (await workOff(runWorker(deps)));

const earn = (amount: number) => ({
  type: 'earn_points',
  wallet_type_code: 'points',
  amount_type: 'fixed',
  amount,
});

describe('one event', () => {
  test('fires a rule once per client, however often and wherever it arrives', async () => {
    await harness.newRule();
    const client = harness.newClient();
    const happened = harness.happening(client);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        harness.fire(happened, index % 2 === 0 ? harness.deps : other),
      ),
    );
    await harness.fire(happened);
    expect(await harness.executions()).toMatchObject([{ status: 'success', clientId: client }]);
    expect(harness.balanceOf(client)).toBe(5);
  });

  test('is decided on together with others of its moment, each once and each counted once, though another replica decides on some of them', async () => {
    const rule = await harness.newRule();
    const events = Array.from({ length: 12 }, () => harness.happening(harness.newClient()));
    let [begun, ended] = [0, 0];
    const { executions } = harness.deps;
    const deps = {
      ...harness.deps,
      executions: {
        ...executions,
        insertAll: (...args: Parameters<typeof executions.insertAll>) => {
          begun += 1;
          return executions.insertAll(...args);
        },
        endAll: (...args: Parameters<typeof executions.endAll>) => {
          ended += 1;
          return executions.endAll(...args);
        },
      },
    };
    await Promise.all(events.map((happened) => harness.fire(happened, deps)));
    expect([begun, ended].every((count) => count > 0 && count < events.length)).toBe(true);
    const more = Array.from({ length: 12 }, () => harness.happening(harness.newClient()));
    await Promise.all([
      ...more.map((happened) => harness.fire(happened)),
      ...more.slice(0, 5).map((happened) => harness.fire(happened, other)),
    ]);
    expect((await harness.executions()).map(({ status }) => status)).toEqual(
      Array.from({ length: 24 }, () => 'success'),
    );
    const { workspaceId } = harness;
    const used = await harness.deps.usages.ofRules(workspaceId, [rule.id]);
    expect(used.get(rule.id)).toMatchObject({ executions: 24, points: toUnits(5 * 24) });
  });

  test('lets rules run by priority, each seeing what the one before it did', async () => {
    const conditions = [{ type: 'expression', expression: 'wallet.points.active >= 5.0' }];
    await harness.newRule({ priority: 2, conditions, effects: [earn(100)] });
    await harness.newRule({ priority: 1 });
    await harness.newRule({ priority: 0, conditions, effects: [earn(1_000)] });
    const client = harness.newClient();
    await harness.fire(harness.happening(client));
    expect(harness.balanceOf(client)).toBe(105);
  });

  test('whose award is out of range fails that rule alone, once, with its reason', async () => {
    const effects = [
      {
        type: 'earn_points',
        wallet_type_code: 'points',
        amount_type: 'expression',
        amount_expression: 'event.amount * 1000000000000.0',
      },
    ];
    const broken = await harness.newRule({ priority: 1, effects });
    const sound = await harness.newRule({ priority: 2 });
    const client = harness.newClient();
    const happened = harness.happening(client, { amount: 10 });
    await harness.fire(happened);
    await harness.fire(happened);
    expect(harness.balanceOf(client)).toBe(5);
    expect(await harness.executions({ ruleId: sound.id })).toMatchObject([{ status: 'success' }]);
    expect(await harness.executions({ ruleId: broken.id })).toMatchObject([
      { status: 'failed', errorMessage: expect.stringContaining('no more than 100000000000') },
    ]);
  });

  test('is given what a formula says that names a wallet type which was switched off', async () => {
    const amount_expression = '7.0 + (wallet.old.active >= 10 ? 5.0 : 0.0)';
    const effect = { type: 'earn_points', wallet_type_code: 'points', amount_type: 'expression' };
    await harness.newRule({ effects: [{ ...effect, amount_expression }] });
    const client = harness.newClient();
    await harness.fire(harness.happening(client));
    expect(harness.balanceOf(client)).toBe(7);
  });

  test('runs the other rules when an effect of one meets a fault', async () => {
    const client = harness.newClient();
    const { ledger, ...others } = harness.neighbours();
    let isAway = true;
    const deps = harness.depsOver(harness.store.connection, {
      ...others,
      ledger: {
        ...ledger,
        EarnPoints: (request) =>
          isAway && request.amount === 7
            ? Promise.reject(new Error('a fault of one'))
            : ledger.EarnPoints(request),
      },
    });
    await harness.newRule({ priority: 2, effects: [earn(7)] });
    await harness.newRule({ priority: 3, effects: [earn(5)] });
    await expect(harness.fire(harness.happening(client), deps)).rejects.toThrow('a fault of one');
    expect(harness.balanceOf(client)).toBe(5);
    isAway = false;
    harness.clock.advanceMs(TAKE_OVER_MS + 1);
    await workOff(executionSweeper(deps));
    expect(harness.balanceOf(client)).toBe(12);
  });

  test('runs the other rules when the decision about one cannot be written', async () => {
    const broken = await harness.newRule({ priority: 1, limits: { total_executions: 5 } });
    await harness.newRule({ priority: 2, effects: [earn(7)] });
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
    const client = harness.newClient();
    const happened = harness.happening(client);
    await expect(harness.fire(happened, deps)).rejects.toThrow('too large for the store');
    expect(harness.balanceOf(client)).toBe(7);
    await harness.fire(happened);
    expect(harness.balanceOf(client)).toBe(12);
  });

  test('lets a segment see what rules before have done to balances and the tier', async () => {
    const asked: unknown[] = [];
    const { segments, tiers } = harness.deps;
    segments.containing = async (_workspaceId, ids, { standing = { wallets: [] } }) => {
      const { wallets, tier_id } = standing;
      asked.push([tier_id, ...wallets.map(({ active, earned }) => [active, earned])]);
      return wallets.some(({ active }) => active >= 100) ? [...ids] : [];
    };
    const tier = { id: newId(), name: 'Gold', kind: 'exclusive' };
    const placed = new Set<string>();
    tiers.GetTiers = async () => ({ tiers: [tier] }) as never;
    tiers.ListTiers = async () => ({ tiers: [tier] }) as never;
    tiers.AssignTier = async ({ client_id }) => {
      placed.add(client_id);
      return {} as never;
    };
    tiers.GetClientTiers = async ({ client_ids }) => {
      const own = client_ids.filter((id) => placed.has(id));
      return { placements: own.map((client_id) => ({ client_id, tier_id: tier.id })) } as never;
    };
    const conditions = [{ type: 'segment', segment_id: newId() }];
    const effects = [earn(100), { type: 'assign_tier', tier_id: tier.id }];
    await harness.newRule({ priority: 1, effects });
    await harness.newRule({ priority: 2, conditions, effects: [earn(1)] });
    const client = harness.newClient();
    await harness.fire(harness.happening(client));
    expect(harness.balanceOf(client)).toBe(101);
    expect(asked).toEqual([[tier.id, [100, 100]]]);
  });

  test('that a rule caused does not fire it again, and a chain ends at depth 5', async () => {
    const own = await harness.newRule();
    const client = harness.newClient();
    await harness.fire(harness.happening(client), harness.deps, [own.id]);
    expect(await harness.executions()).toEqual([]);
    const four = Array.from({ length: 4 }, newId);
    await harness.fire(harness.happening(client), harness.deps, four);
    expect(await harness.executions()).toMatchObject([{ chain: four, depth: 4 }]);
    await harness.fire(harness.happening(client), harness.deps, [...four, newId()]);
    expect(await harness.executions()).toHaveLength(1);
  });
});

describe('a purchase at a till', () => {
  const purchase = (clientId: string, source = 'mobile') => {
    const { example } = findDefinition('transaction.purchase')!;
    const known = example as EventMap['transaction.purchase'];
    const data = { ...known, id: newId(), workspace_id: harness.workspaceId, client_id: clientId };
    return createEvent('transaction.purchase', {
      id: data.id,
      workspaceId: harness.workspaceId,
      subject: clientId,
      data: { ...data, event_timestamp: harness.clock.now().toISOString(), source },
    });
  };
  const follow = (clientId: string, eventId: string, since = harness.clock.now()) =>
    followEvent(harness.deps, {
      workspace_id: harness.workspaceId,
      client_id: clientId,
      event_id: eventId,
      since: since.toISOString(),
      wait_ms: 0,
    });

  test('is done with once every rule that asked for it has had its turn, and tells what each gave', async () => {
    await harness.newRule({ name: 'Five', trigger_type: 'transaction' });
    const client = harness.newClient();
    const told = purchase(client);
    expect(await follow(client, told.id)).toEqual({ done: false, gifts: [], failed_rules: [] });
    const { take } = createTriggers(harness.deps, () => undefined);
    await take(told);
    await take(told);
    expect(await follow(client, told.id)).toEqual({
      done: true,
      gifts: [
        { rule_name: 'Five', entry_id: expect.any(String), wallet_type_code: 'points', points: 5 },
      ],
      failed_rules: [],
    });
  });

  test('is not done with while an effect is owed', async () => {
    await harness.newRule({ trigger_type: 'transaction' });
    const client = harness.newClient();
    const told = purchase(client);
    const { take } = createTriggers(harness.deps, () => undefined);
    harness.ledgerFault = new Error('the ledger is away');
    await expect(take(told)).rejects.toThrow('the ledger is away');
    expect(await follow(client, told.id)).toEqual({ done: false, gifts: [], failed_rules: [] });
    harness.ledgerFault = null;
    await take(told);
    expect(await follow(client, told.id)).toMatchObject({ done: true, gifts: [{ points: 5 }] });
  });

  test('is marked where no rule asks for it, elsewhere costs nothing, and is waited for a day at most', async () => {
    const client = harness.newClient();
    const [told, elsewhere] = [purchase(client), purchase(client, 'api')];
    const { take } = createTriggers(harness.deps, () => undefined);
    await take(told);
    await take(elsewhere);
    expect(await follow(client, told.id)).toEqual({ done: true, gifts: [], failed_rules: [] });
    expect((await follow(client, elsewhere.id)).done).toBe(false);
    const since = harness.clock.now();
    harness.clock.advanceMs(86_400_001);
    expect((await follow(client, elsewhere.id, since)).done).toBe(true);
  });
});

describe('the record of what rules did', () => {
  test('goes when its time is over, while a limit that was reached stays reached', async () => {
    const once = { executions_per_client: { interval: 'lifetime', value: 1 } };
    const rule = await harness.newRule({ limits: once });
    const client = harness.newClient();
    await harness.fire(harness.happening(client));
    const { executions } = harness.deps;
    await executions.removeEnded(harness.clock.now());
    expect(await harness.executions()).toMatchObject([{ status: 'success' }]);
    harness.clock.advanceMs(86_400_000);
    expect(await executions.removeEnded(harness.clock.now())).toEqual({ more: false });
    expect(await harness.executions()).toEqual([]);
    await harness.fire(harness.happening(client));
    expect(await harness.executions()).toMatchObject([{ status: 'skipped', ruleId: rule.id }]);
    expect(harness.balanceOf(client)).toBe(5);
  });

  test('is never taken from an execution that still runs', async () => {
    harness.ledgerFault = new Error('the ledger is away');
    await harness.newRule();
    const client = harness.newClient();
    await harness.fire(harness.happening(client)).catch(() => undefined);
    harness.clock.advanceMs(900 * 86_400_000);
    await harness.deps.executions.removeEnded(harness.clock.now());
    harness.ledgerFault = null;
    await workOff(executionSweeper(harness.deps));
    expect(harness.balanceOf(client)).toBe(5);
  });
});

describe('a flood of events of one workspace', () => {
  const backlogRows = () => harness.store.connection.collection('trigger_backlog');

  test('keeps an event of another waiting for nothing, and is worked off to the last', async () => {
    const quiet = harness.inNewWorkspace();
    await harness.newRule();
    await quiet.newRule();
    const clients = Array.from({ length: 60 }, () => harness.newClient());
    const one = quiet.newClient();
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { ledger, clients: people, ...others } = harness.neighbours();
    const own = quiet.neighbours();
    const isQuiet = ({ workspace_id }: { workspace_id: string }) =>
      workspace_id === quiet.workspaceId;
    const deps = harness.depsOver(harness.store.connection, {
      ...others,
      ledger: {
        ...ledger,
        EarnPoints: async (request) => {
          if (isQuiet(request)) return own.ledger.EarnPoints(request);
          await gate;
          return ledger.EarnPoints(request);
        },
      },
      clients: {
        ...people,
        GetClients: (request) => (isQuiet(request) ? own.clients : people).GetClients(request),
      },
    });
    const triggers = createTriggers(deps, () => undefined);
    const flood = clients.map((id) => triggers.take(visitOf(harness.workspaceId, id)));
    await triggers.take(visitOf(quiet.workspaceId, one));
    expect(quiet.balanceOf(one)).toBe(5);
    open();
    await Promise.all(flood);
    await workOff(triggers.backlog);
    expect(clients.map((id) => harness.balanceOf(id))).toEqual(clients.map(() => 5));
  });

  test('as many of one workspace as its share run at once, and cost no row', async () => {
    await harness.newRule();
    let keptAside = 0;
    const { triggerBacklog } = harness.deps;
    const backlog = {
      ...triggerBacklog,
      add: (...kept: Parameters<typeof triggerBacklog.add>) => {
        keptAside += 1;
        return triggerBacklog.add(...kept);
      },
    };
    const triggers = createTriggers({ ...harness.deps, triggerBacklog: backlog }, () => undefined);
    const clients = Array.from({ length: 30 }, () => harness.newClient());
    await Promise.all(clients.map((id) => triggers.take(visitOf(harness.workspaceId, id))));
    expect(keptAside).toBe(0);
    expect(clients.map((id) => harness.balanceOf(id))).toEqual(clients.map(() => 5));
  });

  test('is put aside the sooner while many others are busy, which take no place of the fewest there are', async () => {
    const busy = Array.from({ length: 4 }, () => harness.inNewWorkspace());
    const all = [harness, ...busy];
    for (const one of all) await one.newRule();
    const of = ({ workspace_id }: { workspace_id: string }) =>
      all.find(({ workspaceId }) => workspaceId === workspace_id)!.neighbours();
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let keptAside = 0;
    let inHand = 0;
    const { triggerBacklog } = harness.deps;
    const { ledger, clients, ...others } = harness.neighbours();
    const deps = {
      ...harness.depsOver(harness.store.connection, {
        ...others,
        clients: { ...clients, GetClients: (request) => of(request).clients.GetClients(request) },
        ledger: {
          ...ledger,
          EarnPoints: async (request) => {
            inHand += 1;
            await gate;
            return of(request).ledger.EarnPoints(request);
          },
        },
      }),
      triggerBacklog: {
        ...triggerBacklog,
        add: (...kept: Parameters<typeof triggerBacklog.add>) => {
          keptAside += 1;
          return triggerBacklog.add(...kept);
        },
      },
    };
    const triggers = createTriggers(deps, () => undefined);
    const takeOf = (one: typeof harness) =>
      triggers.take(visitOf(one.workspaceId, one.newClient()));
    const flood = busy.flatMap((one) => Array.from({ length: 32 }, () => takeOf(one)));
    await until(() => inHand === 128);
    const few = Array.from({ length: 8 }, () => takeOf(harness));
    await until(() => inHand === 136);
    await takeOf(harness);
    expect(keptAside).toBe(1);
    open();
    await Promise.all([...flood, ...few]);
    expect(await workOff(triggers.backlog)).toBe(1);
  });

  test('that could not even be postponed while the store was away have their turn when it is back', async () => {
    await harness.newRule();
    const client = harness.newClient();
    const { triggerBacklog, clock } = harness.deps;
    let isAway = true;
    const unlessAway =
      <Args extends unknown[], Reply>(write: (...args: Args) => Promise<Reply>) =>
      async (...args: Args): Promise<Reply> => {
        if (isAway) throw new Error('the store is away');
        return write(...args);
      };
    const deps = {
      ...harness.deps,
      triggerBacklog: {
        ...triggerBacklog,
        remove: unlessAway(triggerBacklog.remove),
        postpone: unlessAway(triggerBacklog.postpone),
      },
    };
    const { backlog } = createTriggers(deps, () => undefined);
    await triggerBacklog.add(
      harness.workspaceId,
      visitOf(harness.workspaceId, client),
      clock.now(),
    );
    const held = (await takeUp(backlog))!;
    const work = () => backlog.workPage([held], awake);
    await expect(work()).rejects.toThrow('the store is away');
    isAway = false;
    await work();
    expect(await backlogRows().countDocuments()).toBe(0);
    expect(harness.balanceOf(client)).toBe(5);
  });

  test('that waited are done with in one write, and one that meets a fault waits alone for another try', async () => {
    await harness.newRule();
    const { ledger, ...others } = harness.neighbours();
    const { triggerBacklog, clock } = harness.deps;
    const clients = Array.from({ length: 5 }, () => harness.newClient());
    const [unlucky] = clients;
    let isAway = true;
    const removed: number[] = [];
    const deps = {
      ...harness.depsOver(harness.store.connection, {
        ...others,
        ledger: {
          ...ledger,
          EarnPoints: (request) =>
            isAway && request.client_id === unlucky
              ? Promise.reject(new Error('a fault of one'))
              : ledger.EarnPoints(request),
        },
      }),
      triggerBacklog: {
        ...triggerBacklog,
        remove: (...done: Parameters<typeof triggerBacklog.remove>) => {
          removed.push(done[1].length);
          return triggerBacklog.remove(...done);
        },
      },
    };
    const { backlog } = createTriggers(deps, () => undefined);
    for (const client of clients)
      await triggerBacklog.add(
        harness.workspaceId,
        visitOf(harness.workspaceId, client),
        clock.now(),
      );
    await workOff(backlog);
    expect(removed).toEqual([4]);
    expect(clients.map((id) => harness.balanceOf(id))).toEqual([0, 5, 5, 5, 5]);
    isAway = false;
    harness.clock.advanceMs(TAKE_OVER_MS);
    await workOff(backlog);
    expect(harness.balanceOf(unlucky!)).toBe(5);
  });

  test('that are put aside while the last of those before is worked off are not overtaken', async () => {
    await harness.newRule();
    const { ledger, triggerBacklog } = harness.deps;
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let meanwhile = async (): Promise<void> => undefined;
    let keptAside = 0;
    const triggers = createTriggers(
      {
        ...harness.deps,
        ledger: {
          ...ledger,
          EarnPoints: async (request) => {
            await gate;
            return ledger.EarnPoints(request);
          },
        },
        triggerBacklog: {
          ...triggerBacklog,
          add: (...kept) => {
            keptAside += 1;
            return triggerBacklog.add(...kept);
          },
          hasAny: async (...asked) => {
            const isAny = await triggerBacklog.hasAny(...asked);
            await meanwhile();
            return isAny;
          },
        },
      },
      () => undefined,
    );
    const take = () => triggers.take(visitOf(harness.workspaceId, harness.newClient()));
    // As many as are worked on at once; the next one is put aside.
    const flood = Array.from({ length: 32 }, take);
    await take();
    expect(keptAside).toBe(1);
    open();
    await Promise.all(flood);
    meanwhile = async () => {
      meanwhile = async () => undefined;
      await take();
    };
    const held = (await takeUp(triggers.backlog))!;
    await triggers.backlog.workPage([held], awake);
    await take();
    expect(keptAside).toBe(3);
    expect(await workOff(triggers.backlog)).toBe(2);
    await take();
    expect(keptAside).toBe(3);
  });

  test('that no rule asks for are not put aside, and share their look at the rules', async () => {
    await harness.newRule({ trigger_config: { event_types: ['check_in'] } });
    let reads = 0;
    const { rules, triggerBacklog } = harness.deps;
    let keptAside = 0;
    const triggers = createTriggers(
      {
        ...harness.deps,
        rules: {
          ...rules,
          listActive: (...asked) => {
            reads += 1;
            return rules.listActive(...asked);
          },
        },
        triggerBacklog: {
          ...triggerBacklog,
          add: (...kept) => {
            keptAside += 1;
            return triggerBacklog.add(...kept);
          },
        },
      },
      () => undefined,
    );
    const clients = Array.from({ length: 100 }, () => harness.newClient());
    await Promise.all(clients.map((id) => triggers.take(visitOf(harness.workspaceId, id))));
    expect(keptAside).toBe(0);
    expect(reads).toBe(1);
    expect(await harness.executions()).toEqual([]);
  });
});

describe('a condition on the points that a client has earned', () => {
  const earned = (more: object) =>
    [{ type: 'client_metric', metric: 'points_earned', ...more }] as never;
  const fireOften = async (client: string, times: number) => {
    for (let event = 0; event < times; event += 1) {
      harness.clock.advanceMs(60_000);
      await harness.fire(harness.happening(client));
    }
  };

  test.each([
    ['over a period', { period_days: 1 }],
    ['in all', {}],
  ])('goes by the wallet that it names, whichever that is: %s', async (_when, more) => {
    const stamps = { wallet_type_code: 'stamps', operator: 'lt', value: 3, ...more };
    const effects = [{ ...earn(1), wallet_type_code: 'stamps' }];
    await harness.newRule({ conditions: earned(stamps), effects });
    await harness.newRule({ effects: [earn(10)] });
    const client = harness.newClient();
    await fireOften(client, 5);
    expect(harness.balanceOf(client)).toBe(3 + 5 * 10);
  });

  test.each([
    ['over a period', { period_days: 30 }],
    ['in all', {}],
  ])('counts what a client who was merged into this one earned: %s', async (_when, more) => {
    const [source, target] = [harness.newClient(), harness.newClient()];
    const at = harness.clock.now().toISOString();
    harness.entries.set('of the source', { clientId: source, amount: 900, at });
    harness.entries.set('of the target', { clientId: target, amount: 150, at });
    harness.merge(source, target);
    await harness.newRule({ conditions: earned({ operator: 'gte', value: 1_050, ...more }) });
    await fireOften(target, 1);
    expect(await harness.executions({ clientId: target })).toMatchObject([{ status: 'success' }]);
  });
});

describe('limits', () => {
  test('that are set later do not count what did nothing, on whichever replica it was counted', async () => {
    const effects = [{ type: 'deduct_points', wallet_type_code: 'points', amount: 5 }];
    const rule = await harness.newRule({ effects });
    const events = Array.from({ length: 6 }, () => harness.happening(harness.newClient()));
    await Promise.all(
      events.map((happened, index) =>
        harness.fire(happened, index % 2 === 0 ? harness.deps : other),
      ),
    );
    expect((await harness.executions()).map(({ status }) => status)).toEqual(
      events.map(() => 'failed'),
    );
    const used = await harness.deps.usages.ofRules(harness.workspaceId, [rule.id]);
    expect(used.get(rule.id)).toEqual({ executions: 0, points: 0 });
  });

  test('are never passed, however many events come to however many replicas', async () => {
    const rule = await harness.newRule({
      limits: { total_budget: 52, total_executions: 40, per_client_budget: 10 },
    });
    const clients = Array.from({ length: 8 }, () => harness.newClient());
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        harness.fire(
          harness.happening(clients[index % clients.length]!),
          index % 2 === 0 ? harness.deps : other,
        ),
      ),
    );
    const executions = await harness.executions({ ruleId: rule.id });
    expect(executions).toHaveLength(40);
    expect(executions.filter(({ status }) => status === 'success')).toHaveLength(10);
    expect(Math.max(...clients.map((id) => harness.balanceOf(id)))).toBe(10);
    const skipped = executions.filter(({ status }) => status === 'skipped');
    expect(skipped.every(({ errorMessage }) => errorMessage?.startsWith('limit_reached'))).toBe(
      true,
    );
  });

  test.each([
    ['in all', { total_executions: 5 }],
    ['of points', { total_budget: 27 }],
    ['a day', { executions_per_client: { interval: 'day', value: 1 } }],
    ['for each client', { per_client_budget: 7 }],
  ] as const)(
    '%s hold among executions that are decided on together, in few transactions',
    async (_name, limits) => {
      await harness.newRule({ limits: limits as never });
      const clients = Array.from({ length: 5 }, () => harness.newClient());
      let transactions = 0;
      const { executions } = harness.deps;
      const deps: Deps = {
        ...harness.deps,
        executions: {
          ...executions,
          insertAll: (...args) => {
            transactions += 1;
            return executions.insertAll(...args);
          },
        },
      };
      const events = Array.from({ length: 20 }, (_, at) => harness.happening(clients[at % 5]!));
      await Promise.all(events.map((happened) => harness.fire(happened, deps)));
      const statuses = (await harness.executions()).map(({ status }) => status);
      expect(statuses.filter((status) => status === 'success')).toHaveLength(5);
      expect(statuses.filter((status) => status === 'skipped')).toHaveLength(15);
      expect(transactions).toBeLessThan(15);
    },
  );

  test('count again what was set aside and not awarded', async () => {
    const spend = { type: 'deduct_points', wallet_type_code: 'points', amount: 1 };
    const rule = await harness.newRule({
      effects: [spend, earn(5)],
      limits: { total_budget: 5 },
    });
    const [poor, rich] = [harness.newClient(), harness.newClient()];
    await harness.fire(harness.happening(poor));
    expect(await harness.executions({ clientId: poor })).toMatchObject([
      { status: 'failed', results: [{ status: 'failed' }, { status: 'not_run' }] },
    ]);
    harness.entries.set('gift', { clientId: rich, amount: 1 });
    await harness.fire(harness.happening(rich));
    expect(harness.balanceOf(rich)).toBe(5);
    const key = { workspaceId: harness.workspaceId, ruleId: rule.id, clientId: rich };
    expect((await harness.deps.usages.find(key)).rule).toMatchObject({ points: 50_000 });
  });

  test.each([
    ['total_executions', { total_executions: 1 }],
    ['lifetime', { executions_per_client: { interval: 'lifetime', value: 1 } }],
    ['day', { executions_per_client: { interval: 'day', value: 1 } }],
  ])('get the place of a failed execution back: %s', async (_name, limits) => {
    const spend = { type: 'deduct_points', wallet_type_code: 'points', amount: 1 };
    await harness.newRule({ effects: [spend], limits: limits as never });
    const client = harness.newClient();
    await harness.fire(harness.happening(client));
    harness.entries.set(`gift ${newId()}`, { clientId: client, amount: 2 });
    for (let event = 0; event < 2; event += 1) {
      harness.clock.advanceMs(1_000);
      await harness.fire(harness.happening(client));
    }
    const statuses = (await harness.executions()).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['failed', 'skipped', 'success']);
    expect(harness.balanceOf(client)).toBe(1);
  });

  test('per interval roll with time', async () => {
    await harness.newRule({ limits: { executions_per_client: { interval: 'hour', value: 1 } } });
    const client = harness.newClient();
    for (const minutes of [0, 59, 2]) {
      harness.clock.advanceMs(minutes * 60_000);
      await harness.fire(harness.happening(client));
    }
    const statuses = (await harness.executions()).map(({ status }) => status);
    expect(statuses).toEqual(['success', 'skipped', 'success']);
  });

  test('of two clients add up when they are merged', async () => {
    const rule = await harness.newRule({ limits: { per_client_budget: 10 } });
    const [source, target] = [harness.newClient(), harness.newClient()];
    await harness.fire(harness.happening(source));
    await harness.fire(harness.happening(target));
    const { connection } = harness.store;
    const { workspaceId } = harness;
    await unitOfWork(connection, (session) =>
      mergePerson(harness.deps, { workspaceId, source, target }, session),
    );
    await harness.fire(harness.happening(target));
    const ofTarget = await harness.executions({ ruleId: rule.id, clientId: target });
    expect(ofTarget.map(({ status }) => status).sort()).toEqual(['skipped', 'success', 'success']);
  });
});

describe('an execution whose process is killed at any call', () => {
  test.each(['before', 'after'] as const)(
    '%s the call: every effect takes place once, and budgets come out exact',
    async (when) => {
      const calls = await atEveryCall(when, async (death: Death) => {
        const effects = [earn(5), { type: 'send_push', title: null, body: 'Hello' }, earn(2)];
        const event_types = [newId()];
        const rule = await harness.newRule({
          effects,
          trigger_config: { event_types },
          limits: { total_budget: 7 },
        });
        const client = harness.newClient();
        const happened = harness.happening(client, { eventType: event_types[0]! });
        const dying = mortal(harness.store.connection, death);
        const { ledger, ...others } = harness.neighbours();
        const replica = harness.depsOver(dying.connection, {
          ...others,
          ledger: dying.peer(ledger),
        });
        dying.arm();
        await Promise.race([harness.fire(happened, replica), dying.died]);
        harness.clock.advanceMs(TAKE_OVER_MS + 1);
        await workOff(executionSweeper(harness.deps));
        await harness.fire(happened, other);
        const executions = await harness.executions({ ruleId: rule.id });
        expect([death, executions]).toMatchObject([
          death,
          [{ status: 'success', awarded: 70_000 }],
        ]);
        expect([death, harness.balanceOf(client)]).toEqual([death, 7]);
        const pushes = (await harness.events('automations.push_requested')).filter(
          ({ subject }) => subject === client,
        );
        expect([death, pushes]).toMatchObject([death, [{ data: { body: 'Hello' } }]]);
        return !dying.isDead();
      });
      expect(calls).toBeGreaterThan(10);
    },
    300_000,
  );

  test('is gone on with when a service that did not answer is back', async () => {
    await harness.newRule();
    const client = harness.newClient();
    const happened = harness.happening(client);
    harness.ledgerFault = new Error('the ledger is away');
    await expect(harness.fire(happened)).rejects.toThrow('away');
    expect(await harness.executions()).toEqual([]);
    harness.ledgerFault = null;
    harness.clock.advanceMs(TAKE_OVER_MS + 1);
    await workOff(executionSweeper(harness.deps));
    expect(await harness.executions()).toMatchObject([{ status: 'success' }]);
    expect(harness.balanceOf(client)).toBe(5);
  });
});

describe('a schedule', () => {
  const schedule = { cron: '0 9 * * *', timezone: 'Europe/Berlin' };
  const time_based = { trigger_type: 'time_based', trigger_config: { schedule } };

  test('serves every active client once per due moment, on any number of replicas', async () => {
    const clients = Array.from({ length: 250 }, () => harness.newClient());
    await harness.newRule(time_based);
    await openRuns(harness.deps);
    expect(await workRuns(harness.deps)).toBe(0);
    harness.clock.set('2026-01-16T08:00:00.000Z');
    await Promise.all([openRuns(harness.deps), openRuns(other)]);
    await Promise.all([workOff(runReader(harness.deps)), workOff(runReader(other))]);
    await Promise.all([workOff(runWorker(harness.deps)), workOff(runWorker(other))]);
    expect(clients.map((id) => harness.balanceOf(id))).toEqual(clients.map(() => 5));
    const [execution] = await harness.executions();
    expect(execution).toMatchObject({ trigger: { triggerEventId: null } });
  });

  test('serves those about whom it could not decide while a service was away, once that is back', async () => {
    const clients = Array.from({ length: 30 }, () => harness.newClient());
    const balance = { type: 'wallet_balance', wallet_type_code: 'points', operator: 'gte' };
    await harness.newRule({ ...time_based, conditions: [{ ...balance, value: 0 }] });
    const { ledger, ...others } = harness.neighbours();
    let [isAway, asked] = [true, 0];
    const deps = harness.depsOver(harness.store.connection, {
      ...others,
      ledger: {
        ...ledger,
        GetBalances: (request) => {
          asked += 1;
          return isAway
            ? Promise.reject(platform.serviceUnavailable())
            : ledger.GetBalances(request);
        },
      },
    });
    harness.clock.set('2026-01-16T08:00:00.000Z');
    await openRuns(deps);
    for (let minute = 0; minute < 120; minute += 10) {
      await workRuns(deps);
      harness.clock.advanceMs(600_000);
    }
    // Not the whole page each time.
    expect(asked).toBeLessThan(12 * 16);
    isAway = false;
    await workRuns(deps);
    expect(clients.map((id) => harness.balanceOf(id))).toEqual(clients.map(() => 5));
    expect(await harness.executions()).toHaveLength(clients.length);
  });

  /** The clients service answers about all but one. */
  const depsWithout = (unlucky: string, fault: () => Error | null): Deps => {
    const { clients, ...others } = harness.neighbours();
    const GetClients: typeof clients.GetClients = (request) => {
      const error = request.ids.includes(unlucky) ? fault() : null;
      return error ? Promise.reject(error) : clients.GetClients(request);
    };
    const neighbours = { ...others, clients: { ...clients, GetClients } };
    return harness.depsOver(harness.store.connection, neighbours);
  };

  test('keeps a page waiting for no single one of it about whom a service does not answer', async () => {
    const clients = Array.from({ length: 30 }, () => harness.newClient());
    await harness.newRule(time_based);
    let isAway = true;
    const away = () => (isAway ? platform.serviceUnavailable() : null);
    const deps = depsWithout(clients[0]!, away);
    harness.clock.set('2026-01-16T08:00:00.000Z');
    await openRuns(deps);
    await workRuns(deps);
    const balances = () => clients.map((id) => harness.balanceOf(id));
    expect(balances()).toEqual(clients.map((_, index) => (index === 0 ? 0 : 5)));
    isAway = false;
    harness.clock.advanceMs(60_000);
    await workRuns(deps);
    expect(balances()).toEqual(clients.map(() => 5));
  });

  test.each([
    ['a service does not answer', () => platform.serviceUnavailable()],
    ['it cannot decide by a fault of their own', () => new Error('a fault of one')],
  ])(
    'gives no second turn to those of a page who had theirs because of one about whom %s',
    async (_why, fault) => {
      const balance = { type: 'wallet_balance', wallet_type_code: 'points', operator: 'gte' };
      await harness.newRule({ ...time_based, conditions: [{ ...balance, value: 100 }] });
      const [unlucky, poor, rich] = [harness.newClient(), harness.newClient(), harness.newClient()];
      const at = harness.clock.now().toISOString();
      const book = (clientId: string, amount: number) =>
        harness.entries.set(newId(), { clientId, amount, at });
      for (const clientId of [unlucky, rich]) book(clientId, 100);
      book(poor, 90);
      let isAtFault = true;
      const deps = depsWithout(unlucky, () => (isAtFault ? fault() : null));
      harness.clock.set('2026-01-16T08:00:00.000Z');
      await openRuns(deps);
      await workRuns(deps);
      book(poor, 20);
      isAtFault = false;
      harness.clock.advanceMs(60_000);
      await workRuns(deps);
      expect([unlucky, poor, rich].map((id) => harness.balanceOf(id))).toEqual([105, 110, 105]);
    },
  );

  test('gives up at last on those alone about whom it cannot decide by a fault of their own', async () => {
    const clients = Array.from({ length: 5 }, () => harness.newClient());
    await harness.newRule(time_based);
    const deps = depsWithout(clients[0]!, () => new Error('a fault of one'));
    harness.clock.set('2026-01-16T08:00:00.000Z');
    await openRuns(deps);
    const left = () => harness.store.connection.collection('run_parts').countDocuments();
    let tries = 0;
    do {
      await workRuns(deps);
      harness.clock.advanceMs(1_800_000);
      tries += 1;
    } while (tries < 20 && (await left()) > 0);
    expect(tries).toBe(9);
    expect(clients.map((id) => harness.balanceOf(id))).toEqual([0, 5, 5, 5, 5]);
    await workRuns(deps);
    const run = await harness.store.connection.collection('runs').findOne({});
    expect(run?.finished_at).toBeDefined();
  });

  test('leaves out who is no longer active by the time of their turn', async () => {
    const [stays, leaves] = [harness.newClient(), harness.newClient()];
    await harness.newRule(time_based);
    harness.clock.set('2026-01-16T08:00:00.000Z');
    await openRuns(harness.deps);
    await workOff(runReader(harness.deps));
    harness.people.set(leaves, { ...harness.people.get(leaves)!, status: 'inactive' });
    await workOff(runWorker(harness.deps));
    expect([harness.balanceOf(stays), harness.balanceOf(leaves)]).toEqual([5, 0]);
  });

  test('serves whom two members became while it was on its way once', async () => {
    const [source, target] = [harness.newClient(), harness.newClient()];
    await harness.newRule(time_based);
    harness.clock.set('2026-01-16T08:00:00.000Z');
    await openRuns(harness.deps);
    await workOff(runReader(harness.deps, 1));
    harness.merge(source, target);
    await workOff(runWorker(harness.deps));
    expect([harness.balanceOf(source), harness.balanceOf(target)]).toEqual([0, 5]);
  });

  test('runs no moment before it has come, however late a replica reads what another has moved on', async () => {
    const client = harness.newClient();
    await harness.newRule(time_based);
    const { rules } = harness.deps;
    const slow = {
      ...harness.deps,
      rules: {
        ...rules,
        findDue: async (...asked: Parameters<typeof rules.findDue>) => {
          const found = await rules.findDue(...asked);
          await openRuns(other);
          const read = await Promise.all(found.map((one) => rules.find(one.workspace_id, one.id)));
          return read.filter((one) => one !== null);
        },
      },
    };
    for (const [day, points] of [
      ['2026-01-16', 5],
      ['2026-01-17', 10],
    ] as const) {
      harness.clock.set(`${day}T08:00:00.000Z`);
      await openRuns(slow);
      await workRuns(harness.deps);
      expect([day, harness.balanceOf(client)]).toEqual([day, points]);
    }
  });

  test('goes on to its next moment where the run of this one is there already', async () => {
    const client = harness.newClient();
    const rule = await harness.newRule(time_based);
    harness.clock.set('2026-01-16T08:00:00.000Z');
    const { connection, rules, runs, clock } = harness.deps;
    const { dueAt } = (await rules.find(harness.workspaceId, rule.id))!.plan!;
    const early = {
      id: stableId(`${rule.id} ${dueAt.toISOString()}`),
      workspaceId: harness.workspaceId,
      ruleId: rule.id,
      dueAt,
      cursor: null,
    };
    await unitOfWork(connection, (session) => runs.insert(early, clock.now(), session));
    await openRuns(harness.deps);
    await workRuns(harness.deps);
    harness.clock.set('2026-01-17T08:00:00.000Z');
    await openRuns(harness.deps);
    await workRuns(harness.deps);
    expect(harness.balanceOf(client)).toBe(10);
  });

  test('over all members of one workspace keeps the rule of another waiting for nothing', async () => {
    const quiet = await harness.inNewWorkspace();
    for (let count = 0; count < 900; count += 1) harness.newClient();
    for (let rule = 0; rule < 5; rule += 1) await harness.newRule(time_based);
    const client = quiet.newClient();
    await quiet.newRule(time_based);
    harness.clock.set('2026-01-16T08:00:00.000Z');
    let served = 0;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { clients, ...others } = harness.neighbours();
    const both = harness.depsOver(harness.store.connection, {
      ...others,
      ledger: {
        ...others.ledger,
        EarnPoints: async (request) => {
          if (request.workspace_id === quiet.workspaceId)
            return quiet.neighbours().ledger.EarnPoints(request);
          served += 1;
          await gate;
          return others.ledger.EarnPoints(request);
        },
      },
      clients: {
        ...clients,
        GetClients: (request) =>
          (request.workspace_id === quiet.workspaceId
            ? quiet.neighbours().clients
            : clients
          ).GetClients(request),
        ListClients: (request) =>
          (request.workspace_id === quiet.workspaceId
            ? quiet.neighbours().clients
            : clients
          ).ListClients(request),
      },
    });
    await openRuns(both);
    const { connection, logger } = harness.deps;
    const working = startWork({
      service: 'test',
      jobs: [runReader(both), runWorker(both)],
      connection,
      logger,
    });
    await until(() => quiet.balanceOf(client) === 5);
    expect(served).toBeLessThanOrEqual(8);
    const stopped = working.stop();
    open();
    await stopped;
  });

  test('that was missed is caught up with once', async () => {
    const client = harness.newClient();
    await harness.newRule(time_based);
    harness.clock.set('2026-01-20T12:00:00.000Z');
    for (let round = 0; round < 3; round += 1) {
      await openRuns(harness.deps);
      await workRuns(harness.deps);
    }
    expect(harness.balanceOf(client)).toBe(5);
  });

  describe('that is late, or goes on past midnight', () => {
    const evening = { cron: '50 23 * * *', timezone: 'Europe/Berlin' };
    const nightly = { trigger_type: 'time_based', trigger_config: { schedule: evening } };
    const runAt = async (moment: string) => {
      harness.clock.set(moment);
      await openRuns(harness.deps);
      await workRuns(harness.deps);
    };

    test('gives a birthday its present on its own day alone, and once', async () => {
      harness.clock.set('2026-01-16T10:00:00.000Z');
      const conditions = [{ type: 'expression', expression: 'isBirthday(client.birth_date)' }];
      await harness.newRule({ ...nightly, conditions });
      const clients = ['1996-01-16', '1996-01-17'].map((birth_date) =>
        harness.newClient({ birth_date }),
      );
      const balances = () => clients.map((id) => harness.balanceOf(id));
      await runAt('2026-01-16T23:10:00.000Z');
      expect(balances()).toEqual([5, 0]);
      await runAt('2026-01-17T22:50:00.000Z');
      expect(balances()).toEqual([5, 5]);
    });

    test('counts for the day on which it was due', async () => {
      harness.clock.set('2026-01-16T10:00:00.000Z');
      const limits = { executions_per_client: { interval: 'day', value: 1 } };
      await harness.newRule({ ...nightly, limits });
      const client = harness.newClient();
      await runAt('2026-01-16T23:10:00.000Z');
      await runAt('2026-01-17T22:50:00.000Z');
      expect(harness.balanceOf(client)).toBe(10);
    });
  });

  test('serves those who are left no more once its rule goes by purchases', async () => {
    const client = harness.newClient();
    const { id } = await harness.newRule(time_based);
    harness.clock.set('2026-01-16T08:00:00.000Z');
    await openRuns(harness.deps);
    await workOff(runReader(harness.deps));
    const fields = { trigger_type: 'transaction', trigger_config: {} };
    await updateRule(harness.deps, { workspace_id: harness.workspaceId, id, fields });
    await workRuns(harness.deps);
    expect(harness.balanceOf(client)).toBe(0);
  });

  test('keeps a moment that has come where its rule is saved as it stands before the run is opened', async () => {
    const client = harness.newClient();
    const { id } = await harness.newRule(time_based);
    harness.clock.set('2026-01-16T08:00:01.000Z');
    const fields = { ...time_based, name: 'Saved once more', active: true };
    await updateRule(harness.deps, { workspace_id: harness.workspaceId, id, fields });
    await openRuns(harness.deps);
    await workRuns(harness.deps);
    expect(harness.balanceOf(client)).toBe(5);
  });

  test('is let go when the rule sleeps', async () => {
    const client = harness.newClient();
    const { id } = await harness.newRule(time_based);
    const request = { workspace_id: harness.workspaceId, id, fields: { active: false } };
    await updateRule(harness.deps, request);
    harness.clock.set('2026-01-16T12:00:00.000Z');
    await openRuns(harness.deps);
    await workRuns(harness.deps);
    expect(harness.balanceOf(client)).toBe(0);
  });

  test('pushes only to those who agreed to marketing', async () => {
    const effects = [{ type: 'send_push', title: null, body: 'News' }];
    await harness.newRule({ ...time_based, effects });
    const asked = harness.newClient({ marketing_consent: true });
    const not = harness.newClient();
    harness.clock.set('2026-01-16T12:00:00.000Z');
    await openRuns(harness.deps);
    await workRuns(harness.deps);
    const pushes = await harness.events('automations.push_requested');
    expect(pushes.map(({ subject }) => subject)).toEqual([asked]);
    expect(await harness.executions({ clientId: not })).toMatchObject([
      { status: 'skipped', errorMessage: 'no_marketing_consent' },
    ]);
  });
});

test('a person who is erased leaves no trace in executions but that they took place', async () => {
  await harness.newRule({
    effects: [
      { type: 'update_client_field', field_name: 'first_name', value_expression: '"Secret"' },
    ],
  });
  const client = harness.newClient();
  await harness.fire(harness.happening(client, { metadata: { note: 'Secret' } }));
  const { workspaceId } = harness;
  await erasePerson(harness.deps, { workspaceId, clientId: client, ending: 'anonymized' });
  const [execution] = await harness.executions({ clientId: client });
  expect(execution).toMatchObject({ status: 'success' });
  expect(JSON.stringify(execution)).not.toContain('Secret');
});

describe('an execution that failed over what a person is called', () => {
  const note = 'event.metadata.note';
  const write = (value_expression: string) => ({
    type: 'update_client_field',
    field_name: 'note',
    value_expression,
  });
  const push = { type: 'send_push', title: null, body: 'News' };

  test.each([
    ['a condition', { conditions: [{ type: 'expression', expression: `bool(${note})` }] }, []],
    ['the formula of a value', { effects: [push, write(`bool(${note})`)] }, []],
    [
      'an effect that is refused',
      { effects: [push, write(note), push] },
      [
        { status: 'skipped', reason: 'no_pass' },
        { status: 'failed', reason: expect.any(String) },
        { status: 'not_run' },
      ],
    ],
  ])(
    'says that it failed, and no more why, once they are erased: %s',
    async (_, fields, results) => {
      const { clients, ...others } = harness.neighbours();
      const UpdateClient: typeof clients.UpdateClient = async () => {
        throw invalidField('note', 'note must not be "Secret"');
      };
      const refusing = { ...others, clients: { ...clients, UpdateClient } };
      const deps = harness.depsOver(harness.store.connection, refusing);
      await harness.newRule(fields);
      const client = harness.newClient();
      harness.passless.add(client);
      await harness.fire(harness.happening(client, { metadata: { note: 'Secret' } }), deps);
      const found = async () => (await harness.executions({ clientId: client }))[0]!;
      expect((await found()).errorMessage).toContain('Secret');
      const { workspaceId } = harness;
      await erasePerson(harness.deps, { workspaceId, clientId: client, ending: 'anonymized' });
      const { status, errorMessage, results: left } = await found();
      expect({ status, errorMessage, results: left }).toMatchObject({
        status: 'failed',
        errorMessage: expect.any(String),
        results,
      });
      expect(JSON.stringify(await found())).not.toContain('Secret');
    },
  );
});
