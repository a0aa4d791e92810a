import { newId } from '@laurel/lifecycle';
import type { automations as api, tiers as tiersApi } from '@laurel/rpc';
import { Harness } from '../testing/harness';
import { simulate } from './simulate';

let base: Harness;
let harness: Harness;
beforeAll(async () => {
  base = await Harness.open();
});
beforeEach(() => {
  harness = base.inNewWorkspace();
});
afterAll(() => base.close());

const SILVER = { id: newId(), name: 'Silver', kind: 'auto' };
const VIP = { id: newId(), name: 'VIP', kind: 'exclusive' };

/** Ten points or a sale of a hundred make a client silver; taken away, the given tier falls to it. */
function withTiers(placed: Partial<tiersApi.Placement> = {}): tiersApi.ForetellMovesRequest[] {
  const asked: tiersApi.ForetellMovesRequest[] = [];
  const { tiers } = harness.deps;
  tiers.ListTiers = async () => ({ tiers: [SILVER, VIP] }) as never;
  tiers.GetTiers = async () => ({ tiers: [SILVER, VIP] }) as never;
  tiers.GetClientTiers = async () => ({ placements: [placed] }) as never;
  tiers.ForetellMoves = async (request) => {
    asked.push({ ...request, thoughts: [...request.thoughts] });
    let [points, isSilver] = [0, false];
    const moves = request.thoughts.flatMap(({ earned, sold, assigned }, thought) => {
      points += earned?.points ?? 0;
      const rises = !isSilver && (points >= 10 || (sold?.spending ?? 0) >= 100);
      if (!rises && !(assigned && !assigned.tier_id)) return [];
      isSilver = true;
      const to_tier_id = SILVER.id;
      return [{ thought, from_tier_id: null, to_tier_id, promoted: rises, assigned: false }];
    });
    return { moves };
  };
  return asked;
}

const earn = (amount: number) => ({
  type: 'earn_points',
  wallet_type_code: 'points',
  amount_type: 'fixed',
  amount,
});
const purchase = (amount: number) => ({
  trigger_type: 'transaction',
  event_type: 'purchase',
  amount,
  metadata: {},
});
const ask = (client_id: string, amount = 10) =>
  simulate(harness.deps, {
    workspace_id: harness.workspaceId,
    client_id,
    event: purchase(amount),
  });
const rule = (name: string, fields: api.RuleFields) =>
  harness.newRule({ name, effects: [earn(1)], ...fields });
const loyal = (name: string, event_type: string, fields: api.RuleFields = {}) =>
  rule(name, {
    trigger_type: 'loyalty',
    trigger_config: { event_types: [event_type] },
    ...fields,
  });
const when = (expression: string) => ({ conditions: [{ type: 'expression', expression }] });
const told = ({ following }: api.Simulation) =>
  following.map(({ rule: one, event_type, caused_by_rule_id }) => [
    one!.name,
    event_type,
    caused_by_rule_id,
  ]);

test('a tier that points lead to is foretold in the chain of the rule that gave them, and seen by what comes after', async () => {
  const asked = withTiers();
  const first = await rule('First', { trigger_type: 'transaction', effects: [earn(7)] });
  const more = await loyal('More', 'points_earned', { effects: [earn(3)] });
  const promoted =
    'event.metadata.tier_name == "Silver" && event.metadata.previous_tier_id == null';
  await loyal('Promoted', 'tier_promoted', when(`${promoted} && tier.level == 1`));
  await loyal('Demoted', 'tier_demoted');
  const simulation = await ask(harness.newClient());
  expect(told(simulation)).toEqual([
    ['More', 'points_earned', first.id],
    ['Promoted', 'tier_promoted', more.id],
  ]);
  const { thoughts } = asked.at(-1)!;
  expect(thoughts.map(({ earned, sold }) => earned?.points ?? sold)).toEqual([
    { spending: 10, is_purchase: true, at: expect.any(String) },
    7,
    3,
    1,
  ]);
});

test('a tier that the sale itself leads to is caused by no rule, and the rules of the sale see the one before', async () => {
  withTiers();
  await rule('Guest', { trigger_type: 'transaction', ...when('tier.level == 0') });
  await loyal('Promoted', 'tier_promoted');
  expect(told(await ask(harness.newClient(), 99))).toEqual([]);
  const simulation = await ask(harness.newClient(), 100);
  expect(simulation.matched.map(({ name }) => name)).toEqual(['Guest']);
  expect(told(simulation)).toEqual([['Promoted', 'tier_promoted', null]]);
});

test('a client whose given tier is taken away falls to the one they have reached', async () => {
  withTiers({ tier_id: VIP.id, manually_assigned: true });
  await rule('Taken', {
    trigger_type: 'transaction',
    effects: [{ type: 'remove_tier', tier_id: VIP.id }],
  });
  await loyal('Demoted', 'tier_demoted', when('tier.name == "Silver"'));
  const simulation = await ask(harness.newClient());
  expect(told(simulation).map(([name]) => name)).toEqual(['Demoted']);
});

test('rules on a referral that is completed are foretold for its client; those for others or on cards are named', async () => {
  withTiers();
  const [client, referrer] = [harness.newClient(), harness.newClient()];
  harness.deps.referrals.QuoteCompletion = async ({ client_id, criteria }) => {
    expect([client_id, criteria]).toEqual([client, 'first_transaction']);
    const completed = { referral_id: newId(), referral_code: 'ANN', completion_criteria: criteria };
    return { completed: { ...completed, referrer_client_id: referrer } };
  };
  const referral = (name: string, role: string) =>
    rule(name, { trigger_type: 'referral', trigger_config: { role } });
  await referral('Brought', 'referee');
  const brings = await referral('Brings', 'referrer');
  const both = await referral('Both', 'any');
  const card = await rule('Card', { trigger_type: 'pass_lifecycle' });
  await rule('Installed', {
    trigger_type: 'pass_lifecycle',
    trigger_config: { event_types: ['pass_installed'] },
  });
  const simulation = await ask(client, 100);
  expect(told(simulation)).toEqual([
    ['Brought', 'referral_completed', null],
    ['Both', 'referral_completed', null],
  ]);
  const named = simulation.not_foretold.map(({ rule_id, event_type, reason }) => [
    rule_id,
    event_type,
    reason,
  ]);
  expect(named).toEqual([
    [brings.id, 'referral_completed', 'another_client'],
    [both.id, 'referral_completed', 'another_client'],
    [card.id, 'template_changed', 'cards'],
  ]);
});
