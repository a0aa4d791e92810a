import type { Period } from '@laurel/contract';
import { invalidPayload, PROBLEMS_MAX } from '@laurel/errors';
import { groupBy } from '@laurel/lifecycle';
import type { clients as api } from '@laurel/rpc';
import { bucketOf, FIRST_MOMENT } from '@laurel/values/calendar';
import type { Deps } from '../deps';
import { type Figures, figureOf, joinFigures } from '../domain/figures';
import { lookBack } from '../domain/time-window';
import type { Aggregation } from '../store/events';
import { lookUpPasses } from './look-up-passes';

interface Group extends Figures {
  _id: { pass: string | null; day: string | null };
}

/** Counts or adds up events over a window, all together or per pass, and per day, week or month. */
export async function aggregateEvents(
  deps: Pick<Deps, 'events' | 'passes' | 'passKeeper' | 'clock'>,
  request: api.AggregateEventsRequest,
): Promise<api.Aggregates> {
  await requirePasses(deps, request);
  const window = lookBack(request, deps.clock.now());
  const groups = await deps.events.aggregate<Group>(
    request.workspace_id,
    aggregationOf(request, window),
  );
  const byPass = groupBy(groups, (group) => group._id.pass);
  const passes = request.group_by_pass ? [...byPass.keys()] : [null];
  return {
    results: passes.map((pass) => toAggregate(request, pass, byPass.get(pass) ?? [])),
    from_date: window.from?.toISOString() ?? null,
    to_date: window.to?.toISOString() ?? null,
  };
}

/** Refuses ids that name no pass of the workspace. The events of deleted passes stay, and count. */
async function requirePasses(
  deps: Pick<Deps, 'events' | 'passes' | 'passKeeper'>,
  { workspace_id: workspaceId, pass_ids: passIds }: api.AggregateEventsRequest,
): Promise<void> {
  if (!passIds || passIds.length === 0) return;
  const found = (await lookUpPasses(deps, passIds)).filter(
    (pass) => pass.workspaceId === workspaceId,
  );
  const known = new Set(found.map(({ passId }) => passId));
  const others = passIds.filter((id) => !known.has(id));
  if (others.length === 0) return;
  const told = await deps.events.passesAmong(workspaceId, others);
  const problems = passIds.flatMap((id, index) => {
    const field = `pass_ids.${index}`;
    const isKnown = known.has(id) || told.has(id);
    return isKnown ? [] : [{ field, message: `${field}: there is no such pass in the workspace` }];
  });
  if (problems.length > 0) throw invalidPayload(problems.slice(0, PROBLEMS_MAX));
}

function aggregationOf(
  request: api.AggregateEventsRequest,
  { from, to }: { from: Date | null; to: Date | null },
): Aggregation {
  const { event_category: category, event_types: types, pass_ids: passes } = request;
  const field = `$${request.field ?? 'amount'}`;
  const day = { $dateToString: { format: '%Y-%m-%d', date: '$event_timestamp' } };
  // Events that no pass stands for belong to no group of theirs.
  const perPass = request.group_by_pass ? { pass_id: { $ne: null } } : {};
  // What was before our era, which events are held to since, is of no day that a store could name.
  const isNamed = request.group_by_time === undefined || (from !== null && from > FIRST_MOMENT);
  const since = isNamed ? from : FIRST_MOMENT;
  const matching = {
    ...(passes ? { pass_id: { $in: passes } } : perPass),
    ...(category === undefined ? {} : { event_category: category }),
    ...(types ? { event_type: { $in: types } } : {}),
    ...(request.field_name === undefined ? {} : { field_name: request.field_name }),
    ...(request.currency === undefined ? {} : { currency: request.currency.toUpperCase() }),
    ...(since || to
      ? { event_timestamp: { ...(since ? { $gte: since } : {}), ...(to ? { $lte: to } : {}) } }
      : {}),
  };
  const stages = [
    {
      $group: {
        _id: {
          pass: request.group_by_pass ? '$pass_id' : null,
          day: request.group_by_time === undefined ? null : day,
        },
        count: { $sum: 1 },
        valued: { $sum: { $cond: [{ $gt: [field, null] }, 1, 0] } },
        sum: { $sum: field },
        min: { $min: field },
        max: { $max: field },
      },
    },
  ];
  return { matching, stages };
}

function toAggregate(
  { function: name, group_by_time: unit }: api.AggregateEventsRequest,
  pass: string | null,
  groups: readonly Group[],
): api.Aggregate {
  const aggregate = { pass_id: pass, value: figureOf(name, joinFigures(groups)) };
  if (unit === undefined) return { ...aggregate, buckets: [] };
  const perBucket = groupBy(groups, (group) => bucketOf(group._id.day!, unit as Period));
  const buckets = [...perBucket]
    .map(([date, own]) => ({ date, value: figureOf(name, joinFigures(own)) }))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
  return { ...aggregate, buckets };
}
