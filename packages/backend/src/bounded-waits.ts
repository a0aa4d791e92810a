import { every, type Timer } from '@laurel/lifecycle';

/** Waits are counted in turns of one clock for all, instead of with a timer each. */
const TURNS = 4;

interface Wait {
  /** The turn in which it is given up. */
  lastTurn: number;
  giveUp: () => void;
}

export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong';
}

/**
 * Makes what gives promises up that take longer than about `msMax`: they reject with WaitedTooLong, and what becomes of
 * them after that is not waited for. A process that was busy itself has made no turns in that time, so it does not
 * blame others for it; nothing turns while no caller waits.
 */
export function createBoundedWaits(
  name: string,
  msMax: number,
): <T>(waited: Promise<T>) => Promise<T> {
  /** Those that began first come first: all are given the same time. */
  const waits = new Set<Wait>();
  let turn = 0;
  let clock: Timer | null = null;

  function onTurn(): void {
    turn += 1;
    for (const wait of waits) {
      if (wait.lastTurn >= turn) break;
      waits.delete(wait);
      wait.giveUp();
    }
    if (waits.size > 0) return;
    clock?.cancel();
    clock = null;
  }

  return <T>(waited: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const giveUp = () => reject(new WaitedTooLong(`${name} did not answer in ${msMax} ms`));
      const wait = { lastTurn: turn + TURNS, giveUp };
      waits.add(wait);
      clock ??= every(`${name}.waits`, msMax / TURNS, onTurn);
      const settle = () => waits.delete(wait);
      waited.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error) => {
          settle();
          reject(error);
        },
      );
    });
}
