import type { Rows } from '@laurel/mongo';
import { integrationKey, type OutboundJobRow } from './outbound-job-rows';

/** Behind which job a list goes on. */
export interface JobPosition {
  at: Date;
  id: string;
}

export interface JobFilter {
  provider?: string | undefined;
  status?: OutboundJobRow['status'] | undefined;
  after?: JobPosition | undefined;
}

/** What people and the backfill see of the jobs of an integration. */
export function createJobLists(rows: Rows<OutboundJobRow>) {
  return {
    byId: (workspaceId: string, id: string) => rows.of(workspaceId).findOne({ id }),

    /** Those that changed last first. */
    list: (
      workspaceId: string,
      { provider, status, after, limit }: JobFilter & { limit: number },
    ) =>
      rows
        .of(workspaceId)
        .find({
          ...(provider === undefined ? {} : { provider }),
          ...(status === undefined ? {} : { status }),
          ...(after === undefined
            ? {}
            : {
                updated_at: { $lte: after.at },
                $or: [{ updated_at: { $lt: after.at } }, { _id: { $lt: after.id } }],
              }),
        })
        .sort({ workspace_id: 1, updated_at: -1, _id: -1 })
        .limit(limit)
        .toArray(),

    count: (
      workspaceId: string,
      { provider, status }: { provider: string; status: OutboundJobRow['status'] },
    ): Promise<number> => rows.of(workspaceId).count({ provider, status }),

    /** How many are to be sent now and are in no worker's hands, up to a limit. */
    countDue: (
      workspaceId: string,
      provider: string,
      { now, limit }: { now: Date; limit: number },
    ): Promise<number> =>
      rows.of(workspaceId).count(
        {
          integration: integrationKey(workspaceId, provider),
          due_at: { $exists: true, $lte: now },
        },
        { limit },
      ),

    lastFailed: (workspaceId: string, provider: string) =>
      rows
        .of(workspaceId)
        .findOne(
          { provider, status: 'failed' },
          { sort: { workspace_id: 1, provider: 1, updated_at: -1 } },
        ),
  };
}
