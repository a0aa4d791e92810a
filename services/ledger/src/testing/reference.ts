/**
 * What a wallet must do, written a second time from the specification alone: plain numbers, a debt instead
 * of a negative balance, no code shared with the domain. The property tests hold the two against each other.
 */

export interface Chunk {
  key: string;
  left: number;
  ripe: number | null;
  end: number | null;
  rank: number;
}
interface Held {
  key: string;
  taken: Taken[];
  end: number;
}
export interface Taken {
  key: string;
  amount: number;
  end: number | null;
  rank: number;
}
type Spent = { taken: Taken[]; debt: number };
/** `reversed` is what cancels and refunds took back, `quarters` how much of the purchase was refunded. */
type Earned = { credited: number; reversed: number; quarters: number };

export type ReferenceRules = { cap: number | null; mayOwe: boolean };

export class ReferenceWallet {
  private chunks: Chunk[] = [];
  private debt = 0;
  private holds: Held[] = [];
  private spends = new Map<string, Spent>();
  private earns = new Map<string, Earned>();
  earned = 0;
  spent = 0;
  expired = 0;
  gone = false;
  /** Whether anything ever happened to it. */
  private used = false;

  /** What is there, in the order in which it is used up. */
  get open(): Chunk[] {
    return [...this.chunks].sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1));
  }
  get active(): number {
    return this.ripeChunks().reduce((sum, chunk) => sum + chunk.left, 0) - this.debt;
  }
  get pending(): number {
    return this.chunks.reduce((sum, { ripe, left }) => sum + (ripe === null ? 0 : left), 0);
  }
  get locked(): number {
    return this.holds.reduce((sum, hold) => sum + total(hold.taken), 0);
  }

  /** What happens by itself up to a time; one happening after the other in order of their times. */
  pass(now: number): void {
    for (;;) {
      const times = [
        ...this.holds.map((hold) => ({ at: hold.end, hold, chunk: null })),
        ...this.open.map((chunk) => ({ at: chunk.ripe ?? chunk.end, hold: null, chunk })),
      ].filter((one): one is typeof one & { at: number } => one.at !== null && one.at <= now);
      const [next] = times.sort((a, b) => a.at - b.at);
      if (!next) return;
      if (next.hold) this.letGo(next.hold);
      else this.age(next.chunk!.key);
    }
  }

  /** What time does to a chunk next: it ripens, or else it ends. */
  age(key: string): boolean {
    const chunk = this.chunks.find((one) => one.key === key);
    if (!chunk) return false;
    this.drop(chunk);
    const { left, ripe, end, rank } = chunk;
    if (ripe === null) this.expired += left;
    else this.put({ key, amount: left, end, rank });
    return true;
  }

  /** Returns what was credited; null when it is refused. */
  earn(
    { key, amount, ripe, end, rank }: Taken & Pick<Chunk, 'ripe'>,
    rules: ReferenceRules,
  ): number | null {
    if (this.gone) return null;
    const room = rules.cap === null ? Infinity : rules.cap - this.active - this.pending;
    if (room <= 0) return null;
    const credited = Math.min(room, amount);
    this.used = true;
    this.earned += credited;
    this.earns.set(key, { credited, reversed: 0, quarters: 0 });
    if (ripe === null) this.put({ key, amount: credited, end, rank });
    else this.chunks.push({ key, left: credited, ripe, end, rank });
    return credited;
  }

  spend(key: string, amount: number, mayOwe: boolean): boolean {
    if (this.gone || (this.active < amount && !mayOwe)) return false;
    const taken = this.take(amount);
    const debt = amount - total(taken);
    this.used = true;
    this.debt += debt;
    this.spent += amount;
    this.spends.set(key, { taken, debt });
    return true;
  }

  lock(key: string, amount: number, end: number): boolean {
    if (this.gone || this.active < amount) return false;
    this.holds.push({ key, taken: this.take(amount), end });
    return true;
  }

  release(key: string): boolean {
    const hold = this.holds.find((one) => one.key === key);
    if (hold) this.letGo(hold);
    return hold !== undefined;
  }

  capture(key: string, spendKey: string, amount: number | undefined): boolean {
    const hold = this.holds.find((one) => one.key === key);
    if (!hold || (amount ?? 0) > total(hold.taken)) return false;
    let missing = amount ?? total(hold.taken);
    this.spent += missing;
    const used: Taken[] = [];
    while (missing > 0) {
      const first = hold.taken[0]!;
      const piece = Math.min(missing, first.amount);
      used.push({ ...first, amount: piece });
      first.amount -= piece;
      missing -= piece;
      if (first.amount === 0) hold.taken.shift();
    }
    this.spends.set(spendKey, { taken: used, debt: 0 });
    // The rest is due for release at once.
    hold.end = -Infinity;
    if (hold.taken.length === 0) this.letGo(hold);
    return true;
  }

  /** Reverses an earn or spend; returns the change it makes, null when refused. */
  cancel(key: string, own: { key: string; rank: number }): number | null {
    if (this.gone) return null;
    const spend = this.spends.get(key);
    if (spend) {
      this.spends.delete(key);
      const back = total(spend.taken) + spend.debt;
      this.spent -= back;
      this.put({ ...own, amount: spend.debt, end: null });
      for (const piece of spend.taken) this.put(piece);
      return back;
    }
    const [chunk, earn] = [this.chunks.find((one) => one.key === key), this.earns.get(key)];
    const given = chunk && earn ? Math.min(chunk.left, earn.credited - earn.reversed) : 0;
    if (!chunk || !earn || given <= 0) return null;
    earn.reversed += given;
    this.earned -= given;
    chunk.left -= given;
    if (chunk.left === 0) this.drop(chunk);
    return -given;
  }

  fits(amount: number, cap: number | null): boolean {
    return !this.gone && (cap === null || this.active + this.pending + amount <= cap);
  }

  /** The receiving side of a transfer; false when it does not fit. */
  receive(
    pieces: Taken[],
    { keyOf, rank }: { keyOf: (index: number) => string; rank: number },
    cap: number | null,
  ): boolean {
    if (!this.fits(total(pieces), cap)) return false;
    this.used = true;
    let index = 0;
    for (const piece of pieces) {
      const before = this.chunks.length;
      this.put({ ...piece, key: keyOf(index), rank });
      if (this.chunks.length > before) index += 1;
    }
    return true;
  }

  /** What is due of an earn when so many more quarters of its purchase are refunded. */
  shareOf(key: string, quarters: number): number {
    const earn = this.earns.get(key)!;
    const upTo = (parts: number) => Math.round((earn.credited * parts) / 4);
    earn.quarters += quarters;
    return upTo(earn.quarters) - upTo(earn.quarters - quarters);
  }

  /** Takes back a share of an earn, no more than was not taken back before; returns what could be taken. */
  takeBack(key: string, share: number, mayOwe: boolean): number {
    const earn = this.earns.get(key)!;
    if (this.gone) return 0;
    const due = Math.max(0, Math.min(share, earn.credited - earn.reversed));
    const own = this.chunks.find((chunk) => chunk.key === key);
    const fromOwn = Math.min(due, own?.left ?? 0);
    if (own) own.left -= fromOwn;
    if (own?.left === 0) this.drop(own);
    const fromOthers = total(this.take(due - fromOwn));
    const owed = mayOwe ? due - fromOwn - fromOthers : 0;
    this.debt += owed;
    const taken = fromOwn + fromOthers + owed;
    earn.reversed += taken;
    this.earned -= taken;
    return taken;
  }

  /** Everything of another wallet becomes part of this one; whichever has a debt is paid by the other. */
  absorb(other: ReferenceWallet): void {
    this.used = true;
    const owed = other.debt - total(this.take(other.debt));
    for (const { key, left, end, rank } of other.ripeChunks())
      this.put({ key, amount: left, end, rank });
    this.debt += owed;
    this.chunks.push(...other.chunks.filter(({ ripe }) => ripe !== null));
    this.holds.push(...other.holds);
    this.spends = new Map([...this.spends, ...other.spends]);
    this.earns = new Map([...this.earns, ...other.earns]);
    for (const name of ['earned', 'spent', 'expired'] as const) {
      this[name] += other[name];
      other[name] = 0;
    }
    other.empty();
    other.gone = true;
  }

  /** The client was deleted: holds go back, what is pending is lost, the balance ends at zero. */
  close(now = -Infinity): boolean {
    for (const hold of [...this.holds]) {
      this.letGo(hold);
      // Points that ended while they were held end now.
      this.pass(now);
    }
    for (const { key, ripe, left } of this.chunks)
      if (ripe !== null) this.earns.get(key)!.reversed += left;
    this.earned -= this.pending;
    const rest = this.active;
    this.spent += Math.max(0, rest);
    this.earned += Math.max(0, -rest);
    this.empty();
    this.gone ||= this.used;
    return this.gone;
  }

  give(amount: number): Taken[] | null {
    return this.gone || this.active < amount ? null : this.take(amount);
  }

  private ripeChunks() {
    return this.open.filter((chunk) => chunk.ripe === null);
  }

  private take(amount: number): Taken[] {
    const taken: Taken[] = [];
    let missing = amount;
    for (const chunk of this.ripeChunks()) {
      const piece = Math.min(missing, chunk.left);
      if (piece === 0) break;
      taken.push({ key: chunk.key, amount: piece, end: chunk.end, rank: chunk.rank });
      chunk.left -= piece;
      missing -= piece;
      if (chunk.left === 0) this.drop(chunk);
    }
    return taken;
  }

  /** Points come in: they pay the debt first, the rest joins its chunk. */
  private put({ key, amount, end, rank }: Taken): void {
    const paid = Math.min(this.debt, amount);
    this.debt -= paid;
    const left = amount - paid;
    if (left === 0) return;
    const known = this.chunks.find((chunk) => chunk.key === key);
    if (known) known.left += left;
    else this.chunks.push({ key, left, ripe: null, end, rank });
  }

  private letGo(hold: Held): void {
    this.holds = this.holds.filter((one) => one !== hold);
    for (const piece of hold.taken) this.put(piece);
  }

  private empty(): void {
    this.chunks = [];
    this.holds = [];
    this.debt = 0;
  }

  private drop(chunk: Chunk): void {
    this.chunks = this.chunks.filter((one) => one !== chunk);
  }
}

function total(taken: readonly { amount: number }[]): number {
  return taken.reduce((sum, piece) => sum + piece.amount, 0);
}
