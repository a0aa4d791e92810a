import type { OutboundJobStatus } from '@laurel/contract';
import { collection } from '@laurel/mongo';
import { dueIndex } from '@laurel/work';

/** Integrations take turns. */
export const DUE = { by: 'integration' };

export type OutboundAction = 'upsert_customer' | 'delete_customer';

/**
 * What an outside system is still to hear of one client: that it changed, or that it is gone. Identifiers only;
 * the values are read when they are sent, so that what is sent last is how the client is. One row per client keeps
 * the order.
 */
export interface OutboundJobRow {
  /** `<workspace id>:<provider>:<client id>`. */
  _id: string;
  /** By which the API knows it; it comes from the key. */
  id: string;
  workspace_id: string;
  provider: string;
  /** `<workspace id>:<provider>`, by which integrations take turns. */
  integration: string;
  client_id: string;
  action: OutboundAction;
  /** The client's id in the outside system, as last heard of. */
  external_id: string | null;
  /** Grows with every change, so that one made while the last is being sent is sent too. */
  version: number;
  status: OutboundJobStatus;
  /** Attempts that failed in this round of the retry schedule. */
  failures: number;
  /** All of them, since the job was made. */
  attempts: number;
  /** A digest of what was sent last; null when that is not known, or is to be sent again in any case. */
  told: string | null;
  last_error: string | null;
  /** There is no integration of the provider, so that no system can hear it. */
  unaddressed?: true;
  /** Absent when nothing is to be sent. Also the end of the lease of the replica that sends it. */
  due_at?: Date;
  lease?: string;
  updated_at: Date;
}

export type LeasedJob = OutboundJobRow & { lease: string };

export const outboundJobs = collection<OutboundJobRow>('outbound_jobs', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'stays: it is what says that the other system is to let go of the source',
    anonymized: 'stays: as of merges, by identifiers alone',
    deleted: 'as anonymized',
    exported: 'shown',
  },
  growth: {
    per: 'client and provider',
    end: '30 days after it was told; what is owed waits until it is',
    shardKey: 'hashed _id',
  },
  indexes: [
    dueIndex(DUE),
    { key: { workspace_id: 1, client_id: 1 }, name: 'client' },
    { key: { workspace_id: 1, id: 1 }, name: 'id' },
    { key: { workspace_id: 1, updated_at: -1, _id: -1 }, name: 'newest' },
    { key: { workspace_id: 1, provider: 1, status: 1 }, name: 'status' },
    {
      key: { workspace_id: 1, provider: 1, updated_at: -1 },
      name: 'failed',
      partialFilterExpression: { status: 'failed' },
    },
  ],
  retired: ['updated_ttl'],
});

export const integrationKey = (workspaceId: string, provider: string): string =>
  `${workspaceId}:${provider}`;
