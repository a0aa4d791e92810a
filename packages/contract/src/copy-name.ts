const NAME_MAX = 255;
const ENDING = / \(copy(?: \d+)?\)$/;

/** What a copy is called: as the original, and apart from all that are there already. */
export function copyNameOf(name: string, taken: readonly string[]): string {
  const plain = name.replace(ENDING, '');
  for (let count = 1; ; count += 1) {
    const ending = count === 1 ? ' (copy)' : ` (copy ${count})`;
    const copy = `${plain.slice(0, NAME_MAX - ending.length)}${ending}`;
    if (!taken.includes(copy)) return copy;
  }
}
