import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { walletCodes } from './check-rule';

/** Whether a formula compiles in a workspace, and what it gives; else what is wrong and where. */
export async function validateFormula(
  deps: Pick<Deps, 'formulas' | 'ledger'>,
  { workspace_id, expression, expected_type }: api.ValidateFormulaRequest,
): Promise<api.FormulaVerdict> {
  const codes = await walletCodes(deps, workspace_id);
  const verdict = deps.formulas.check(expression, codes, expected_type);
  return verdict.valid
    ? { valid: true, return_type: verdict.returnType }
    : { valid: false, error: verdict.error };
}
