interface SlotUser {
  gained(): void;
  lost(slot: number): Promise<void>;
}

/** Slots of a service that a test gives to a process and takes from it. */
export class GivenSlots {
  private readonly users: SlotUser[] = [];

  constructor(private slots: readonly number[]) {}

  readonly holds = (slot: number): boolean => this.slots.includes(slot);
  readonly held = (): readonly number[] => this.slots;

  use(user: SlotUser): () => void {
    this.users.push(user);
    return () => undefined;
  }

  give(...slots: readonly number[]): void {
    this.slots = [...this.slots, ...slots];
    for (const user of this.users) user.gained();
  }

  /** Resolves when the process has finished what it has in hand of them. */
  async take(...slots: readonly number[]): Promise<void> {
    this.slots = this.slots.filter((slot) => !slots.includes(slot));
    await Promise.all(slots.flatMap((slot) => this.users.map((user) => user.lost(slot))));
  }
}
