import { randomFillSync } from 'node:crypto';
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

/** Ids stay in their order where a clock is set back by less: then they name the moment before, until it has come again. */
generator.setRollbackAllowance(3_600_000);

/** A UUID v7: random, and in the order of time within a process. */
export const newId = (): string => generator.generate().toString();
