const DIACRITICS = /\p{M}/gu;
const MARKED: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe' };
/** What a reader takes for a letter inside a word. */
const MISREAD: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', '5': 's', '|': 'l' };

/**
 * A line as words are looked for in it: lower case, without accents, letters that were misread as digits put back
 * (T0TAL), letters that were set apart put together (T O T A L).
 */
export function folded(line: string): string {
  const plain = line
    .toLowerCase()
    .normalize('NFD')
    .replace(DIACRITICS, '')
    .replace(/[łøßæœ]/g, (letter) => MARKED[letter]!);
  return plain
    .replace(/\b(?:[a-z] ){3,}[a-z]\b/g, (spaced) => spaced.replaceAll(' ', ''))
    .replace(/[a-z]+[015|]+[a-z]+/g, (word) => word.replace(/[015|]/g, (sign) => MISREAD[sign]!));
}

/** One of the words, each whole. */
export function anyOf(words: readonly string[]): RegExp {
  return new RegExp(`(?<![a-z])(?:${words.join('|')})(?![a-z])`);
}
