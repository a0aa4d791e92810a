import type { Outbox } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { RpcClient } from '@laurel/rpc';
import { createParts } from '@laurel/work';
import { collections } from './collections';
import type { CountedResponse } from './domain/response';
import type { createKeptResponses } from './outside/kept-responses';
import { actionParts } from './store/action-parts';
import { createActionStore } from './store/actions';
import { createAudienceStore } from './store/audience';
import { createCampaignStore } from './store/campaigns';

/** The stores of this service, made once over its own database. */
export function createStores(connection: Connection) {
  return {
    connection,
    collections,
    actions: createActionStore(connection),
    actionParts: createParts(connection, actionParts),
    audience: createAudienceStore(connection),
    campaigns: createCampaignStore(connection),
  };
}

type KeptResponses = ReturnType<typeof createKeptResponses<CountedResponse>>;

/** What use cases are given; each names the part it needs. */
export type Deps = ReturnType<typeof createStores> & {
  outbox: Pick<Outbox, 'append'>;
  clock: { now(): Date };
  /** Waits; what paces execution. */
  pause: (ms: number) => Promise<unknown>;
  logger: Pick<Logger, 'warn' | 'error'>;
  /** What came after campaigns, as far as it is known. */
  responses: KeptResponses;
  /** Members that an action reaches per second, at most, by all replicas together. */
  membersPerSecond: number;
  /** Of audiences with more members than this, replicas serve so many each at a time. */
  membersPerPart: number;
  clients: Pick<
    RpcClient<'clients'>,
    | 'CheckCustomFields'
    | 'CountSegment'
    | 'GetClients'
    | 'GetSegments'
    | 'ListSegmentClients'
    | 'ListSuccessors'
    | 'MeasureActivity'
    | 'MeasureAudience'
    | 'RecordTrail'
    | 'UpdateCustomFields'
  >;
  rewards: Pick<RpcClient<'rewards'>, 'GetRewards' | 'GiveRewards' | 'MeasureSupplies'>;
  tiers: Pick<RpcClient<'tiers'>, 'AssignTiers' | 'GetTiers'>;
  passes: Pick<
    RpcClient<'passes'>,
    'GetTemplates' | 'ListPassesOfClients' | 'NotifyPasses' | 'UpdatePass'
  >;
};
