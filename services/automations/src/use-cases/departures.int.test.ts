import { invalidField, platform } from '@laurel/errors';
import { createEvent, type EventMap, listenerFor } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { atEveryCall, mortal, workOff } from '@laurel/testing';
import { consumers } from '../consumers';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { TAKE_OVER_MS } from './decide-execution';
import { executionSweeper } from './sweep-executions';
import { createTriggers } from './take-triggers';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

async function tell<Type extends 'clients.merged' | 'clients.anonymized' | 'clients.deleted'>(
  type: Type,
  data: EventMap[Type],
): Promise<void> {
  const { deps, workspaceId } = harness;
  const event = createEvent(type, { workspaceId, subject: newId(), data });
  const table = consumers(
    deps,
    createTriggers(deps, () => undefined),
  );
  const [listener] = table.flatMap((spec) => listenerFor(spec, type) ?? []);
  await listener!(event, (effect) => unitOfWork(deps.connection, effect));
}

/** What somebody sees who is about to write an execution when its client departs. */
const departing = (depart: () => Promise<void>): Deps => ({
  ...harness.deps,
  executions: {
    ...harness.deps.executions,
    insertAll: async (...args) => {
      await depart();
      return harness.deps.executions.insertAll(...args);
    },
  },
});

test('a client merged while an execution is written: it and what it used up are the target’s', async () => {
  const rule = await harness.newRule({ limits: { per_client_budget: 10 } });
  const [source, target] = [harness.newClient(), harness.newClient()];
  const merge = { source_client_id: source, target_client_id: target };
  await harness.fire(
    harness.happening(source),
    departing(() => tell('clients.merged', merge)),
  );
  expect(await harness.executions({ clientId: source })).toEqual([]);
  expect(await harness.executions({ clientId: target })).toMatchObject([{ status: 'success' }]);
  const { workspaceId, deps } = harness;
  const key = { workspaceId, ruleId: rule.id };
  const used = async (clientId: string) => (await deps.usages.find({ ...key, clientId })).client;
  expect(await used(source)).toMatchObject({ executions: 0 });
  expect(await used(target)).toMatchObject({ executions: 1 });
});

test('what happened to a client that was merged before rules heard of it fires them for the target, once', async () => {
  await harness.newRule();
  const [source, target] = [harness.newClient(), harness.newClient()];
  const happened = harness.happening(source);
  harness.merge(source, target);
  await harness.fire(happened);
  expect(harness.balanceOf(target)).toBe(5);
  await tell('clients.merged', { source_client_id: source, target_client_id: target });
  await harness.fire(happened);
  expect(harness.balanceOf(target)).toBe(5);
  expect(await harness.executions({ clientId: target })).toMatchObject([{ status: 'success' }]);
});

test('an effect that is refused because its client was merged meanwhile is done for the target', async () => {
  const rule = await harness.newRule({ limits: { per_client_budget: 5 } });
  const [source, target] = [harness.newClient(), harness.newClient()];
  await harness.fire(
    harness.happening(source),
    departing(async () => harness.merge(source, target)),
  );
  expect([harness.balanceOf(source), harness.balanceOf(target)]).toEqual([0, 5]);
  await tell('clients.merged', { source_client_id: source, target_client_id: target });
  expect(await harness.executions({ clientId: target })).toMatchObject([{ status: 'success' }]);
  const { workspaceId, deps } = harness;
  const used = await deps.usages.find({ workspaceId, ruleId: rule.id, clientId: target });
  expect(used.client).toMatchObject({ executions: 1 });
});

