import type { Environment } from '@marcbachmann/cel-js';
import { findTooDear } from './cost';
import {
  type Effort,
  MOMENT,
  newEffort,
  spend,
  weightOf,
  weightOfJoined,
  weightWithin,
  withinEffort,
} from './effort';
import * as numbers from './numbers';
import { isNumeric, type Numeric } from './numbers';

/** An expression that was checked, ready to be asked of values; throws what is wrong with them. */
export interface Compiled {
  /** CEL's name of what it gives. */
  type: string;
  /** @param effort what it may take, and takes part of; its own where none is given */
  run(variables: object, effort?: Effort): unknown;
}

type Handle = (...values: unknown[]) => unknown;

/** What the library keeps about one part of an expression, as far as it is touched here. */
interface Node {
  op: string;
  args: unknown;
  handle?: Handle;
  range: { start: number };
  meta: { alternate?: Node; macro?: Macro; evaluate?: Handle };
  setMeta(name: string, value: unknown): unknown;
}
interface Macro {
  evaluate: Handle;
}

/**
 * Makes an expression of the language that part 4, section 6 describes: CEL's grammar and types come from the library,
 * what operators do with numbers and with what is missing from here. Two things are changed in the checked tree: whole
 * numbers that were typed become ordinary ones, and operators and accesses get handlers of ours around the library's
 * (docs/adr/0013). Throws the library's error, with its place, for what is no valid expression, and one of ours like it for
 * what is too dear to run: also of one that was kept before it was refused.
 */
export function compileExpression(environment: Environment, expression: string): Compiled {
  const parsed = environment.parse(expression);
  const tooDear = findTooDear(parsed.ast);
  if (tooDear) throw refusedAt(tooDear.message, { start: tooDear.position });
  const tree = parsed.ast as unknown as Node;
  eachNode(tree, refuseNames);
  eachNode(tree, takeWholeNumbersAsNumbers);
  const verdict = parsed.check();
  if (!verdict.valid) throw verdict.error;
  eachNode(tree, giveMeaning);
  return {
    type: String(verdict.type),
    run: (variables, effort = newEffort()) =>
      withinEffort(() => parsed(variables as never), effort),
  };
}

/** Loops hold some parts of the tree in two places: each is visited once. */
function eachNode(node: Node, visit: (node: Node) => void, visited = new Set<Node>()): void {
  if (visited.has(node)) return;
  visited.add(node);
  visit(node);
  const { alternate, macro } = node.meta;
  for (const part of alternate ? [alternate] : macro ? [] : nodesIn(node.args))
    eachNode(part, visit, visited);
}

function nodesIn(args: unknown): Node[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  if (typeof args !== 'object' || args === null) return [];
  if ('op' in args) return [args as Node];
  const { iterable, init, step } = args as Record<string, unknown>;
  return [iterable, init, step].flatMap(nodesIn);
}

/** Of what is bound to a name no part is in the tree that is visited, and each name may stand for twice the one before. */
function refuseNames(node: Node): void {
  if (!node.meta.macro || node.op !== 'rcall' || nameOf(node) !== 'bind') return;
  throw refusedAt('bind() is not available', node.range);
}

const refusedAt = (message: string, range: Node['range']): Error =>
  Object.assign(new Error(message), { range });

/** `2` is as much a number as `2.0`; places in lists and texts stay whole. */
function takeWholeNumbersAsNumbers(node: Node): void {
  if (node.op === 'value' || node.op === '[]' || node.op === 'rcall') return;
  if (node.op === 'call' && (node.args as unknown[])[0] === 'timestamp') return;
  const parts = node.op === 'map' ? (node.args as unknown[][]).map((entry) => entry[1]) : node.args;
  for (const part of nodesIn(parts))
    if (part.op === 'value' && typeof part.args === 'bigint') part.args = Number(part.args);
}

function giveMeaning(node: Node): void {
  // A loop stands in for its call.
  if (node.meta.alternate) return;
  const operate = operatorOf(node);
  if (operate) {
    const weigh = LOOKS_WITHIN.has(node.op) ? weightWithin : weightOf;
    wrap(node, (inner, ...values) => {
      spend(weigh(values[0]) + weigh(values[1]));
      return operate(values[0], values[1], () => inner(...values));
    });
  } else if (node.op === '.' || node.op === '[]') wrap(node, access);
  else if (node.op === '?:' || node.op === '!_') wrap(node, takeNullAs(false));
  else if (node.op === 'comprehension') wrap(node, takeNullAs([]));
  else if (node.op === 'rcall' || (node.op === 'call' && !node.meta.macro))
    wrap(node, weighed(nameOf(node), callOf(node)));
  else if (node.op === '&&' || node.op === '||')
    for (const part of nodesIn(node.args)) takeAsCondition(part);
  else if (node.op === 'list' || node.op === 'map') weighLiteral(node);
  if (node.meta.macro) node.setMeta('macro', lenient(node.meta.macro));
}

function operatorOf(node: Node): Operate | undefined {
  if (node.op !== '==' && node.op !== '!=') return OPERATORS[node.op];
  const equals = equality(nodesIn(node.args).some(isTypedNull) ? isMissing : isNull);
  if (node.op === '==') return equals;
  return (left, right, inner) => !equals(left, right, () => !inner());
}

const isTypedNull = ({ op, args }: Node) => op === 'value' && args === null;

function wrap(node: Node, around: Around): void {
  const inner = node.handle;
  if (!inner) throw new Error(`the part ${node.op} of an expression has no handler`);
  node.handle = (...values) => {
    spend();
    return around(inner, ...values);
  };
}

