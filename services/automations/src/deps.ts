import type { Outbox } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import { type Connection, createDepartures } from '@laurel/mongo';
import type { RpcClient, SegmentDirectory } from '@laurel/rpc';
import { createParts } from '@laurel/work';
import { collections } from './collections';
import type { Formulas } from './domain/formula/formulas';
import { createBacktestStore } from './store/backtests';
import { createConsideredEventStore } from './store/considered-events';
import { createExecutionStore } from './store/executions';
import { createRuleStore } from './store/rules';
import { runParts } from './store/run-parts';
import { createRunStore } from './store/runs';
import { createTriggerBacklogStore } from './store/trigger-backlog';
import { createUsageStore } from './store/usages';

/** The stores of this service, made once over its own database. */
export function createStores(connection: Connection) {
  return {
    connection,
    collections,
    backtests: createBacktestStore(connection),
    consideredEvents: createConsideredEventStore(connection),
    departures: createDepartures(connection),
    executions: createExecutionStore(connection),
    rules: createRuleStore(connection),
    runs: createRunStore(connection),
    runParts: createParts(connection, runParts),
    triggerBacklog: createTriggerBacklogStore(connection),
    usages: createUsageStore(connection),
  };
}

/** The pass templates of a workspace. A caller that cannot tell must say that a template is unknown. */
export interface TemplateDirectory {
  unknownAmong(workspaceId: string, templateIds: readonly string[]): Promise<string[]>;
}

/** What use cases are given; each names the part it needs. */
export type Deps = ReturnType<typeof createStores> & {
  outbox: Pick<Outbox, 'append'>;
  clock: { now(): Date };
  logger: Logger;
  formulas: Formulas;
  clients: Pick<
    RpcClient<'clients'>,
    | 'GetClients'
    | 'GetTransactionMetrics'
    | 'ListClients'
    | 'ListEvents'
    | 'ListFields'
    | 'ListSuccessors'
    | 'QuoteRefundLink'
    | 'QuoteUpdate'
    | 'UpdateClient'
  >;
  identity: Pick<RpcClient<'identity'>, 'GetWorkspace'>;
  integrations: Pick<RpcClient<'integrations'>, 'GetWebhook'>;
  ledger: Pick<
    RpcClient<'ledger'>,
    | 'EarnPoints'
    | 'GetBalances'
    | 'GetWallets'
    | 'ListEntries'
    | 'ListWalletHeads'
    | 'ListWalletTypes'
    | 'QuoteRefund'
    | 'SpendPoints'
  >;
  passes: Pick<RpcClient<'passes'>, 'ListPassesOfClients'>;
  referrals: Pick<RpcClient<'referrals'>, 'CountCompleted' | 'QuoteCompletion'>;
  rewards: Pick<RpcClient<'rewards'>, 'GetRewards' | 'GiveReward' | 'QuoteGift'>;
  tiers: Pick<
    RpcClient<'tiers'>,
    | 'AssignTier'
    | 'ForetellMoves'
    | 'GetClientTiers'
    | 'GetTiers'
    | 'ListTiers'
    | 'QuoteAssignment'
    | 'UnassignTier'
  >;
  segments: SegmentDirectory;
  templates: TemplateDirectory;
};
