import type { CampaignStatus } from '@laurel/contract';
import type { Rows } from '@laurel/mongo';
import {
  type CampaignDocument,
  type CampaignHead,
  HEAD,
  type StoredCampaign,
  toCampaign,
  toHead,
} from './mapping';

const AHEAD: CampaignStatus[] = ['scheduled', 'active'];

export interface CalendarFilter {
  from?: Date | undefined;
  to?: Date | undefined;
  status?: string | undefined;
}

/** Several campaigns at once. */
export function createCampaignLists(rows: Rows<CampaignDocument>) {
  return {
    /** Newest first: ids sort by the time they were made; the one of a key where it is named. */
    async *list(
      workspaceId: string,
      {
        limit,
        offset,
        key,
      }: { limit?: number | undefined; offset: number; key?: string | undefined },
    ): AsyncIterable<StoredCampaign> {
      const filter = key === undefined ? {} : { key };
      const cursor = rows.of(workspaceId).find(filter).sort({ _id: -1 }).skip(offset);
      for await (const document of limit === undefined ? cursor : cursor.limit(limit))
        yield toCampaign(document);
    },

    /** The newest, newest first. */
    async newest(workspaceId: string, limit: number): Promise<CampaignHead[]> {
      const found = rows.of(workspaceId).find({}, HEAD).sort({ _id: -1 }).limit(limit);
      return (await found.toArray()).map(toHead);
    },

    async *calendar(
      workspaceId: string,
      { from, to, status }: CalendarFilter,
    ): AsyncIterable<StoredCampaign> {
      const filter = {
        scheduled_at: { $ne: null, ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) },
        ...(status === undefined ? {} : { status: status as CampaignStatus }),
      };
      const found = rows.of(workspaceId).find(filter).sort({ scheduled_at: 1, _id: 1 });
      for await (const document of found) yield toCampaign(document);
    },

    /** Those that are still to run, or are running. */
    async ahead(workspaceId: string): Promise<CampaignHead[]> {
      const filter = { status: { $in: AHEAD } };
      return (await rows.of(workspaceId).find(filter, HEAD).sort({ _id: -1 }).toArray()).map(
        toHead,
      );
    },

    async countByStatus(workspaceId: string): Promise<Map<string, number>> {
      const stages = [{ $group: { _id: '$status', count: { $sum: 1 } } }];
      const groups = rows.of(workspaceId).aggregate<{ _id: string; count: number }>({}, stages);
      return new Map((await groups.toArray()).map(({ _id, count }) => [_id, count]));
    },

    async namesOf(workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
      const filter = { _id: { $in: [...ids] } };
      const named = rows.of(workspaceId).find(filter, { projection: { name: 1 } });
      return new Map((await named.toArray()).map(({ _id, name }) => [_id, name]));
    },
  };
}
