export type { Environment } from '@marcbachmann/cel-js';
export { checkExpression, EXPRESSION_LENGTH_MAX, type ValueType, type Verdict } from './check';
export { type Compiled, compileExpression, isMissing } from './compile';
export { createBoundedEnvironment } from './environment';
export { NUMBER_FUNCTIONS, type NumberFunction } from './functions';
export { CannotCalculate } from './numbers';
