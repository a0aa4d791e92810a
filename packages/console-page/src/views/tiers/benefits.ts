import type { Tier } from '@laurel/client';
import { newKey } from '@laurel/page-kit/new-key';

type Benefit = Tier['benefits'][number];

/** Benefits as they are written, a line for each. One that is there stays what programs made of it, wherever its line goes. */
export function benefitsOf(text: string, before: readonly Benefit[]): Benefit[] {
  const free = new Set(before);
  const take = (found: Benefit | undefined): Benefit | undefined =>
    found && free.delete(found) ? found : undefined;
  const lines = text.split('\n');
  const same = lines.map((label) => take([...free].find((one) => one.label === label)));
  return lines.map((label, at) => {
    const one = same[at] ?? take(before[at]) ?? { id: `benefit-${newKey().slice(0, 8)}` };
    return { ...one, label };
  });
}
