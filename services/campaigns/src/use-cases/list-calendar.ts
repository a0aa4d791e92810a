import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toCampaignReply } from './wire';

/** Campaigns that name a time, by that time. Both bounds are included. */
export async function* listCalendar(
  { campaigns }: Pick<Deps, 'campaigns'>,
  { workspace_id: workspaceId, start, end, status }: api.ListCalendarRequest,
): AsyncIterable<api.Campaign> {
  const filter = {
    from: start === undefined ? undefined : new Date(start),
    to: end === undefined ? undefined : new Date(end),
    status,
  };
  for await (const campaign of campaigns.calendar(workspaceId, filter))
    yield toCampaignReply(campaign);
}
