import { movedSandboxes } from '@laurel/lifecycle';
import type { Owner } from './passes';

/** How often a sandbox is looked at that nothing asked for. What a service says of it during an advance wakes what is due. */
export const SANDBOX_SWEEP_MS = 60_000;

/** Remembers by whose clocks is to be looked, and when, so that the step of one sandbox costs no look at all others. */
export class Asked {
  private readonly times = new Map<Owner, number>();
  private readonly sweptAt = new Map<string, number>();

  /** @param at in epoch milliseconds of real time */
  ask(owner: Owner, at = 0): void {
    this.times.set(owner, Math.min(at, this.times.get(owner) ?? at));
  }

  /** Those that asked for a look by now, which is then given; real time where none did. */
  take(): Owner[] {
    const now = Date.now();
    const taken = [...this.times].flatMap(([owner, at]) => (at <= now ? [owner] : []));
    for (const owner of taken) this.times.delete(owner);
    return taken.length === 0 ? [null] : taken;
  }

  /** Real time, and the sandboxes that were not swept for a while. */
  sweep(): Owner[] {
    const now = performance.now();
    const moved = movedSandboxes();
    const due = moved.filter(
      (id) => now - (this.sweptAt.get(id) ?? Number.NEGATIVE_INFINITY) >= SANDBOX_SWEEP_MS,
    );
    for (const id of this.sweptAt.keys()) if (!moved.includes(id)) this.sweptAt.delete(id);
    for (const id of due) this.sweptAt.set(id, now);
    return [null, ...due];
  }
}
