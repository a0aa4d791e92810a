/** What a relay has claimed and has no outcome of yet, with its slots (docs/adr/0040). */
export class InFlight {
  private readonly slots = new Map<string, number>();
  private landings: (() => void)[] = [];

  add(key: string, slot: number): void {
    this.slots.set(key, slot);
  }

  isEmpty(): boolean {
    return this.slots.size === 0;
  }

  /** They have their outcome; without keys everything has, whatever it is. */
  land(keys: Iterable<string> = [...this.slots.keys()]): void {
    for (const key of keys) this.slots.delete(key);
    for (const resolve of this.landings.splice(0)) resolve();
  }

  /** Resolves when nothing of the slot is on its way any more. */
  async arrived(slot: number): Promise<void> {
    while ([...this.slots.values()].includes(slot))
      await new Promise<void>((resolve) => this.landings.push(resolve));
  }
}
