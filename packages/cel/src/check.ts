import type { Environment } from '@marcbachmann/cel-js';
import { compileExpression } from './compile';

export const EXPRESSION_LENGTH_MAX = 2_000;

/** What an expression gives, as people read it; `any` where only its evaluation can tell. */
export type ValueType = 'number' | 'boolean' | 'string' | 'any' | 'timestamp' | 'list' | 'object';

export type Verdict =
  | { valid: true; returnType: ValueType }
  /** `position` counts characters from 0. */
  | { valid: false; error: { message: string; position: number } };

/**
 * Whether an expression can be evaluated in an environment, at a bearable cost, and to what.
 *
 * @param called what the expression is called in complaints, such as "formula"
 */
export function checkExpression(
  environment: Environment,
  expression: string,
  called: string,
): Verdict {
  if (expression.trim() === '') return refuse(`the ${called} is empty`, 0);
  if (expression.length > EXPRESSION_LENGTH_MAX)
    return refuse(
      `a ${called} has at most ${EXPRESSION_LENGTH_MAX} characters`,
      EXPRESSION_LENGTH_MAX,
    );
  let type: string;
  try {
    ({ type } = compileExpression(environment, expression));
  } catch (error) {
    const { summary, message, range } = error as Error & {
      summary?: string;
      range?: { start: number };
    };
    return refuse(summary ?? message, range?.start ?? 0);
  }
  return { valid: true, returnType: typeNamed(type) };
}

function refuse(message: string, position: number): Verdict {
  return { valid: false, error: { message, position } };
}

function typeNamed(type: string): ValueType {
  if (type === 'int' || type === 'double' || type === 'uint') return 'number';
  if (type === 'bool') return 'boolean';
  if (type === 'string') return 'string';
  if (type === 'dyn') return 'any';
  if (type.startsWith('list')) return 'list';
  return type === 'google.protobuf.Timestamp' ? 'timestamp' : 'object';
}
