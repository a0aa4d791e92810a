import type { automations as api } from '@laurel/rpc';

/** What the check of a formula says, under the names of part 1. */
export function presentVerdict({ valid, return_type, error, ...value }: api.FormulaVerdict) {
  return valid ? { valid, returnType: return_type, ...value } : { valid, error };
}

/** What a simulation foretells: a rule that would follow is shown as one that matches, with what it follows from. */
export function presentSimulation({ following, refund, ...simulation }: api.Simulation) {
  return {
    ...simulation,
    following: following.map(({ rule, ...cause }) => ({ ...rule!, ...cause })),
    ...(refund
      ? {
          refund: {
            link: refund.link,
            ...(refund.left === undefined ? {} : { left: refund.left }),
            taken: refund.taken.map(({ wallet_type_code, amount }) => ({
              wallet_type_code,
              points: amount,
            })),
          },
        }
      : {}),
  };
}
