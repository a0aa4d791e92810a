import { UsageError } from '../failures';
import { SCENARIOS, type Wanted } from '../programme/files';
import type { Body } from '../programme/kinds';
import { isBody } from '../programme/references';
import type { Contents } from '../programme/texts';
import { durationMs, momentAfter } from './moments';

/** One thing that happens to the member of a scenario, or to the clock. */
export type Step =
  | { does: 'purchase'; amount: number; as?: string }
  | { does: 'refund'; amount: number; of: string }
  | { does: 'event'; type: string }
  | { does: 'redeem'; reward: string }
  | { does: 'earn'; amount: number; walletType?: string }
  | { does: 'wait'; ms: number };

/** What must hold in the end. */
export interface Expected {
  /** Active points by the code of their wallet type. */
  balances: Record<string, number>;
  pending: Record<string, number>;
  tier?: string;
  /** What the member's card looks like, by the key of its template. */
  card?: string;
  /** Types of the events of the member that a webhook tells, by its key. */
  webhooks: Record<string, string[]>;
  /** Points that a rule gave, or whether it ran at all. */
  rules: Record<string, number | 'ran' | 'did not run'>;
  /** Rewards that the member has. */
  rewards: string[];
  /** A reward that the member does not get. */
  refused?: string;
}

/** A story about one member, and what must come of it. */
export interface Scenario {
  name: string;
  file: string;
  /** When it begins; at once where it does not say. */
  now?: string;
  member: Body;
  /** What the member has to begin with, by the code of the wallet type. */
  balances: Record<string, number>;
  steps: Step[];
  expected: Expected;
}

/** Whether it moves the clock while it runs, so that it needs a workspace of its own. */
export const movesClock = ({ steps }: Scenario): boolean =>
  steps.some(({ does }) => does === 'wait');

type Known = (kind: Wanted['kind']) => ReadonlySet<string>;

/** The scenarios in the YAML files of a programme. Throws UsageError for a word that it does not know. */
export function readScenarios(files: Contents, wanted: readonly Wanted[]): Scenario[] {
  const keys = new Map<Wanted['kind'], Set<string>>();
  for (const { kind, key } of wanted) keys.set(kind, (keys.get(kind) ?? new Set()).add(key));
  const known: Known = (kind) => keys.get(kind) ?? new Set();
  return [...files].flatMap(([file, content]) => {
    const said = content[SCENARIOS] ?? {};
    if (!isBody(said)) throw new UsageError(`${file}: ${SCENARIOS} must be a map`);
    return Object.entries(said).map(([name, body]) => {
      const where = `${file}: scenario "${name}"`;
      return { name, file, ...scenarioOf(where, mapOf(where, body), known) };
    });
  });
}

function scenarioOf(where: string, body: Body, known: Known): Omit<Scenario, 'name' | 'file'> {
  onlyWords(where, body, ['given', 'when', 'then']);
  const given = mapOf(`${where}, given`, body.given ?? {});
  onlyWords(`${where}, given`, given, ['now', 'member']);
  const { now } = given;
  if (now !== undefined && momentAfter(now, new Date()) === null)
    throw new UsageError(`${where}: now is a timestamp, or such as "next tuesday 09:00"`);
  const said = mapOf(`${where}, member`, given.member ?? {});
  const codes = known('wallet_types');
  const isBalance = ([name]: [string, unknown]) => codes.has(name);
  const fields = Object.entries(said);
  return {
    ...(now === undefined ? {} : { now: now instanceof Date ? now.toISOString() : String(now) }),
    member: Object.fromEntries(fields.filter((field) => !isBalance(field))),
    balances: numbersOf(where, Object.fromEntries(fields.filter(isBalance))),
    steps: listOf(`${where}, when`, body.when ?? []).map((step) => stepOf(where, step, known)),
    expected: expectedOf(`${where}, then`, mapOf(`${where}, then`, body.then ?? {}), known),
  };
}

