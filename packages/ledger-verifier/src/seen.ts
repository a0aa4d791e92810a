import { createHash } from 'node:crypto';

/** What is kept of a name: 96 bits of its digest, so that no two of them are taken for one. */
const WORDS = 3;
/** A power of two, so that a place is the last bits of a word; at most 2 ** 30. */
const PLACES_AT_FIRST = 1 << 10;

/**
 * Names that were seen. A `Set` ends at some 16 million of them, which are six million entries, and holds each as text;
 * this takes 24 to 48 bytes a name, outside of the heap.
 */
export class Seen {
  /** A place is empty where its first word is 0. */
  private table = new Uint32Array(PLACES_AT_FIRST * WORDS);
  private places = PLACES_AT_FIRST;
  private count = 0;

  /** @returns whether it is new */
  add(name: string): boolean {
    const digest = createHash('sha256').update(name).digest();
    // Never 0, by which a place is empty.
    const first = digest.readUInt32LE(0) | 1;
    if (!this.put(first, digest.readUInt32LE(4), digest.readUInt32LE(8))) return false;
    this.count += 1;
    if (this.count * 2 > this.places) this.grow();
    return true;
  }

  private put(first: number, second: number, third: number): boolean {
    const { table, places } = this;
    const own = first >>> 0;
    for (let place = second & (places - 1); ; place = (place + 1) & (places - 1)) {
      const at = place * WORDS;
      if (table[at] === 0) {
        table[at] = own;
        table[at + 1] = second;
        table[at + 2] = third;
        return true;
      }
      if (table[at] === own && table[at + 1] === second && table[at + 2] === third) return false;
    }
  }

  private grow(): void {
    const before = this.table;
    this.places *= 2;
    this.table = new Uint32Array(this.places * WORDS);
    for (let at = 0; at < before.length; at += WORDS)
      if (before[at] !== 0) this.put(before[at]!, before[at + 1]!, before[at + 2]!);
  }
}
