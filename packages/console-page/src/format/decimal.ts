/**
 * What somebody typed as a number: comma and point both part the decimals, spaces group.
 *
 * @returns null where it is none
 */
export function parseDecimal(text: string): number | null {
  const plain = text.replace(/[\s\u00a0\u202f'’]/g, '').replace(/−/g, '-');
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
