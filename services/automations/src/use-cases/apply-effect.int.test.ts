import { currentContext, newId } from '@laurel/lifecycle';
import { workOff } from '@laurel/testing';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { TAKE_OVER_MS } from './decide-execution';
import { executionSweeper } from './sweep-executions';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

/** Does as a service does whose change commits once: the repeat of an operation whose answer is kept changes nothing. */
function committingOnce<Request>(change: (request: Request) => void) {
  const answered = new Set<string>();
  return async (request: Request) => {
    const { operationId, operationKept } = currentContext();
    if (!operationKept || !answered.has(operationId)) change(request);
    answered.add(operationId);
    return {} as never;
  };
}

/** What rules change of a client: a field and the tier that is assigned. */
function clientOfStaff() {
  const state = { field: 'before', tier: 'before' as string | null };
  const { clients, tiers, ...others } = harness.neighbours();
  const deps = harness.depsOver(harness.store.connection, {
    ...others,
    clients: {
      ...clients,
      UpdateClient: committingOnce(() => {
        state.field = 'by the rule';
      }),
    },
    tiers: {
      ...tiers,
      GetTiers: async ({ ids }) => ({
        tiers: ids.map((id) => ({ id, kind: 'exclusive' }) as never),
      }),
      GetClientTiers: async ({ client_ids }) => ({
        placements: client_ids.map((client_id) => ({
          client_id,
          manually_assigned: state.tier !== null,
          ...(state.tier === null ? {} : { tier_id: state.tier }),
        })) as never,
      }),
      AssignTier: committingOnce(() => {
        state.tier = 'by the rule';
      }),
      UnassignTier: committingOnce(() => {
        state.tier = null;
      }),
    },
  });
  return { state, deps };
}

const dyingAtTheEnd = (deps: Deps): Deps => ({
  ...deps,
  executions: {
    ...deps.executions,
    endAll: async () => {
      throw new Error('the process dies');
    },
  },
});

test.each([
  ['writes a field', { type: 'update_client_field', field_name: 'note', value_expression: '"x"' }],
  ['assigns a tier', { type: 'assign_tier', tier_id: newId() }],
  ['takes a tier away', { type: 'remove_tier' }],
])(
  'an effect that %s is done once: what people do before it is gone on with after a crash stays',
  async (_, effect) => {
    const { state, deps } = clientOfStaff();
    await harness.newRule({ effects: [effect] }, deps);
    const happened = harness.happening(harness.newClient());
    await expect(harness.fire(happened, dyingAtTheEnd(deps))).rejects.toThrow('dies');
    expect([state.field, state.tier]).not.toEqual(['before', 'before']);
    Object.assign(state, { field: 'by staff', tier: 'by staff' });
    harness.clock.advanceMs(TAKE_OVER_MS + 1);
    await workOff(executionSweeper(deps));
    await harness.fire(happened, deps);
    expect(state).toEqual({ field: 'by staff', tier: 'by staff' });
    expect(await harness.executions()).toMatchObject([{ status: 'success' }]);
  },
);

test('a tier that another process takes away before it can note it is not called left out by the one that it overtook', async () => {
  const { state, deps } = clientOfStaff();
  const once = { executions_per_client: { interval: 'lifetime', value: 1 } };
  const push = { type: 'send_push', title: null, body: 'News' };
  const fields = { effects: [push, { type: 'remove_tier' }], limits: once };
  const rule = await harness.newRule(fields, deps);
  const client = harness.newClient();
  harness.passless.add(client);
  const happened = harness.happening(client);
  let isAlone = true;
  const overtaken: Deps = {
    ...deps,
    passes: {
      ...deps.passes,
      ListPassesOfClients: async (asked) => {
        if (isAlone) {
          isAlone = false;
          await expect(harness.fire(happened, dyingAtTheEnd(deps))).rejects.toThrow('dies');
          expect(state.tier).toBeNull();
        }
        return deps.passes.ListPassesOfClients(asked);
      },
    },
  };
  await harness.fire(happened, overtaken);
  expect(await harness.executions()).toMatchObject([
    { status: 'success', results: [{ status: 'skipped' }, { status: 'applied' }] },
  ]);
  const { workspaceId } = harness;
  const used = await deps.usages.find({ workspaceId, ruleId: rule.id, clientId: client });
  expect(used.client).toMatchObject({ executions: 1 });
});
