/** Lower case without accents: what a search compares. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

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
