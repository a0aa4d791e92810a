/** What another service is asked about at once, at most. */
export const IDS_PER_CALL = 500;

export function* inBatches<T>(items: readonly T[], size = IDS_PER_CALL): Iterable<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
