import { createHash, randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** Random numbers are asked for that many at a time: one call of the system costs as much as a hundred of them. */
const numbers = new Uint32Array(1_024);
let used = numbers.length;

const generator = new V7Generator({
  nextUint32() {
    if (used === numbers.length) {
      randomFillSync(numbers);
      used = 0;
    }
    const number = numbers[used]!;
    used += 1;
    return number;
  },
});

/** Up to the end of what says when an id was made: lists go by it. */
const TIME_LENGTH = 18;

/**
 * The id of what comes of something: the same to whoever asks, and however often, of the time of its cause and never
 * its cause's own. Two events of one id would be one to whoever keeps account of ids.
 *
 * @param of what of it comes, or in what
 */
export function idComingOf(id: string, of: string): string {
  const hex = createHash('sha256').update(`${of} ${id}`).digest('hex');
  return `${id.slice(0, TIME_LENGTH)}-a${hex.slice(0, 3)}-${hex.slice(3, 15)}`;
}

/** A UUID v7: random, and in the order of time within a process. */
export const newId = (): string => generator.generate().toString();
