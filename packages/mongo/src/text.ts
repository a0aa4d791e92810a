/**
 * Letters whose strokes and ties Unicode takes for parts of them, as they are typed where a keyboard lacks them; and the
 * sigma that Greek words end with, which lower case makes of the end of whatever is searched for.
 */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ς: 'σ' },
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Lower case without accents, strokes and ties: what a search compares. */
export function foldText(text: string): string {
  return withoutMarks(text).replace(NOT_PLAIN, (letter) => PLAIN[letter]!);
}

/**
 * A text as it is folded, and as it was before strokes and ties were taken for accents: rows are kept under both, and
 * looked for under both, so that neither rows nor replicas of the release before are overlooked.
 */
export function foldings(text: string): string[] {
  return [...new Set([foldText(text), withoutMarks(text)])];
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** What a row that is found by `text` keeps: its foldings, one per line. */
export function searchTextOf(text: string): string {
  return foldings(text).join('\n');
}

/** Matches what `searchTextOf` made of texts that contain `text` literally, whatever its case and accents. */
export function searchPattern(text: string): string {
  return foldings(text).map(literalPattern).join('|');
}

/** The condition on ids or names that are made of a name, a colon and more; an index over them serves it. */
export const beneath = (name: string) => ({ $gt: `${name}:`, $lt: `${name};` });

/** A pattern that matches `text` literally, whatever characters it holds. */
export function literalPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id that a text is, as ids are stored; null for any other text. */
export function idIn(text: string): string | null {
  const trimmed = text.trim();
  return UUID.test(trimmed) ? trimmed.toLowerCase() : null;
}

/** Those whose names contain a text, whatever its case and accents; those that begin with it come first. */
export function namedLike<Row extends { name: string }>(
  rows: readonly Row[],
  text: string,
  limit: number,
): Row[] {
  const wanted = foldText(text.trim());
  const found = rows
    .map((row) => ({ row, at: foldText(row.name).indexOf(wanted) }))
    .filter(({ at }) => at >= 0);
  return found
    .sort((a, b) => Math.sign(a.at) - Math.sign(b.at))
    .slice(0, limit)
    .map(({ row }) => row);
}
