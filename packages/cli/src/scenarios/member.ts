import { randomUUID } from 'node:crypto';
import { isLaurelError } from '@laurel/client';
import { birthdayIn } from './moments';
import type { Expected, Scenario, Step } from './read';
import type { Programme, Sandbox } from './sandbox';

/** The member of one scenario, and what has happened to them. */
export interface Hero {
  does(step: Exclude<Step, { does: 'wait' }>): Promise<void>;
  /** What does not hold of what is expected; empty where all of it does. */
  complaints(expected: Expected): Promise<string[]>;
  /** Which rules ran over what happened, for a reader who wonders. */
  rulesThatRan(): Promise<string[]>;
}

/** Makes the member of a scenario, with a card in hand and what they are to have to begin with. */
export async function newHero(
  sandbox: Sandbox,
  template: Template,
  scenario: Scenario,
): Promise<Hero> {
  const { laurel } = sandbox;
  const birthday = birthdayIn(scenario.member.birth_date, await sandbox.now());
  const { id: clientId } = await laurel.clients.create({
    email: `${randomUUID()}@example.com`,
    loyalty_program_enabled: true,
    ...scenario.member,
    ...(birthday === null ? {} : { birth_date: birthday }),
  });
  const { currency, ...card } = template;
  const { id: passId } = await laurel.passes.create({ ...card, client_id: clientId });
  for (const [wallet_type_code, amount] of Object.entries(scenario.balances))
    await laurel.points.earn({ client_id: clientId, amount, wallet_type_code, pending_days: 0 });
  const sales = new Map<string, string>();
  return {
    does: (step) => act({ sandbox, clientId, passId, currency, sales }, step),
    complaints: (expected) => check(sandbox, clientId, expected),
    rulesThatRan: () => executionsOf(sandbox, clientId),
  };
}

/** What a card is made of, and what is paid with. */
export interface Template {
  project_id: string;
  pass_template_id: string;
  currency: string;
}

/** A card is what purchases are made with: the first of the files that is of no tier, or a plain one where they have none. */
export async function newTemplate(
  { laurel, idOf }: Sandbox,
  { wanted }: Programme,
): Promise<Template> {
  const { default_currency: currency } = await laurel.workspaces.getSettings();
  const first = wanted.find(({ kind, body }) => kind === 'pass_templates' && !body.tier);
  if (first) {
    const pass_template_id = idOf('pass_templates', first.key);
    const { project_id } = await laurel.passTemplates.get(pass_template_id);
    return { project_id, pass_template_id, currency };
  }
  const { id: project_id } = await laurel.projects.create({ name: 'Scenarios' });
  const { id: pass_template_id } = await laurel.passTemplates.create({ project_id, name: 'Card' });
  return { project_id, pass_template_id, currency };
}

interface Acting {
  sandbox: Sandbox;
  clientId: string;
  passId: string;
  currency: string;
  /** Numbers of receipts, by what the scenario calls them. */
  sales: Map<string, string>;
}

async function act(
  { sandbox: { laurel, idOf }, clientId, passId, currency, sales }: Acting,
  step: Exclude<Step, { does: 'wait' }>,
): Promise<void> {
  switch (step.does) {
    case 'purchase': {
      const external_id = randomUUID();
      if (step.as !== undefined) sales.set(step.as, external_id);
      const sale = { event_category: 'transaction', event_type: 'purchase' } as const;
      const paid = { pass_id: passId, amount: step.amount, currency, external_id };
      await laurel.events.record({ ...sale, ...paid });
      return;
    }
    case 'refund': {
      const original_external_id = sales.get(step.of);
      if (original_external_id === undefined) throw new Error(`there was no purchase ${step.of}`);
      const refund = { event_category: 'transaction', event_type: 'refund' } as const;
      const back = { pass_id: passId, amount: step.amount, currency, original_external_id };
      await laurel.events.record({ ...refund, ...back });
      return;
    }
    case 'event':
      await laurel.events.recordCustom({ client_id: clientId, event_type: step.type });
      return;
    case 'redeem':
      await laurel.rewards.redeem({ reward_id: idOf('rewards', step.reward), client_id: clientId });
      return;
    case 'earn': {
      const { amount, walletType } = step;
      const of = walletType === undefined ? {} : { wallet_type_code: walletType };
      await laurel.points.earn({ client_id: clientId, amount, ...of });
    }
  }
}

async function check(sandbox: Sandbox, clientId: string, expected: Expected): Promise<string[]> {
  const found = await Promise.all([
    checkBalances(sandbox, clientId, expected),
    checkTier(sandbox, clientId, expected),
    checkCard(sandbox, clientId, expected),
    checkWebhooks(sandbox, clientId, expected),
    checkRules(sandbox, clientId, expected),
    checkRewards(sandbox, clientId, expected),
  ]);
  // Last: what is not refused is done.
  return [...found.flat(), ...(await checkRefusal(sandbox, clientId, expected))];
}

