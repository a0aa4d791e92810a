import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { periodOf } from '../domain/days';
import type { Limits } from '../domain/rule';
import { isTurnInRun } from '../domain/trigger';
import { type Claim, limitsPassed } from '../domain/usage';
import type { Execution } from '../store/execution-document';
import type { Counted, UsageKey } from '../store/usages';

/** What keeps a rule from running too often, and the days that it goes by. */
export interface Bounds {
  limits: Limits;
  timeZone: string;
}

/** An execution that is to begin. */
export interface Bounded {
  execution: Execution;
  bounds: Bounds;
}

const isLimitedAsWhole = ({ total_budget, total_executions }: Limits): boolean =>
  total_budget !== undefined || total_executions !== undefined;

const isLimitedEach = ({ per_client_budget, executions_per_client }: Limits): boolean =>
  per_client_budget !== undefined || executions_per_client !== undefined;

export const isLimited = (limits: Limits): boolean =>
  isLimitedAsWhole(limits) || isLimitedEach(limits);

/**
 * Counts executions of a workspace, in their order, but those for which a limit is reached: gives, for each, the limit, or
 * null. Limits are looked at and used up in the caller's transaction, so that no race passes them.
 */
export async function useUp(
  deps: Pick<Deps, 'usages' | 'executions'>,
  bounded: readonly Bounded[],
  session: Session,
): Promise<(keyof Limits | null)[]> {
  const [first] = bounded;
  const keys = bounded.filter(({ bounds }) => isLimited(bounds.limits)).map(keyOf);
  const usedBy =
    keys.length > 0
      ? await deps.usages.findMany(first!.execution.workspaceId, keys, session)
      : null;
  // After the usage that the write below holds them to: one that comes in between is found there, or here.
  const claims = [];
  for (const one of bounded) claims.push(await claimOf(deps, one, session));
  const limits = usedBy ? limitsPassed(claims, usedBy) : claims.map(() => null);
  const counted = claims.flatMap((claim, at): Counted[] => {
    if (limits[at]) return [];
    const { limits: own, points } = claim;
    const used = usedBy?.(claim);
    const rule = isLimitedAsWhole(own) ? used?.rule : undefined;
    const client = isLimitedEach(own) ? used?.client : undefined;
    return [{ ...keyOf(bounded[at]!), points, noted: { rule, client } }];
  });
  await deps.usages.countAll(counted, session);
  return limits;
}

const keyOf = ({ execution: { workspaceId, ruleId, clientId } }: Bounded): UsageKey => ({
  workspaceId,
  ruleId,
  clientId,
});

async function claimOf(
  deps: Pick<Deps, 'executions'>,
  { execution, bounds }: Bounded,
  session: Session,
): Promise<Claim> {
  const { ruleId, clientId, reserved, startedAt, trigger, workspaceId } = execution;
  const counts = isTurnInRun(trigger) ? 'due' : 'begun';
  const times = { begun: startedAt, due: trigger.at };
  const back = { workspaceId, ruleId, clientId, ...bounds, at: times[counts], counts } as const;
  const within = withinOf(back);
  const recent = await countWithin(deps, { back, within }, session);
  return { ruleId, clientId, limits: bounds.limits, points: reserved, times, within, recent };
}

interface LookBack extends UsageKey, Bounds {
  at: Date;
  /** Which day an execution counts for: that on which it began, or, in runs of a schedule, that on which its run was due. */
  counts: NonNullable<Claim['within']>['counts'];
}

/** The interval that the limit of executions for each client looks at; null where there is none, or it looks at all time. */
function withinOf({ limits, timeZone, at, counts }: LookBack): Claim['within'] {
  const often = limits.executions_per_client;
  if (!often || often.interval === 'lifetime') return null;
  return { ...periodOf(often.interval, at, timeZone), counts };
}

/** How often a rule ran for a client in the interval that its limit looks at, as of a moment. */
export const executionsWithin = (deps: Pick<Deps, 'executions'>, back: LookBack): Promise<number> =>
  countWithin(deps, { back, within: withinOf(back) });

async function countWithin(
  { executions }: Pick<Deps, 'executions'>,
  { back, within }: { back: LookBack; within: Claim['within'] },
  session?: Session,
): Promise<number> {
  if (!within) return 0;
  const { workspaceId, ruleId, clientId, limits } = back;
  const { counts, ...period } = within;
  const asked = { ruleId, clientId, period, counts, atMost: limits.executions_per_client!.value };
  return executions.countWithin(workspaceId, asked, session);
}
