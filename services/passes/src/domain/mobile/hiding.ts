import { bareFieldName } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';

/** What staff may see of a client besides custom fields, and what a workspace may want to keep from them. */
const PERSONAL_COLUMNS = ['first_name', 'last_name', 'email', 'phone', 'birth_date'] as const;

type Names = readonly string[] | null | undefined;

/** A client without the hidden fields: custom ones are left out, columns that every client has are null. */
export function withoutHidden<Person extends { custom_fields?: unknown }>(
  hidden: Names,
  client: Person,
): Person {
  if (!hidden || hidden.length === 0) return client;
  const columns = PERSONAL_COLUMNS.filter((name) => hidden.includes(name));
  return {
    ...client,
    ...Object.fromEntries(columns.map((name) => [name, null])),
    custom_fields: omitted(hidden, (client.custom_fields ?? {}) as JsonObject),
  };
}

/** Members of a free-form object, without those of hidden names. */
export function omitted(hidden: Names, members: JsonObject): JsonObject {
  if (!hidden) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => !hidden.includes(name)));
}

interface Told {
  field_name?: string | null;
  old_value?: string | null;
  new_value?: string | null;
  client_name_snapshot?: string | null;
  metadata?: unknown;
}

/** An event that does not tell which hidden field it is about, nor what that was or became. */
export function withoutHiddenValues<Event extends Told>(hidden: Names, event: Event): Event {
  if (!hidden || hidden.length === 0) return event;
  const { field_name: name } = event;
  const isHidden = typeof name === 'string' && hidden.includes(bareFieldName(name));
  const hidesName = hidden.includes('first_name') || hidden.includes('last_name');
  return {
    ...event,
    ...(isHidden ? { field_name: null, old_value: null, new_value: null } : {}),
    ...(event.metadata ? { metadata: omitted(hidden, event.metadata as JsonObject) } : {}),
    ...(hidesName ? { client_name_snapshot: null } : {}),
  };
}
