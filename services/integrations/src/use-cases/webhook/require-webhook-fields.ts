import { invalidField, invalidPayload } from '@laurel/errors';
import { complaintAboutUrl, type GuardOptions } from '@laurel/outbound';
import { isSubscribable } from '../../domain/subscription';

const EVENT_TYPES_MAX = 100;

/** Refuses addresses that messages must not be sent to. */
export function requireSafeUrl(url: string, guard: GuardOptions): void {
  const complaint = complaintAboutUrl(url, guard);
  if (complaint) throw invalidField('url', complaint);
  if (url.includes('#'))
    throw invalidField('url', 'url must not have a fragment: it is never sent');
}

/** The list without doubles; refuses names that no webhook carries, all of them at once. */
export function requireEventTypes(
  eventTypes: readonly string[],
  names: readonly string[],
): string[] {
  if (eventTypes.length === 0) throw invalidField('event_types', 'event_types must not be empty');
  if (eventTypes.length > EVENT_TYPES_MAX) {
    throw invalidField('event_types', `event_types must hold at most ${EVENT_TYPES_MAX} names`);
  }
  const problems = eventTypes.flatMap((eventType, position) => {
    if (isSubscribable(eventType, names)) return [];
    const field = `event_types.${position}`;
    const message = `${field} must be "*", the name of an event that webhooks carry, or a group of them such as loyalty.*`;
    return [{ field, message }];
  });
  if (problems.length > 0) throw invalidPayload(problems);
  if (eventTypes.includes('*') && new Set(eventTypes).size > 1)
    throw invalidField('event_types', 'event_types must be ["*"] or a list of names, not both');
  return [...new Set(eventTypes)];
}
