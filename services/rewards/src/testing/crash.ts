import type { Deps } from '../deps';

/** What a killed process answers: nothing. Whatever it was about to do does not happen any more. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

export interface Mortal {
  deps: Deps;
  /** The calls made so far, as `store.method`. */
  calls: string[];
}

const PARTS = [
  'attempts',
  'coupons',
  'merges',
  'redemptions',
  'rewards',
  'usages',
  'ledger',
] as const;

/**
 * The same dependencies in a process that is killed at its n-th call: before it takes effect, or after,
 * when nobody is left to hear of it. Every later call fails as well.
 */
export function killedAt(deps: Deps, position: number, moment: 'before' | 'after'): Mortal {
  const calls: string[] = [];
  const guarded =
    (name: string, call: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]): Promise<unknown> => {
      calls.push(name);
      const own = calls.length;
      if (own > position || (own === position && moment === 'before')) throw new Killed(name);
      const result = await call(...args);
      if (own === position) throw new Killed(name);
      return result;
    };
  const mortal: Record<string, unknown> = { ...deps };
  for (const part of PARTS) {
    const methods = Object.entries(deps[part]).filter(([, value]) => typeof value === 'function');
    mortal[part] = {
      ...deps[part],
      ...Object.fromEntries(
        methods.map(([name, method]) => [name, guarded(`${part}.${name}`, method as never)]),
      ),
    };
  }
  return { deps: mortal as unknown as Deps, calls };
}
