import type { ASTNode } from '@marcbachmann/cel-js';

const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

export interface Complaint {
  message: string;
  position: number;
}

/**
 * What makes an expression too dear to run on a thread that others share: a loop within a loop, whose
 * cost is the product of two lists that callers send, and patterns, of which one of thirty
 * characters can take seconds. All else costs at most what the expression and its variables are long.
 */
export function findTooDear(node: ASTNode, withinLoop = false): Complaint | null {
  const name = calledName(node);
  if (name === 'matches')
    return complain(node, 'matches() is not available; use contains, startsWith or endsWith');
  const isLoop = name !== null && LOOPS.has(name);
  if (isLoop && withinLoop) return complain(node, `${name}() cannot stand within another loop`);
  for (const part of partsOf(node.args)) {
    const found = findTooDear(part, withinLoop || (isLoop && !isGoneOver(node, part)));
    if (found) return found;
  }
  return null;
}

/** What a loop goes over is made once, before it. */
const isGoneOver = ({ op, args }: ASTNode, part: ASTNode): boolean =>
  op === 'rcall' && args[1] === part;

function calledName({ op, args }: ASTNode): string | null {
  return op === 'call' || op === 'rcall' ? String(args[0]) : null;
}

function complain(node: ASTNode, message: string): Complaint {
  return { message, position: node.range.start };
}

function partsOf(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(partsOf);
  return typeof args === 'object' && args !== null && 'op' in args ? [args as ASTNode] : [];
}