function stepOf(where: string, said: unknown, known: Known): Step {
  const step = mapOf(`${where}, when`, said);
  const [does] = Object.keys(step);
  const number = () => numberOf(`${where}, ${does}`, step[does!]);
  switch (does) {
    case 'purchase':
      onlyWords(where, step, ['purchase', 'as']);
      return { does, amount: number(), ...(step.as === undefined ? {} : { as: String(step.as) }) };
    case 'refund':
      onlyWords(where, step, ['refund', 'of']);
      if (step.of === undefined) throw new UsageError(`${where}: a refund is \`of\` a purchase`);
      return { does, amount: number(), of: String(step.of) };
    case 'event':
      onlyWords(where, step, ['event']);
      return { does, type: String(step.event) };
    case 'redeem':
      onlyWords(where, step, ['redeem']);
      return {
        does,
        reward: oneOf(where, step.redeem, { known: known('rewards'), noun: 'reward' }),
      };
    case 'earn':
      onlyWords(where, step, ['earn', 'wallet_type']);
      return {
        does,
        amount: number(),
        ...(step.wallet_type === undefined
          ? {}
          : { walletType: oneOf(where, step.wallet_type, walletTypesOf(known)) }),
      };
    case 'wait': {
      onlyWords(where, step, ['wait']);
      const ms = durationMs(step.wait);
      if (!ms) throw new UsageError(`${where}: wait takes such as 366d, 2w, 12h or 30m`);
      return { does, ms };
    }
    default:
      throw new UsageError(
        `${where}: a step is one of purchase, refund, event, redeem, earn and wait`,
      );
  }
}

function expectedOf(where: string, said: Body, known: Known): Expected {
  const {
    pending = {},
    tier,
    card,
    webhook = {},
    rules = {},
    rewards = [],
    refused,
    ...balances
  } = said;
  const codes = walletTypesOf(known);
  const rewardNames = { known: known('rewards'), noun: 'reward' };
  for (const code of [...Object.keys(balances), ...Object.keys(mapOf(where, pending))])
    oneOf(where, code, codes);
  const ran = mapOf(where, rules);
  for (const [rule, outcome] of Object.entries(ran)) {
    oneOf(where, rule, { known: known('rules'), noun: 'rule' });
    if (typeof outcome !== 'number' && outcome !== 'ran' && outcome !== 'did not run')
      throw new UsageError(`${where}: of a rule it says points, "ran" or "did not run"`);
  }
  const no = refused === undefined ? undefined : mapOf(where, refused);
  if (no) onlyWords(where, no, ['redeem']);
  return {
    balances: numbersOf(where, balances),
    pending: numbersOf(where, mapOf(where, pending)),
    ...(tier === undefined
      ? {}
      : { tier: oneOf(where, tier, { known: known('tiers'), noun: 'tier' }) }),
    ...(card === undefined
      ? {}
      : { card: oneOf(where, card, { known: known('pass_templates'), noun: 'pass template' }) }),
    webhooks: Object.fromEntries(
      Object.entries(mapOf(where, webhook)).map(([key, types]) => [
        oneOf(where, key, { known: known('webhooks'), noun: 'webhook' }),
        [types].flat().map(String),
      ]),
    ),
    rules: ran as Expected['rules'],
    rewards: listOf(where, rewards).map((key) => oneOf(where, key, rewardNames)),
    ...(no ? { refused: oneOf(where, no.redeem, rewardNames) } : {}),
  };
}

function mapOf(where: string, said: unknown): Body {
  if (!isBody(said)) throw new UsageError(`${where} must be a map`);
  return said;
}

function listOf(where: string, said: unknown): unknown[] {
  if (!Array.isArray(said)) throw new UsageError(`${where} must be a list`);
  return said;
}

function numberOf(where: string, said: unknown): number {
  if (typeof said !== 'number') throw new UsageError(`${where}: ${String(said)} is no number`);
  return said;
}

const numbersOf = (where: string, said: Body): Record<string, number> =>
  Object.fromEntries(Object.entries(said).map(([name, value]) => [name, numberOf(where, value)]));

/** A misspelt word would be a condition that is never checked. */
function onlyWords(where: string, said: Body, words: readonly string[]): void {
  const unknown = Object.keys(said).find((word) => !words.includes(word));
  if (unknown !== undefined)
    throw new UsageError(`${where} has no ${unknown}; it has ${words.join(', ')}`);
}

/** What the files name, and how one of it is called. */
interface Names {
  known: ReadonlySet<string>;
  noun: string;
}

const walletTypesOf = (known: Known): Names => ({
  known: known('wallet_types'),
  noun: 'wallet type',
});

function oneOf(where: string, said: unknown, { known, noun }: Names): string {
  if (known.has(String(said))) return String(said);
  throw new UsageError(`${where}: the files have no ${noun} ${String(said)}`);
}
