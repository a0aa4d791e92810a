import { Environment } from '@marcbachmann/cel-js';

/** What one evaluation may cost is bounded by the expression's size: CEL has no loops but over given lists. */
const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 40,
  maxListElements: 100,
  maxMapEntries: 50,
  maxCallArguments: 8,
};

/**
 * A language without variables yet: within limits, and at ease with whole and other numbers mixed.
 *
 * @param options.mixedLiterals lists and maps may hold values of several types, as JSON does
 */
export function createBoundedEnvironment({ mixedLiterals = false } = {}): Environment {
  const environment = new Environment({
    limits: LIMITS,
    homogeneousAggregateLiterals: !mixedLiterals,
  });
  addMixedArithmetic(environment);
  return environment;
}

/** CEL keeps whole and other numbers apart; who writes `event.amount * 2` does not. */
function addMixedArithmetic(environment: Environment): void {
  const operators = {
    '+': (a: number, b: number) => a + b,
    '-': (a: number, b: number) => a - b,
    '*': (a: number, b: number) => a * b,
    '/': (a: number, b: number) => a / b,
  };
  for (const [sign, apply] of Object.entries(operators)) {
    const run = (a: unknown, b: unknown) => apply(Number(a), Number(b));
    environment.registerOperator(`double ${sign} int: double`, run);
    environment.registerOperator(`int ${sign} double: double`, run);
  }
}
