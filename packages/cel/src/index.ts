export type { Environment } from '@marcbachmann/cel-js';
export { checkExpression, EXPRESSION_LENGTH_MAX, type ValueType, type Verdict } from './check';
export { type Compiled, compileExpression } from './compile';
export { type Effort, newEffort, takenOf } from './effort';
export { createBoundedEnvironment } from './environment';
export { COMMON_FUNCTIONS, type CommonFunction } from './functions';
export { CannotCalculate } from './numbers';
