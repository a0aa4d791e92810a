import { type Effort, newEffort } from '@laurel/cel';
import { Refusal } from '@laurel/errors';
import { createSharedReads } from '@laurel/lifecycle';
import {
  type clients as clientsApi,
  type ledger as ledgerApi,
  successorOf,
  type tiers as tiersApi,
} from '@laurel/rpc';
import { totalOf } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { ALL_ASKED, type Asked, askedBy } from '../domain/asked';
import { keyOf, questionsOf, remembered, type Situation } from '../domain/conditions';
import {
  type ClientFacts,
  type Facts,
  type MetricFacts,
  variablesOf,
  type WalletFacts,
} from '../domain/facts';
import { type ClientHistory, factsAsOf, measuredAsOf, type RuleOccasion } from '../domain/history';
import { type MetricQuestion, type Rule, zoneOf } from '../domain/rule';
import { factsThen, measure } from './measure-metrics';

export type FactDeps = Pick<
  Deps,
  | 'clients'
  | 'clock'
  | 'executions'
  | 'formulas'
  | 'identity'
  | 'ledger'
  | 'referrals'
  | 'segments'
  | 'tiers'
>;

const NO_WALLETS: ledgerApi.Wallets = { wallets: [], inactive_codes: [] };
const NO_METRICS: MetricFacts = {
  transaction_count: 0,
  total_spending: 0,
  points_earned: 0,
  referrals_completed: 0,
  days_since_last_transaction: null,
};

/**
 * How things stand with a client now, as far as anybody asks; null for one that the workspace does not have any more.
 * With `at`, by a moment of the past or to come: its balances are those of then.
 * Metrics are left to the caller, who knows what happened: they are as they were then.
 */
export async function gatherFacts(
  deps: FactDeps,
  { workspaceId, clientId, at }: { workspaceId: string; clientId: string; at?: string },
  asked: Asked = ALL_ASKED,
): Promise<Facts | null> {
  const { clients, ledger, tiers, clock } = deps;
  const workspace = { workspace_id: workspaceId };
  const ofWorkspace = workspaceReads(deps);
  const [found, fieldNames, balances, placed, allTiers, timeZone] = await Promise.all([
    clients.GetClients({ ...workspace, ids: [clientId] }),
    asked.fields ? ofWorkspace.fieldNames(workspaceId) : [],
    asked.wallets ? balancesOf({ ledger }, { workspaceId, clientId, at }) : NO_WALLETS,
    asked.tier
      ? tiers.GetClientTiers({ ...workspace, client_ids: [clientId] })
      : { placements: [] },
    asked.tier ? ofWorkspace.tiers(workspaceId) : [],
    asked.zone ? ofWorkspace.timeZone(workspaceId) : 'UTC',
  ]);
  const client = found.clients[0];
  if (!client) return null;
  return {
    client: clientFacts(client, fieldNames),
    wallets: walletsOf(balances),
    inactiveWallets: balances.inactive_codes,
    tier: tierOf(placed.placements[0], allTiers),
    metrics: NO_METRICS,
    foreseen: [],
    foreseenGifts: [],
    now: clock.now(),
    timeZone,
  };
}

function balancesOf(
  { ledger }: Pick<Deps, 'ledger'>,
  { workspaceId, clientId, at }: { workspaceId: string; clientId: string; at: string | undefined },
): Promise<ledgerApi.Wallets> {
  const client = { workspace_id: workspaceId, client_id: clientId };
  return at === undefined
    ? ledger.GetBalances(client)
    : ledger.GetWallets({ ...client, at, foretells: true });
}

type Workspaces = ReturnType<typeof readsOf>;
const reads = new WeakMap<FactDeps['clients'], Workspaces>();

/** What is the same for all clients of a workspace is read once for all who ask in the same moment. */
function workspaceReads(deps: FactDeps): Workspaces {
  const known = reads.get(deps.clients) ?? readsOf(deps);
  reads.set(deps.clients, known);
  return known;
}

function readsOf({ clients, tiers, identity }: FactDeps) {
  return {
    fieldNames: createSharedReads(async (workspace_id: string) => {
      const { fields } = await clients.ListFields({ workspace_id });
      return fields.filter(({ is_system }) => !is_system).map(({ field_name }) => field_name);
    }),
    tiers: createSharedReads(
      async (workspace_id: string) => (await tiers.ListTiers({ workspace_id })).tiers,
    ),
    timeZone: createSharedReads((workspaceId: string) =>
      zoneOfWorkspace({ identity }, workspaceId),
    ),
  };
}

/** The time zone of a workspace; UTC for one that is gone, whose rules go with it. */
export async function zoneOfWorkspace(
  { identity }: Pick<Deps, 'identity'>,
  workspaceId: string,
): Promise<string> {
  try {
    return (await identity.GetWorkspace({ workspace_id: workspaceId })).timezone;
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus < 500) return 'UTC';
    throw error;
  }
}

/**
 * How things stand with one client, or with whom it became, as far as the rules look; asked of the services once until
 * something changed.
 */
export interface Standing {
  read(): Promise<Facts | null>;
  changed(): void;
}

