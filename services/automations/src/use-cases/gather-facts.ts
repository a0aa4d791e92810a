import { add, toDecimal, toUnits, ZERO } from '@laurel/amount';
import type { clients as clientsApi, ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { keyOf, questionsOf, type Situation } from '../domain/conditions';
import {
  type ClientFacts,
  daysFrom,
  type Facts,
  variablesOf,
  type WalletFacts,
} from '../domain/facts';
import type { MetricQuestion, Rule } from '../domain/rule';
import type { Trigger } from '../domain/trigger';

const DAY_MS = 86_400_000;
const ENTRIES_PER_PAGE = 1_000;

export type FactDeps = Pick<
  Deps,
  'clients' | 'ledger' | 'tiers' | 'referrals' | 'segments' | 'formulas' | 'clock'
>;

/** How things stand with a client now; null for one that the workspace does not have any more. */
export async function gatherFacts(
  { clients, ledger, tiers, referrals, clock }: FactDeps,
  workspaceId: string,
  clientId: string,
): Promise<Facts | null> {
  const workspace = { workspace_id: workspaceId };
  const one = { ...workspace, client_ids: [clientId] };
  const [found, fields, balances, placed, allTiers, spending, completed] = await Promise.all([
    clients.GetClients({ ...workspace, ids: [clientId] }),
    clients.ListFields(workspace),
    ledger.GetBalances({ ...workspace, client_id: clientId }),
    tiers.GetClientTiers(one),
    tiers.ListTiers(workspace),
    clients.GetTransactionMetrics(one),
    referrals.CountCompleted(one),
  ]);
  const client = found.clients[0];
  if (!client) return null;
  const now = clock.now();
  const wallets = walletsOf(balances);
  const metrics = spending.metrics[0];
  const lastAt = metrics?.last_transaction_at ?? null;
  return {
    client: clientFacts(client, fields),
    wallets,
    tier: tierOf(placed.placements[0]?.tier_id ?? null, allTiers.tiers),
    metrics: {
      transaction_count: metrics?.transaction_count ?? 0,
      total_spending: metrics?.total_spending ?? 0,
      points_earned: sum(Object.values(wallets).map(({ earned }) => earned)),
      referrals_completed: completed.counts[0]?.count ?? 0,
      days_since_last_transaction: lastAt === null ? null : daysFrom(new Date(lastAt), now),
    },
    now,
    timeZone: 'UTC',
  };
}

/** How things stand with one client, asked of the services once until something changed. */
export interface Standing {
  read(): Promise<Facts | null>;
  changed(): void;
}

export function standingOf(deps: FactDeps, workspaceId: string, clientId: string): Standing {
  let known: Promise<Facts | null> | null = null;
  return {
    read: () => {
      known ??= gatherFacts(deps, workspaceId, clientId);
      return known;
    },
    changed: () => {
      known = null;
    },
  };
}

/** The facts and all else that the conditions and formulas of a rule ask for. */
export async function situationOf(
  deps: FactDeps,
  rule: Rule,
  happened: Trigger,
  facts: Facts,
): Promise<Situation> {
  const workspaceId = rule.workspace_id;
  const { clientId } = happened;
  const segmentIds = rule.conditions.flatMap((condition) =>
    condition.type === 'segment' ? [condition.segment_id] : [],
  );
  const questions = questionsOf(rule);
  const [answers, containing] = await Promise.all([
    Promise.all(questions.map((question) => measure(deps, workspaceId, clientId, question, facts))),
    segmentIds.length === 0 ? [] : deps.segments.containing(workspaceId, segmentIds, clientId),
  ]);
  const variables = variablesOf(facts, happened);
  return {
    facts,
    measured: new Map(questions.map((question, index) => [keyOf(question), answers[index]!])),
    segmentIds: new Set(containing),
    evaluate: (expression) => deps.formulas.evaluate(expression, variables),
  };
}

/** A metric over its last days. */
async function measure(
  { clients, referrals, ledger }: FactDeps,
  workspaceId: string,
  clientId: string,
  { metric, period_days: days, wallet_type_code: code }: MetricQuestion,
  { now, metrics: standing }: Facts,
): Promise<number | null> {
  const since = new Date(now.getTime() - (days ?? 0) * DAY_MS).toISOString();
  const asked = { workspace_id: workspaceId, client_ids: [clientId], since };
  switch (metric) {
    case 'transaction_count':
    case 'total_spending':
      return (await clients.GetTransactionMetrics(asked)).metrics[0]?.[metric] ?? 0;
    case 'referrals_completed':
      return (await referrals.CountCompleted(asked)).counts[0]?.count ?? 0;
    case 'points_earned':
      return earnedSince({ ledger }, { workspaceId, clientId, since, code });
    case 'days_since_last_transaction': {
      const passed = standing.days_since_last_transaction;
      return passed !== null && passed <= (days ?? 0) ? passed : null;
    }
  }
}

async function earnedSince(
  { ledger }: Pick<Deps, 'ledger'>,
  asked: { workspaceId: string; clientId: string; since: string; code: string | undefined },
): Promise<number> {
  let earned = 0;
  let cursor: string | null | undefined;
  do {
    const page: ledger.EntryPage = await ledger.ListClientEntries({
      workspace_id: asked.workspaceId,
      client_id: asked.clientId,
      type: 'earn',
      from_date: asked.since,
      ...(asked.code === undefined ? {} : { wallet_type_code: asked.code }),
      ...(cursor ? { cursor } : {}),
      limit: ENTRIES_PER_PAGE,
      offset: 0,
    });
    earned = sum([earned, ...page.entries.map(({ amount }) => amount)]);
    cursor = page.next_cursor;
  } while (cursor);
  return earned;
}

function clientFacts(client: clientsApi.Client, { fields }: clientsApi.FieldList): ClientFacts {
  // A custom field of the workspace that nobody filled in is null, not an unknown name.
  const blank = Object.fromEntries(
    fields.filter(({ is_system }) => !is_system).map(({ field_name }) => [field_name, null]),
  );
  return {
    id: client.id,
    first_name: client.first_name ?? null,
    last_name: client.last_name ?? null,
    email: client.email ?? null,
    phone: client.phone ?? null,
    birth_date: client.birth_date ?? null,
    status: client.status,
    marketing_consent: client.marketing_consent,
    source: client.source ?? null,
    loyalty_program_enabled: client.loyalty_program_enabled,
    registration_date: client.registration_date,
    custom_fields: { ...blank, ...(client.custom_fields as object) },
  };
}

function walletsOf({ wallets }: ledger.Wallets): Record<string, WalletFacts> {
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
  tierId: string | null,
  tiers: readonly { id: string; name: string }[],
): Facts['tier'] {
  const index = tiers.findIndex(({ id }) => id === tierId);
  const tier = tiers[index];
  return tier ? { id: tier.id, name: tier.name, level: index + 1 } : null;
}

function sum(decimals: readonly number[]): number {
  return toDecimal(add(ZERO, ...decimals.map(toUnits)));
}
