import { type EventCategory, RECORDED_EVENT_TYPES } from '@laurel/contract';

/** What is wrong with asking for such events, or null: no event has a type that its category never has. */
export function complaintAboutEventType(category: string, type: string | undefined): string | null {
  const known = RECORDED_EVENT_TYPES[category as EventCategory];
  if (type === undefined || known === undefined || known.includes(type)) return null;
  return `event_type must be one of ${known.join(', ')} with event_category ${category}`;
}