export function standingOf(deps: FactDeps, rules: readonly Rule[], clientId: string): Standing {
  const asked = askedBy(rules);
  const workspaceId = rules[0]!.workspace_id;
  let known: Promise<Facts | null> | null = null;
  // A merge may be done before anybody hears of it here: what happened to the client goes with who it is now.
  const read = async (): Promise<Facts | null> => {
    const facts = await gatherFacts(deps, { workspaceId, clientId }, asked);
    const successor = facts ? null : await successorOf(deps.clients, workspaceId, clientId);
    if (successor === null) return facts;
    return gatherFacts(deps, { workspaceId, clientId: successor }, asked);
  };
  return {
    read: () => {
      known ??= read();
      return known;
    },
    changed: () => {
      known = null;
    },
  };
}

/** What is known of a client, and what a rule may take to look at it. */
export interface Known {
  facts: Facts;
  history?: ClientHistory | undefined;
  effort?: Effort | undefined;
}

/**
 * The facts and all else that the conditions and formulas of a rule ask for: as things stand, with metrics as they were
 * when it happened. Where a history is given they are taken from there, else asked of the services. All formulas share
 * what one may take, each evaluated once: a rule has up to two hundred, which all have their turn before anybody else.
 */
export async function situationOf(
  deps: FactDeps,
  occasion: RuleOccasion,
  { facts, history, effort = newEffort() }: Known,
): Promise<Situation> {
  const { rule, happened } = occasion;
  const workspaceId = rule.workspace_id;
  const { clientId } = happened;
  const seen = {
    ...(history ? factsAsOf(facts, history, occasion) : await factsThen(deps, occasion, facts)),
    timeZone: zoneOf(rule, facts.timeZone),
  };
  const segmentIds = rule.conditions.flatMap((condition) =>
    condition.type === 'segment' ? [condition.segment_id] : [],
  );
  const questions = questionsOf(rule);
  const ask = (question: MetricQuestion) =>
    history
      ? measuredAsOf(history, question, occasion)
      : measure(deps, occasion, { question, facts: seen });
  const [answers, containing] = await Promise.all([
    Promise.all(questions.map(ask)),
    segmentIds.length === 0
      ? []
      : deps.segments.containing(workspaceId, segmentIds, {
          id: clientId,
          standing: standingAs(facts),
        }),
  ]);
  const variables = variablesOf(seen, happened);
  return {
    facts: seen,
    measured: new Map(questions.map((question, index) => [keyOf(question), answers[index]!])),
    segmentIds: new Set(containing),
    evaluate: remembered((expression) => deps.formulas.evaluate(expression, variables, effort)),
  };
}

/**
 * What segments hear of later than rules do: each rule sees what the ones before it changed (part 3, section 8). All of it
 * is as it is now, as the rest of what segments look at, whatever the rule sees of the time of its event.
 */
function standingAs({ wallets, tier, foreseen }: Facts): clientsApi.KnownStanding {
  const foreseenIn = (code: string) =>
    foreseen.flatMap(({ walletTypeCode, amount }) => (walletTypeCode === code ? [amount] : []));
  return {
    wallets: Object.entries(wallets).map(([code, { active, pending, earned, spent }]) => ({
      wallet_type_code: code,
      ...{ active, pending, spent, earned: totalOf([earned, ...foreseenIn(code)]) },
    })),
    ...(tier ? { tier_id: tier.id } : {}),
  };
}

function clientFacts(client: clientsApi.Client, customFieldNames: readonly string[]): ClientFacts {
  // A custom field of the workspace that is not filled in is null, not an unknown name.
  const blank = Object.fromEntries(customFieldNames.map((name) => [name, null]));
  return {
    id: client.id,
    workspace_id: client.workspace_id,
    first_name: client.first_name ?? null,
    last_name: client.last_name ?? null,
    email: client.email ?? null,
    phone: client.phone ?? null,
    birth_date: client.birth_date ?? null,
    status: client.status,
    marketing_consent: client.marketing_consent,
    marketing_consent_at: client.marketing_consent_at ?? null,
    marketing_consent_source: client.marketing_consent_source ?? null,
    marketing_consent_text: client.marketing_consent_text ?? null,
    source: client.source ?? null,
    loyalty_program_enabled: client.loyalty_program_enabled,
    registration_date: client.registration_date,
    date_created: client.date_created,
    custom_fields: { ...blank, ...(client.custom_fields as object) },
  };
}

function walletsOf({ wallets }: ledgerApi.Wallets): Record<string, WalletFacts> {
  return Object.fromEntries(
    wallets.map(({ wallet, wallet_type }) => [
      wallet_type!.code,
      {
        active: wallet!.active_balance,
        pending: wallet!.pending_balance,
        locked: wallet!.locked_balance,
        earned: wallet!.total_earned,
        spent: wallet!.total_spent,
        expired: wallet!.total_expired,
      },
    ]),
  );
}

function tierOf(
  placement: tiersApi.Placement | undefined,
  tiers: readonly { id: string; name: string }[],
): Facts['tier'] {
  const index = tiers.findIndex(({ id }) => id === placement?.tier_id);
  const tier = tiers[index];
  if (!tier) return null;
  return {
    id: tier.id,
    name: tier.name,
    level: index + 1,
    isAssigned: placement!.manually_assigned,
  };
}
