/**
 * What somebody typed as a number: comma and point both part the decimals, spaces group. The mark by which the reader's
 * language groups does that where it stands as a group does: an English "1,000" is a thousand.
 *
 * @returns null where it is none
 */
export function parseDecimal(text: string, locale: string): number | null {
  const typed = text.replace(/[\s\u00a0\u202f'’]/g, '').replace(/−/g, '-');
  const group = groupOf(locale);
  const isGrouped = group !== undefined && GROUPED[group].test(typed);
  const plain = isGrouped ? typed.replaceAll(group, '') : typed;
  // With both, the later one parts the decimals: 1.234,5 and 1,234.5.
  const comma = plain.lastIndexOf(',');
  const point = plain.lastIndexOf('.');
  const normal =
    comma > point
      ? plain.replaceAll('.', '').replace(',', '.')
      : point > comma && comma >= 0
        ? plain.replaceAll(',', '')
        : plain;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(normal) ? Number(normal) : null;
}

/** How a number stands in a field: no grouping, the decimals parted as the reader is used to. */
export function writeDecimal(value: number | null | undefined, locale: string): string {
  if (value === null || value === undefined) return '';
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 4 }).format(
    value,
  );
}

/** Whole groups and nothing else: a zero before the mark begins decimals. */
const GROUPED = {
  ',': /^[+-]?[1-9]\d{0,2}(,\d{3})+$/,
  '.': /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/,
} as const;

function groupOf(locale: string): keyof typeof GROUPED | undefined {
  const parts = new Intl.NumberFormat(locale).formatToParts(10_000_000);
  const mark = parts.find(({ type }) => type === 'group')?.value;
  return mark === ',' || mark === '.' ? mark : undefined;
}
