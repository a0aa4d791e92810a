export type { Environment } from '@marcbachmann/cel-js';
export { checkExpression, EXPRESSION_LENGTH_MAX, type ValueType, type Verdict } from './check';
export { createBoundedEnvironment } from './environment';
