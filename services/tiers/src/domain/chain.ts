/** Rules that led somewhere, oldest first, and how deep that is in chains of them (part 3, section 8). */
export interface Chain {
  chain: readonly string[];
  depth: number;
}

/** The chain of what two led to: in it are the rules of both, and it is as deep as the deeper of them. */
export function joined(earlier: Chain, later: Chain): Chain {
  return {
    chain: [...new Set([...earlier.chain, ...later.chain])],
    depth: Math.max(earlier.depth, later.depth),
  };
}
