import type { TriggerType } from '@laurel/contract';
import { newId } from '@laurel/lifecycle';
import type { automations as api } from '@laurel/rpc';
import { FormulaFailed } from '../domain/formula/formulas';
import { newRule } from '../domain/rule';
import { refusals } from '../refusals';
import { walletCodes } from './check-rule';
import { type FactDeps, gatherFacts, situationOf } from './gather-facts';
import { syntheticTrigger } from './synthetic-trigger';

/** What happens by the clock alone, where nothing else is made up. */
const NOTHING: api.SyntheticEvent = { trigger_type: 'time_based', event_type: 'schedule' };

/** Whether a formula compiles in a workspace, what it gives, and its value for a client; else what is wrong and where. */
export async function validateFormula(
  deps: FactDeps,
  request: api.ValidateFormulaRequest,
): Promise<api.FormulaVerdict> {
  const { workspace_id, expression, expected_type, client_id } = request;
  const codes = await walletCodes(deps, workspace_id);
  const verdict = deps.formulas.check(expression, codes, expected_type);
  if (!verdict.valid) return { valid: false, error: verdict.error };
  return {
    valid: true,
    return_type: verdict.returnType,
    ...(client_id === undefined ? {} : await valueFor(deps, request, client_id)),
  };
}

async function valueFor(
  deps: FactDeps,
  { workspace_id: workspaceId, expression, event = NOTHING }: api.ValidateFormulaRequest,
  clientId: string,
): Promise<Pick<api.FormulaVerdict, 'value' | 'value_error'>> {
  const facts = await gatherFacts(deps, { workspaceId, clientId });
  if (!facts) throw refusals.unknownClient({ field: 'client_id' });
  const now = deps.clock.now();
  const rule = newRule(
    { id: newId(), workspaceId, now },
    {
      name: 'formula',
      trigger_type: event.trigger_type as TriggerType,
      conditions: [{ type: 'expression', expression }],
      effects: [],
    },
  );
  const happened = syntheticTrigger(clientId, event, now);
  const { evaluate } = await situationOf(deps, { rule, happened }, { facts });
  try {
    return { value: evaluate(expression) as never };
  } catch (error) {
    if (error instanceof FormulaFailed) return { value_error: error.message };
    throw error;
  }
}