describe('a client of whom the clients service has made another while an execution is written, unheard of here', () => {
  const leaving = (source: string, target: string): Deps =>
    departing(async () => {
      harness.merge(source, target);
      harness.passless.add(source);
    });

  test.each([
    ['automations.push_requested', { type: 'send_push', title: null, body: 'News' }],
    ['automations.template_switch_requested', { type: 'switch_template', template_id: newId() }],
  ])(
    'is no reason to leave out what is for cards, which are the target’s: %s',
    async (type, effect) => {
      await harness.newRule({ effects: [effect] });
      const [source, target] = [harness.newClient(), harness.newClient()];
      await harness.fire(harness.happening(source), leaving(source, target));
      expect(await harness.events(type)).toMatchObject([{ subject: target }]);
    },
  );

  test.each([true, false])(
    'loses an assigned tier by whom they became, the tiers service having heard of it: %s',
    async (hasHeard) => {
      await harness.newRule({ effects: [{ type: 'remove_tier' }] });
      const [source, target] = [harness.newClient(), harness.newClient()];
      let holder = hasHeard ? target : source;
      const { tiers, ...others } = harness.neighbours();
      const deps = {
        ...leaving(source, target),
        tiers: {
          ...tiers,
          GetClientTiers: async ({ client_ids }: { client_ids: string[] }) => ({
            placements: client_ids.map((client_id) => ({
              client_id,
              tier_id: client_id === holder ? newId() : null,
              manually_assigned: client_id === holder,
            })),
          }),
          UnassignTier: async ({ client_id }: { client_id: string }) => {
            if (client_id === source) throw platform.invalidPayload();
            if (client_id === holder) holder = 'freed';
            return {} as never;
          },
        },
      };
      const happened = harness.happening(source);
      const firing = harness.fire(happened, deps);
      if (!hasHeard) await expect(firing).rejects.toMatchObject({ httpStatus: 503 });
      await firing.catch(() => undefined);
      if (holder === source) holder = target;
      await harness.fire(happened, {
        ...harness.depsOver(harness.store.connection, { ...others, tiers: deps.tiers }),
      });
      expect(holder).toBe('freed');
    },
  );
});

test('a reward that was given before its client was merged is not given to the target once more', async () => {
  const reward_id = newId();
  const { rewards, ...others } = harness.neighbours();
  const given = new Set<string>();
  const GiveReward: Deps['rewards']['GiveReward'] = async (request) => {
    const name = `${request.operation_id}:${request.reward_id}:${request.client_id}`;
    if (!given.has(name) && !harness.people.has(request.client_id)) throw platform.invalidPayload();
    given.add(name);
    return { redemption: { id: name } } as never;
  };
  const GetRewards: Deps['rewards']['GetRewards'] = async () =>
    ({ rewards: [{ id: reward_id }] }) as never;
  const deps = harness.depsOver(harness.store.connection, {
    ...others,
    rewards: { ...rewards, GetRewards, GiveReward },
  });
  await harness.newRule({ effects: [{ type: 'give_reward', reward_id }] }, deps);
  const [source, target] = [harness.newClient(), harness.newClient()];
  const endAll = async () => {
    throw new Error('the process dies');
  };
  const dying = { ...deps, executions: { ...deps.executions, endAll } };
  await expect(harness.fire(harness.happening(source), dying)).rejects.toThrow('dies');
  harness.merge(source, target);
  await tell('clients.merged', { source_client_id: source, target_client_id: target });
  harness.clock.advanceMs(TAKE_OVER_MS + 1);
  await workOff(executionSweeper(deps));
  expect([...given]).toEqual([expect.stringContaining(source)]);
  expect(await harness.executions({ clientId: target })).toMatchObject([{ status: 'success' }]);
});

test('what a failed execution gives back is the target’s where its client was merged while it ran', async () => {
  const rule = await harness.newRule({ limits: { per_client_budget: 5 } });
  const [source, target] = [harness.newClient(), harness.newClient()];
  const { ledger, ...others } = harness.neighbours();
  const EarnPoints = async () => {
    await tell('clients.merged', { source_client_id: source, target_client_id: target });
    throw platform.invalidPayload();
  };
  const refusing = { ...others, ledger: { ...ledger, EarnPoints } };
  const deps = harness.depsOver(harness.store.connection, refusing);
  await harness.fire(harness.happening(source), deps);
  expect(await harness.executions({ clientId: target })).toMatchObject([{ status: 'failed' }]);
  const key = { workspaceId: harness.workspaceId, ruleId: rule.id, clientId: target };
  expect((await deps.usages.find(key)).client).toMatchObject({ executions: 0, points: 0 });
});

