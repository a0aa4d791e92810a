import { invalidField } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { commitOnce, repeatable } from '@laurel/mongo';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { EMPTY_TALLY } from '../domain/backtest';
import { newRule, type Rule, type RuleFields } from '../domain/rule';
import { refusals } from '../refusals';
import { checkRule } from './check-rule';
import { fieldsOf, toBacktestReply } from './wire';

/** Asks what a rule would have done over the stored events of a period; nothing is executed. */
export function startBacktest(
  deps: Deps,
  request: api.StartBacktestRequest,
): Promise<api.Backtest> {
  return repeatable(deps.connection, () => ask(deps, request));
}

async function ask(deps: Deps, request: api.StartBacktestRequest): Promise<api.Backtest> {
  const { workspace_id: workspaceId } = request;
  const [from, to] = [new Date(request.from_date), new Date(request.to_date)];
  if (from > to) throw invalidField('to_date', 'to_date must not be before from_date');
  const rule = await ruleOf(deps, request);
  if (rule.trigger_type === 'time_based')
    throw invalidField(
      request.rule_id === undefined ? 'rule.trigger_type' : 'rule_id',
      'a time_based rule follows a schedule, not events: there is nothing to replay',
    );
  const backtest = {
    id: newId(),
    workspaceId,
    rule,
    from,
    to,
    status: 'pending' as const,
    progress: 0,
    tally: EMPTY_TALLY,
    error: null,
    attempts: 0,
  };
  return commitOnce(deps.connection, async (session) => {
    await deps.backtests.insert(backtest, deps.clock.now(), session);
    return toBacktestReply(backtest);
  });
}

async function ruleOf(deps: Deps, request: api.StartBacktestRequest): Promise<Rule> {
  const { workspace_id: workspaceId, rule_id: ruleId, rule: fields } = request;
  if (ruleId !== undefined) {
    const found = await deps.rules.find(workspaceId, ruleId);
    if (!found) throw refusals.unknownRule({ field: 'rule_id' });
    const { revision: _revision, plan: _plan, ...rule } = found;
    return rule;
  }
  const given = fieldsOf(fields) as Partial<RuleFields> &
    Pick<RuleFields, 'name' | 'trigger_type' | 'effects'>;
  const rule = newRule({ id: newId(), workspaceId, now: deps.clock.now() }, given);
  await checkRule(deps, rule, { within: 'rule' });
  return rule;
}
