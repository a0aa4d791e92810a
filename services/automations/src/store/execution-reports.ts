import { sideIdOf } from '@laurel/events';
import { countByDay, type DaysToCount, type Rows, type Session } from '@laurel/mongo';
import type { Period } from '../domain/days';
import type { ExecutionStatus } from '../domain/execution';
import type { Award } from '../domain/history';
import type { ExecutionDocument } from './execution-document';

/** Executions of a rule for a client that count towards its limit, no more than `atMost` of them. */
export interface WithinPeriod {
  ruleId: string;
  clientId: string;
  period: Period;
  /** By when they began, or by when the run was due that they are of. */
  counts: 'begun' | 'due';
  atMost: number;
}

/** What executions add up to. */
export function reportsOf(rows: Rows<ExecutionDocument>) {
  return {
    /** Which rules gave what, and over which events, by execution. */
    async findAwards(
      workspaceId: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Award>> {
      const found = await rows
        .of(workspaceId)
        .find({ _id: { $in: [...ids] } })
        .project<Pick<ExecutionDocument, '_id' | 'automation_rule_id' | 'priority' | 'trigger'>>({
          automation_rule_id: 1,
          priority: 1,
          'trigger.eventId': 1,
          'trigger.at': 1,
          'trigger.role': 1,
        })
        .toArray();
      return new Map(
        found.map(({ _id, automation_rule_id: ruleId, priority = 0, trigger }) => {
          const { eventId, at, role } = trigger;
          const inTrail = role ? { sideId: sideIdOf(eventId, role) } : {};
          return [_id, { ruleId, priority, eventId, at, ...inTrail }];
        }),
      );
    },

    /** How many failed since a moment, by rule, with the first of them; the rule with the most first. */
    async countFailedByRule(
      workspaceId: string,
      since: Date,
    ): Promise<{ ruleId: string; count: number; first: Date }[]> {
      const filter = { status: 'failed' as const, executed_at: { $gte: since } };
      const groups = rows
        .of(workspaceId)
        .aggregate<{ _id: string; count: number; first: Date }>(filter, [
          {
            $group: {
              _id: '$automation_rule_id',
              count: { $sum: 1 },
              first: { $min: '$executed_at' },
            },
          },
          { $sort: { count: -1, _id: 1 } },
        ]);
      return (await groups.toArray()).map(({ _id, count, first }) => ({
        ruleId: _id,
        count,
        first,
      }));
    },
  };
}

/** How often rules ran. */
export function countsOf(rows: Rows<ExecutionDocument>) {
  return {
    /** How often rules ran with success, day by day. */
    countByDay: (
      workspaceId: string,
      ids: readonly string[],
      days: Pick<DaysToCount, 'dayStarts' | 'until'>,
    ): Promise<Map<string, number[]>> =>
      countByDay(rows.of(workspaceId), {
        by: 'automation_rule_id',
        values: ids,
        at: 'executed_at',
        where: { status: 'success' },
        ...days,
      }),

    /** How often a rule ran for a client within a period and did not fail, or runs; no more than `atMost`. */
    async countWithin(
      workspaceId: string,
      { ruleId, clientId, period: { from, until }, counts, atMost }: WithinPeriod,
      session?: Session,
    ): Promise<number> {
      const filter = {
        client_id: clientId,
        automation_rule_id: ruleId,
        // None begins before it is due, or ends before it begins: this is what the index is read by.
        executed_at: { $gte: from },
        [counts === 'due' ? 'trigger.at' : 'started_at']: {
          $gte: from,
          ...(until ? { $lt: until } : {}),
        },
        status: { $in: ['running', 'success'] as ExecutionStatus[] },
      };
      const options = { projection: { _id: 1 }, session };
      return (await rows.of(workspaceId).find(filter, options).limit(atMost).toArray()).length;
    },
  };
}