test('a client anonymized while an execution is written leaves nothing of the event in it', async () => {
  await harness.newRule();
  const client = harness.newClient();
  await harness.fire(
    harness.happening(client, { metadata: { note: 'Secret' } }),
    departing(() => tell('clients.anonymized', { client_id: client })),
  );
  const [execution] = await harness.executions({ clientId: client });
  expect(execution).toMatchObject({ status: 'success' });
  expect(JSON.stringify(execution)).not.toContain('Secret');
});

test('a client deleted while an execution runs leaves nothing of its effects in it', async () => {
  await harness.newRule({
    effects: [
      { type: 'update_client_field', field_name: 'first_name', value_expression: '"Secret"' },
    ],
  });
  const client = harness.newClient();
  const data = { client_id: client, external_identities: [] };
  const gone = departing(() => tell('clients.deleted', data));
  await harness.fire(harness.happening(client), gone);
  const [execution] = await harness.executions({ clientId: client });
  expect(JSON.stringify(execution)).not.toContain('Secret');
});

test('a client anonymized while an execution fails leaves nothing of what it failed over in it', async () => {
  const writing = (value_expression: string) => ({
    effects: [{ type: 'update_client_field', field_name: 'note', value_expression }],
  });
  await harness.newRule(writing('bool(event.metadata.note)'));
  await harness.newRule(writing('event.metadata.note'));
  const client = harness.newClient();
  const depart = () => tell('clients.anonymized', { client_id: client });
  const { clients, ...others } = harness.neighbours();
  const UpdateClient: Deps['clients']['UpdateClient'] = async () => {
    await depart();
    throw invalidField('note', 'note must not be "Secret"');
  };
  const { executions } = harness.deps;
  const deps: Deps = {
    ...harness.depsOver(harness.store.connection, {
      ...others,
      clients: { ...clients, UpdateClient },
    }),
    executions: {
      ...executions,
      insertAll: async (...args) => {
        await depart();
        return executions.insertAll(...args);
      },
    },
  };
  await harness.fire(harness.happening(client, { metadata: { note: 'Secret' } }), deps);
  const found = await harness.executions({ clientId: client });
  expect(found.map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(JSON.stringify(found)).not.toContain('Secret');
});

test.each(['before', 'after'] as const)(
  'an execution that is gone on with leaves nothing of a client deleted meanwhile, killed %s any call',
  async (when) => {
    await harness.newRule({
      effects: [
        { type: 'earn_points', wallet_type_code: 'points', amount_type: 'fixed', amount: 5 },
        { type: 'update_client_field', field_name: 'first_name', value_expression: '"Secret"' },
      ],
    });
    const calls = await atEveryCall(when, async (death) => {
      const client = harness.newClient();
      harness.ledgerFault = new Error('the ledger is away');
      await expect(harness.fire(harness.happening(client))).rejects.toThrow('away');
      harness.ledgerFault = null;
      await tell('clients.deleted', { client_id: client, external_identities: [] });
      harness.clock.advanceMs(TAKE_OVER_MS + 1);
      const dying = mortal(harness.store.connection, death);
      dying.arm();
      const sweeping = workOff(executionSweeper(harness.depsOver(dying.connection)));
      await Promise.race([sweeping, dying.died]);
      harness.clock.advanceMs(TAKE_OVER_MS + 1);
      await workOff(executionSweeper(harness.deps));
      const executions = await harness.executions({ clientId: client });
      expect([death, executions]).toMatchObject([death, [{ status: 'success' }]]);
      expect([death, JSON.stringify(executions)]).not.toEqual([
        death,
        expect.stringContaining('Secret'),
      ]);
      return !dying.isDead();
    });
    expect(calls).toBeGreaterThan(5);
  },
  300_000,
);
