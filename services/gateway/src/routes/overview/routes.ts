import { invalidField } from '@laurel/errors';
import { requestNow } from '@laurel/lifecycle';
import { daysAfter } from '@laurel/values/calendar';
import { data, get, member, partsOf, type Route } from '../../routing';
import {
  bucketsOf,
  comparedWith,
  type Days,
  dayAt,
  daysBetween,
  type Span,
  spanOf,
  startOf,
} from './calendar';
import { presentOverview } from './present';
import * as schema from './schema';

const DAYS_DEFAULT = 30;
const DAYS_MAX = 1_100;
/** Before it no workspace did anything, and days are written in four digits of a year as far back as they are compared with. */
const FIRST_DAY = '1970-01-01';

/** How a workspace is doing (docs/adr/0019). */
export const overviewRoutes: Route[] = [
  get(':ws/overview', {
    stack: member(),
    tag: 'Workspaces',
    summary: 'Read how a workspace is doing: customers, points, redemptions, passes, tiers',
    description:
      'Days are those of the time zone of the workspace, at most 1 100. Past days are kept, today is counted up to the moment; active customers and passes may lag by a few minutes where there are very many.',
    query: schema.query,
    reply: schema.overview,
    meta: schema.meta,
    handle: async ({ rpc, workspaceId: workspace_id, query }) => {
      const { timezone: zone, date_created } = await rpc.identity.GetWorkspace({ workspace_id });
      const now = requestNow();
      const today = dayAt(now, zone);
      const range = rangeOf(query, today);
      const { compare } = query;
      const past = compare === undefined ? null : comparedWith(range, compare);
      const buckets = bucketsOf(range, query.group_by, zone);
      // Nothing happened before there was a workspace; what it owes is the sum of all days since.
      const founded = dayAt(new Date(date_created), zone);
      const told = later(founded, past ? earlier(past.first, range.first) : range.first);
      const all = daysBetween({ first: founded, last: earlier(range.last, today) });
      const until = Math.min(now.getTime(), startOf(daysAfter(range.last, 1), zone));
      const day_starts = all.map((day) => startOf(day, zone));
      const first_day = all.indexOf(told);
      const recent = {
        workspace_id,
        day_starts: first_day < 0 ? [] : day_starts.slice(first_day),
        until,
      };
      const spans = [range, ...(past ? [past] : [])].map((days) => spanOf(days, zone));
      const life = { from: startOf(founded, zone), until: now.getTime() };
      const active_spans = [...spans, ...buckets].map((span) => withinLife(span, life));
      const { parts, missing } = await partsOf({
        customers: rpc.clients.GetCustomerFigures({ ...recent, active_spans }),
        currencies: rpc.ledger.GetDailyFigures({
          workspace_id,
          day_starts,
          until,
          first_day: Math.max(0, first_day),
        }),
        redemptions: rpc.rewards.CountDailyRedemptions(recent),
        passes: rpc.passes.GetPassFigures(recent),
        tiers: rpc.tiers.GetTierFigures({ workspace_id }),
      });
      const days = { first: told, range, past, buckets };
      const meta = { from_date: range.first, to_date: range.last, timezone: zone, missing };
      return data(presentOverview(parts, days), meta);
    },
  }),
];

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);

/** Spans before and after all that can have happened are one and the same empty one. */
function withinLife({ from, until }: Span, life: Span): Span {
  return from < life.until && until > life.from ? { from, until } : { from: 0, until: 0 };
}

function rangeOf({ from_date, to_date }: schema.OverviewQuery, today: string): Days {
  const last = to_date ?? today;
  const first = from_date ?? daysAfter(last, 1 - DAYS_DEFAULT);
  if (first < FIRST_DAY)
    throw invalidField(
      from_date ? 'from_date' : 'to_date',
      `the range must begin on ${FIRST_DAY} or later`,
    );
  if (first > last) throw invalidField('from_date', 'from_date must not be after to_date');
  if (first > today) throw invalidField('from_date', 'from_date must not be in the future');
  if (daysAfter(first, DAYS_MAX) <= last)
    throw invalidField('from_date', `the range must be at most ${DAYS_MAX} days`);
  return { first, last };
}
