import { requestNow } from '@laurel/lifecycle';
import type { RpcClients } from '../../rpc-clients';
import { dayAt, daysBetween, startOf } from '../overview/calendar';

const DAY_MS = 86_400_000;

interface Asked {
  workspaceId: string;
  id: string;
  startedAt: string | null;
  days: number;
}

/** What those whom a campaign reached did within some days after it began; null while it is unknown. */
export async function readResponse(
  rpc: RpcClients,
  { workspaceId: workspace_id, id, startedAt, days: within_days }: Asked,
): Promise<object | null> {
  if (startedAt === null) return null;
  const { timezone: zone } = await rpc.identity.GetWorkspace({ workspace_id });
  const from = Date.parse(startedAt);
  const until = Math.min(from + within_days * DAY_MS, requestNow().getTime());
  const last = dayAt(new Date(Math.max(from, until - 1)), zone);
  const dates = daysBetween({ first: dayAt(new Date(from), zone), last });
  const day_starts = dates.map((date) => startOf(date, zone));
  const request = { workspace_id, id, until, day_starts };
  const { whole, days } = await rpc.campaigns.MeasureResponse(request);
  if (!whole) return null;
  const buckets = dates.map((date, at) => ({ date, ...days[at] }));
  return { within_days, until: new Date(until).toISOString(), ...whole, buckets };
}