const unlike = (what: string, expected: unknown, is: unknown): string[] =>
  expected === is ? [] : [`${what}: expected ${String(expected)}, is ${String(is)}`];

async function checkBalances(
  { laurel }: Sandbox,
  clientId: string,
  { balances, pending }: Expected,
): Promise<string[]> {
  const rows = await laurel.points.listWalletsForClient(clientId);
  const walletOf = (code: string) => rows.find((row) => row.wallet_type.code === code)?.wallet;
  return [
    ...Object.entries(balances).flatMap(([code, points]) =>
      unlike(code, points, walletOf(code)?.active_balance ?? 0),
    ),
    ...Object.entries(pending).flatMap(([code, points]) =>
      unlike(`pending ${code}`, points, walletOf(code)?.pending_balance ?? 0),
    ),
  ];
}

async function checkTier(
  { laurel, idOf }: Sandbox,
  clientId: string,
  { tier }: Expected,
): Promise<string[]> {
  if (tier === undefined) return [];
  const standing = await laurel.tiers.getForClient(clientId);
  const isThere = standing?.tier?.id === idOf('tiers', tier);
  return isThere ? [] : unlike('tier', tier, standing?.tier?.name ?? 'none');
}

async function checkCard(
  { laurel, idOf }: Sandbox,
  clientId: string,
  { card }: Expected,
): Promise<string[]> {
  if (card === undefined) return [];
  const held = (await laurel.passes.listForClient(clientId)).map((pass) => pass.pass_template_id);
  if (held.includes(idOf('pass_templates', card))) return [];
  const names = await Promise.all(held.map((id) => laurel.passTemplates.get(id)));
  return unlike('card', card, names.map(({ key, name }) => key ?? name).join(', ') || 'none');
}

/** What a sandbox would tell stands among the deliveries, unsent. */
async function checkWebhooks(
  { laurel, idOf }: Sandbox,
  clientId: string,
  { webhooks }: Expected,
): Promise<string[]> {
  const told = async (id: string, event_type: string): Promise<boolean> => {
    for await (const delivery of laurel.webhooks.listDeliveries(id, { event_type, limit: 100 })) {
      const { payload } = await laurel.webhooks.getDelivery(id, delivery.id);
      if (JSON.stringify(payload).includes(clientId)) return true;
    }
    return false;
  };
  const complaints: string[] = [];
  for (const [key, types] of Object.entries(webhooks))
    for (const type of types)
      if (!(await told(idOf('webhooks', key), type)))
        complaints.push(`webhook ${key}: expected ${type}, and was not told`);
  return complaints;
}

async function checkRules(
  { laurel, idOf }: Sandbox,
  clientId: string,
  { rules }: Expected,
): Promise<string[]> {
  const complaints = Object.entries(rules).map(async ([key, expected]) => {
    let points = 0;
    let runs = 0;
    const query = { client_id: clientId, automation_rule_id: idOf('rules', key) };
    for await (const { status, points_awarded } of laurel.automations.listExecutions(query)) {
      if (status !== 'success') continue;
      points += points_awarded;
      runs += 1;
    }
    if (typeof expected === 'number') return unlike(`rule ${key}`, expected, points);
    return unlike(`rule ${key}`, expected, runs > 0 ? 'ran' : 'did not run');
  });
  return (await Promise.all(complaints)).flat();
}

async function checkRewards(
  { laurel, idOf }: Sandbox,
  clientId: string,
  { rewards }: Expected,
): Promise<string[]> {
  if (rewards.length === 0) return [];
  const has = new Set<string>();
  for await (const { reward_id, status } of laurel.rewards.listRedemptions({ client_id: clientId }))
    if (status !== 'cancelled') has.add(reward_id);
  return rewards
    .filter((key) => !has.has(idOf('rewards', key)))
    .map((key) => `reward ${key}: expected, and not there`);
}

async function checkRefusal(
  { laurel, idOf }: Sandbox,
  clientId: string,
  { refused }: Expected,
): Promise<string[]> {
  if (refused === undefined) return [];
  try {
    const reward_id = idOf('rewards', refused);
    await laurel.rewards.redeem({ reward_id, client_id: clientId });
    return [`redeem ${refused}: expected to be refused, and was not`];
  } catch (error) {
    if (isLaurelError(error) && error.status < 500) return [];
    throw error;
  }
}

async function executionsOf({ laurel }: Sandbox, clientId: string): Promise<string[]> {
  const names = new Map(
    (await laurel.automations.list()).map(({ id, key, name }) => [id, key ?? name]),
  );
  const told: string[] = [];
  for await (const one of laurel.automations.listExecutions({ client_id: clientId })) {
    const { automation_rule_id: rule, status, points_awarded: points, error_message: why } = one;
    const came = points === 0 ? '' : `, ${points} points`;
    told.push(`${names.get(rule) ?? rule}: ${status}${came}${why === null ? '' : `, ${why}`}`);
  }
  return told;
}
