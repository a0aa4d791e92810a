const NAME_MAX = 255;
const ENDING = / \(copy(?: \d+)?\)$/;

/** As much of a text as fits, without half of a character at its end. */
export const cutTo = (length: number, text: string): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

/** What a copy is called: as the original, and apart from all that are there already. */
export function copyNameOf(name: string, taken: readonly string[]): string {
  const plain = name.replace(ENDING, '');
  for (let count = 1; ; count += 1) {
    const ending = count === 1 ? ' (copy)' : ` (copy ${count})`;
    const copy = `${cutTo(NAME_MAX - ending.length, plain)}${ending}`;
    if (!taken.includes(copy)) return copy;
  }
}
