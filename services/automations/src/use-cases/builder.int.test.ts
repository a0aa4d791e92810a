import type { JsonObject } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import { Harness } from '../testing/harness';
import { duplicateRule } from './duplicate-rule';
import { getMetadata } from './get-metadata';
import { getRule } from './get-rule';
import { listRules } from './list-rules';
import { reorderRules } from './reorder-rules';
import { simulate } from './simulate';
import { validateFormula } from './validate-formula';

let base: Harness;
let harness: Harness;
beforeAll(async () => {
  base = await Harness.open();
});
beforeEach(() => {
  harness = base.inNewWorkspace();
});
afterAll(() => base.close());

const of = <More extends object>(more: More) => ({
  workspace_id: harness.workspaceId,
  ...more,
});
const names = async () => (await listRules(harness.deps, of({}))).rules.map(({ name }) => name);
const reorder = (ids: string[]) => reorderRules(harness.deps, of({ rule_ids: ids }));
const purchase = { trigger_type: 'transaction', event_type: 'purchase', amount: 12.5 };

describe('the order of rules', () => {
  test('is what was asked for, whole or not at all, also when two ask at once', async () => {
    const [a, b, c] = [
      await harness.newRule({ name: 'a', priority: 5 }),
      await harness.newRule({ name: 'b', priority: 5 }),
      await harness.newRule({ name: 'c', priority: 7 }),
    ];
    await reorder([c.id, a.id, b.id]);
    expect(await names()).toEqual(['c', 'a', 'b']);
    for (const ids of [
      [c.id, a.id],
      [c.id, a.id, a.id],
      [c.id, a.id, base.workspaceId],
    ])
      await expect(reorder(ids)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    await Promise.all([reorder([b.id, c.id, a.id]), reorder([a.id, b.id, c.id])]);
    expect(['b,c,a', 'a,b,c']).toContain((await names()).join());
  });
});

describe('a copy of a rule', () => {
  test('has its fields and a name of its own, is switched off, and has used up nothing', async () => {
    const limits = { total_budget: 100 };
    const rule = await harness.newRule({ name: 'Double', limits, priority: 3 });
    await harness.fire(harness.happening(harness.newClient()));
    const copy = (id: string) => duplicateRule(harness.deps, of({ id }));
    const first = await copy(rule.id);
    const original = await getRule(harness.deps, of({ id: rule.id }));
    expect(original.usage).not.toEqual(first.usage);
    expect(first).toMatchObject({ name: 'Double (copy)', active: false, priority: 3, limits });
    expect(first.effects).toEqual(original.effects);
    expect((await copy(first.id)).name).toBe('Double (copy 2)');
    await expect(copy(base.workspaceId)).rejects.toMatchObject({ code: 'RECORD_NOT_FOUND' });
  });
});

describe('trying a rule', () => {
  test('says of each condition what was found and what was wanted, also of a rule that is off', async () => {
    const conditions: JsonObject[] = [
      { type: 'expression', expression: 'event.amount > 20.0' },
      { type: 'wallet_balance', wallet_type_code: 'points', operator: 'gte', value: 0 },
    ];
    await harness.newRule({ conditions, active: false });
    const client_id = harness.newClient();
    const { skipped } = await simulate(harness.deps, of({ client_id, event: purchase }));
    expect(skipped).toMatchObject([
      {
        reason: 'inactive',
        conditions: [
          { index: 0, holds: false, actual: false, wanted: true },
          { index: 1, holds: true, actual: 0, wanted: { operator: 'gte', value: 0 } },
        ],
      },
    ]);
  });

  test('tells the value of a formula for a client and an event', async () => {
    const client_id = harness.newClient();
    const ask = (expression: string, more: Partial<api.ValidateFormulaRequest> = {}) =>
      validateFormula(harness.deps, of({ expression, ...more }));
    const about = { client_id, event: purchase };
    expect(await ask('event.amount * 2.0', about)).toMatchObject({ valid: true, value: 25 });
    expect(await ask('event.amount * 2.0')).not.toHaveProperty('value');
    expect((await ask('1.0 / (event.amount - 12.5)', about)).value_error).toBeDefined();
    expect(await ask('event.amount *', about)).toMatchObject({ valid: false });
    const nobody = ask('1.0', { client_id: base.workspaceId });
    await expect(nobody).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  });
});

test.each([
  ['de-AT', 'Einkauf'],
  ['fr', 'Achat'],
  ['es', 'Compra'],
  ['pl', 'Zakup'],
  ['it', 'Transaction'],
])('what rules are made of is called in %s as people there call it: %s', (locale, label) => {
  const { trigger_types, event_categories, expression_variables } = getMetadata(of({ locale }));
  expect(trigger_types[0]!.label).toBe(label);
  expect([...trigger_types, ...event_categories].every((each) => each.label !== '')).toBe(true);
  expect(expression_variables.every(({ description }) => description !== '')).toBe(true);
});
