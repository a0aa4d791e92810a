import type { ExecutionStatus } from '../domain/execution';

export interface ExecutionFilter {
  ruleId?: string | undefined;
  clientId?: string | undefined;
  status?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Which executions a list is asked for: of those that have ended. */
export function filterOf(asked: ExecutionFilter) {
  const { ruleId, clientId, status, from, to } = asked;
  return {
    ended: true as const,
    ...(ruleId === undefined ? {} : { automation_rule_id: ruleId }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(status === undefined ? {} : { status: status as ExecutionStatus }),
    ...(from || to
      ? { executed_at: { ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) } }
      : {}),
  };
}
