import { requestNow } from '@laurel/lifecycle';
import { daysAfter } from '@laurel/values/calendar';
import type { RpcClients } from '../../rpc-clients';
import { day, Joi } from '../../schema/types';
import { dayAt, daysBetween, startOf } from './calendar';

/** As many as a sparkline shows. */
const DAYS = 30;

/** Of each of the last days how often something happened. */
export const last30 = Joi.array()
  .items(
    Joi.object({
      date: day().required(),
      count: Joi.number().integer().min(0).required(),
    }),
  )
  .description('With expand=last30: the last 30 days of the time zone of the workspace.');

/** The last days of a workspace's calendar, today among them, as services are asked for them. */
export async function readLastDays({ identity }: RpcClients, workspace_id: string) {
  const { timezone: zone } = await identity.GetWorkspace({ workspace_id });
  const now = requestNow();
  const today = dayAt(now, zone);
  const days = daysBetween({ first: daysAfter(today, 1 - DAYS), last: today });
  const asked = { day_starts: days.map((day) => startOf(day, zone)), until: now.getTime() };
  const present = (counts: readonly number[]) =>
    days.map((date, at) => ({ date, count: counts[at] ?? 0 }));
  return { asked, present };
}
