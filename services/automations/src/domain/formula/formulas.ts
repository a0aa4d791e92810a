import {
  type Compiled,
  checkExpression,
  compileExpression,
  type Effort,
  type Environment,
  type Verdict,
} from '@laurel/cel';
import type { Json } from '@laurel/errors';
import type { Variables } from '../facts';
import { createEnvironment } from './environment';
import { evaluation } from './functions';

const ENVIRONMENTS_MAX = 500;
const COMPILED_MAX = 5_000;

/** A formula that could not be evaluated: the rule's fault, never the platform's. */
export class FormulaFailed extends Error {
  override readonly name = 'FormulaFailed';
}

/** Checks and evaluates formulas in the Common Expression Language (part 3, section 8). */
export class Formulas {
  private readonly environments = new Kept<Environment>(ENVIRONMENTS_MAX);
  private readonly compiled = new Kept<Compiled>(COMPILED_MAX);

  /** Whether a formula can be evaluated in a workspace with these wallet types, and to what. */
  check(expression: string, walletCodes: readonly string[], expected?: string | null): Verdict {
    const verdict = checkExpression(this.environmentOf(walletCodes), expression, 'formula');
    if (!verdict.valid || !expected) return verdict;
    const { returnType } = verdict;
    if (returnType === 'any' || returnType === expected) return verdict;
    const message = `the formula gives ${returnType}, not ${expected}`;
    return { valid: false, error: { message, position: 0 } };
  }

  /**
   * The value of a formula as JSON; throws FormulaFailed.
   *
   * @param effort what it may take, where others share that with it
   */
  evaluate(expression: string, variables: Variables, effort?: Effort): Json {
    const codes = Object.keys(variables.wallet).sort();
    try {
      const compiled = this.compile(expression, codes);
      evaluation.now = variables.now;
      evaluation.timeZone = variables.timeZone;
      return toJson(compiled.run(variables, effort));
    } catch (error) {
      const { summary, message } = error as Error & { summary?: string };
      throw new FormulaFailed(keepable(summary ?? message));
    }
  }

  private compile(expression: string, codes: readonly string[]): Compiled {
    const key = `${codes.join(',')}\n${expression}`;
    return this.compiled.get(key, () => compileExpression(this.environmentOf(codes), expression));
  }

  private environmentOf(walletCodes: readonly string[]): Environment {
    const codes = [...walletCodes].sort();
    return this.environments.get(codes.join(','), () => createEnvironment(codes));
  }
}

const MESSAGE_LENGTH_MAX = 1_000;

/** A message stands in records, and may quote a text of any length that no store takes. */
const keepable = (message: string): string =>
  message.slice(0, MESSAGE_LENGTH_MAX).replaceAll(/\0|\p{Surrogate}/gu, '');

/** What was made for a key, so many at most: the oldest makes room. */
class Kept<T> {
  private readonly made = new Map<string, T>();

  constructor(private readonly max: number) {}

  get(key: string, make: () => T): T {
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const value = make();
    if (this.made.size >= this.max) this.made.delete(this.made.keys().next().value!);
    this.made.set(key, value);
    return value;
  }
}

function toJson(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map(toJson);
  throw new FormulaFailed('a formula must give a number, a text, a boolean, a moment or a list');
}