/** A list or map that is typed is made once for each turn of a loop. */
function weighLiteral(node: Node): void {
  const { evaluate } = node.meta;
  const effort = weightOf(node.args);
  if (evaluate)
    node.setMeta('evaluate', (...values: unknown[]) => {
      spend(effort);
      return evaluate(...values);
    });
}

type Operate = (left: unknown, right: unknown, inner: () => unknown) => unknown;

/** What is made of something that is not there is not there. */
const calculation =
  (apply: (a: Numeric, b: Numeric) => number): Operate =>
  (left, right, inner) => {
    if (isNumeric(left) && isNumeric(right)) return apply(left, right);
    return isNull(left) || isNull(right) ? null : inner();
  };

/** What is not there is neither more nor less than anything. */
const comparison =
  (holds: (a: Numeric, b: Numeric) => boolean): Operate =>
  (left, right, inner) => {
    if (isNumeric(left) && isNumeric(right)) return holds(left, right);
    return isNull(left) || isNull(right) ? false : inner();
  };

/** @param missing what equals null: where null itself was typed, also what stands for it */
const equality =
  (missing: (value: unknown) => boolean): Operate =>
  (left, right, inner) => {
    if (isNumeric(left) && isNumeric(right)) return numbers.isEqual(left, right);
    return isNull(left) || isNull(right) ? missing(left) && missing(right) : inner();
  };

const membership: Operate = (wanted, within, inner) => {
  if (isNull(within)) return false;
  if (!Array.isArray(within) || !isNumeric(wanted)) return inner();
  return within.some((each) => isNumeric(each) && numbers.isEqual(each, wanted));
};

const OPERATORS: Record<string, Operate | undefined> = {
  '+': calculation(numbers.add),
  '-': calculation(numbers.subtract),
  '*': calculation(numbers.multiply),
  '/': calculation(numbers.divide),
  '%': calculation(numbers.remainder),
  '<': comparison(numbers.isLess),
  '<=': comparison(numbers.isAtMost),
  '>': comparison((a, b) => numbers.isLess(b, a)),
  '>=': comparison((a, b) => numbers.isAtMost(b, a)),
  in: membership,
};

const nameOf = ({ args }: Node) => String((args as unknown[])[0]);

/** Operators that compare what is within lists and maps. */
const LOOKS_WITHIN = new Set(['==', '!=', 'in']);

/** Functions that have an answer to what is not there; the others give nothing for nothing. */
const TAKES_NULL = new Set(['coalesce', 'size', 'type', 'dyn']);

type Around = (inner: Handle, ...values: unknown[]) => unknown;

function callOf(node: Node): Around {
  const name = nameOf(node);
  if (node.op === 'rcall') return ASKS.has(name) ? ask : call;
  if (TAKES_NULL.has(name)) return (inner, ...values) => inner(...values);
  return name === 'int' ? wholePart : call;
}

/** Takes account of what a function looks at and makes. */
function weighed(name: string, around: Around): Around {
  return (inner, values, ...rest) => {
    const given = values as readonly unknown[];
    for (const value of given) spend(value instanceof Date ? MOMENT : weightOf(value));
    if (name === 'join') spend(weightOfJoined(given));
    const result = around(inner, values, ...rest);
    spend(name === 'json' ? weightWithin(result) : weightOf(result));
    return result;
  };
}

function call(inner: Handle, values: unknown, ...rest: unknown[]): unknown {
  return (values as unknown[]).some(isNull) ? null : inner(values, ...rest);
}

/** Questions to a text that a missing one answers with no. */
const ASKS = new Set(['contains', 'startsWith', 'endsWith']);

const isNull = (value: unknown) => value === null || value === undefined;

/** Null, and what stands for it where a variable has a type: an empty text, an unknown number. */
export const isMissing = (value: unknown) =>
  isNull(value) || value === '' || (typeof value === 'number' && Number.isNaN(value));

/** A member that is not there is null, and so are its own members. */
function access(inner: Handle, left: unknown, ...rest: unknown[]): unknown {
  if (isNull(left)) return null;
  try {
    return inner(left, ...rest);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'no_such_key' || code === 'index_out_of_bounds';
}

const takeNullAs =
  (standIn: unknown) =>
  (inner: Handle, value: unknown, ...rest: unknown[]): unknown => {
    spend(weightOf(value));
    return inner(isNull(value) ? standIn : value, ...rest);
  };

const ask: typeof call = (inner, values, ...rest) => call(inner, values, ...rest) ?? false;

function wholePart(inner: Handle, values: unknown, ...rest: unknown[]): unknown {
  const shown = (values as unknown[]).map((value) =>
    typeof value === 'number' ? numbers.seen(value) : value,
  );
  return call(inner, shown, ...rest);
}

/** As one side of "and" and "or", what is not there is not so. */
function takeAsCondition(node: Node): void {
  const { alternate, macro, evaluate } = node.meta;
  if (alternate || macro || !evaluate) return;
  node.setMeta('evaluate', (...values: unknown[]) => {
    spend();
    return evaluate(...values) ?? false;
  });
}

/** `has(a.b.c)` is false where there is no `a.b`. */
function lenient(macro: Macro): Macro {
  const evaluate: Handle = (...values) => {
    spend();
    try {
      return macro.evaluate(...values);
    } catch (error) {
      if (isAbsence(error)) return false;
      throw error;
    }
  };
  return { ...macro, evaluate };
}
