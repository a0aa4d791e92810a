import type { automations as api } from '@laurel/rpc';

/** What the check of a formula says, under the names of part 1. */
export function presentVerdict({ valid, return_type, error, ...value }: api.FormulaVerdict) {
  return valid ? { valid, returnType: return_type, ...value } : { valid, error };
}
