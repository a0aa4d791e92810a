/** Does a piece of work when there is room for it. */
export type Turnstile = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets so many pieces of work go on at once; the others wait for their turn, first come, first served. */
export function createTurnstile(most: number): Turnstile {
  const waiting: (() => void)[] = [];
  let inside = 0;

  return async (work) => {
    if (inside < most) inside += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}
