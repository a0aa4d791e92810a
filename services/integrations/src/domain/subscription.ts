const EVERYTHING = '*';

function matches(pattern: string, name: string): boolean {
  if (pattern === EVERYTHING || pattern === name) return true;
  return pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1));
}

/** Whether a list of event types asks for an event of this webhook name. */
export function asksFor(eventTypes: readonly string[], name: string): boolean {
  return eventTypes.some((pattern) => matches(pattern, name));
}

/**
 * Whether an event type may be subscribed to: `*`, one of the catalogue's webhook names, a group of them such as
 * `loyalty.*`, or, where the catalogue ends a name in `.*`, anything of that kind.
 */
export function isSubscribable(eventType: string, catalogueNames: readonly string[]): boolean {
  if (eventType === EVERYTHING) return true;
  return catalogueNames.some(
    (name) =>
      matches(eventType, name) || (matches(name, eventType) && eventType.length >= name.length),
  );
}
