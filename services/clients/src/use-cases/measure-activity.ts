import type { clients as api } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { type Activity, activityOf } from '../domain/client-activity';
import { ACTIVE_CATEGORIES } from '../store/activity';

/** What some clients did in a span of time and came to spend, in all and day by day. */
export async function measureActivity(
  { deeds }: Pick<Deps, 'deeds'>,
  request: api.MeasureActivityRequest,
): Promise<api.ActivityMeasure> {
  const { workspace_id: workspaceId, client_ids: ids, day_starts: dayStarts } = request;
  const span = { from: new Date(request.from), until: new Date(request.until) };
  const categories = ACTIVE_CATEGORIES;
  const found = await deeds.between(workspaceId, ids, { ...span, categories });
  const { whole, days } = activityOf(found, { categories, dayStarts });
  return { whole: reply(whole), days: days.map(reply) };
}

const reply = ({ spent, ...counts }: Activity): api.Activity => ({
  ...counts,
  spent: toDecimal(spent),
});
