/**
 * What of a draft was typed since it was sent; the rest is saved by now.
 *
 * @param sent its members, and perhaps others
 */
export function typedSince<Draft extends object>(draft: Draft, sent: object): Partial<Draft> {
  const was = sent as Record<string, unknown>;
  const typed = Object.entries(draft).filter(([name, value]) => value !== was[name]);
  return Object.fromEntries(typed) as Partial<Draft>;
}
