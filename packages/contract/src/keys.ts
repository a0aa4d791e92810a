/** What files call a thing of a programme, whatever its name becomes (docs/adr/0022). */
export const KEY_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;

/**
 * The key of a thing after a change that may name one (`undefined`: it names none).
 *
 * @returns `undefined` where it has another one already: a key is given once, since files know the thing by it
 */
export function keyAfter(
  current: string | null | undefined,
  wanted: string | null | undefined,
): string | null | undefined {
  const kept = current ?? null;
  if (wanted === undefined || wanted === kept) return kept;
  return kept === null ? wanted : undefined;
}
