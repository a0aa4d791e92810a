import { Environment } from '@marcbachmann/cel-js';
import { addCommonFunctions } from './functions';
import { CALL_ARGUMENTS_MAX } from './limits';

/** What one evaluation may cost is bounded by the expression's size: CEL has no loops but over given lists. */
const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 40,
  maxListElements: 100,
  maxMapEntries: 50,
  maxCallArguments: CALL_ARGUMENTS_MAX,
};

const NUMBERS = ['double', 'int'];
/** What may be unknown, and so be compared with null. */
const NULLABLE = [...NUMBERS, 'string', 'bool', 'google.protobuf.Timestamp'];

/**
 * A language without variables yet: within limits, with one kind of number, and with the common functions. Its
 * expressions are made by `compileExpression`, which decides what the operators do; here they only have types.
 *
 * @param options.mixedLiterals lists and maps may hold values of several types, as JSON does
 */
export function createBoundedEnvironment({ mixedLiterals = false } = {}): Environment {
  const environment = new Environment({
    limits: LIMITS,
    homogeneousAggregateLiterals: !mixedLiterals,
  });
  addOperators(environment);
  addCommonFunctions(environment);
  return environment;
}

/** CEL keeps whole and other numbers apart; who writes `event.amount % 10 == 0` does not. */
function addOperators(environment: Environment): void {
  for (const sign of ['+', '-', '*', '/']) {
    environment.registerOperator(`double ${sign} int: double`, decidedLater);
    environment.registerOperator(`int ${sign} double: double`, decidedLater);
  }
  environment.registerOperator('double % double: double', decidedLater);
  environment.registerOperator('double % int: double', decidedLater);
  environment.registerOperator('int % double: double', decidedLater);
  environment.registerOperator('int == double', decidedLater);
  environment.registerOperator('int in list<double>: bool', decidedLater);
  environment.registerOperator('double in list<int>: bool', decidedLater);
  for (const type of NULLABLE) environment.registerOperator(`${type} == null`, decidedLater);
}

function decidedLater(): never {
  throw new Error('an expression was run that compileExpression did not make');
}
