import { bareFieldName } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import type { Pass } from '../pass/pass';

/** What staff may see of a client besides custom fields, and what a workspace may want to keep from them. */
const PERSONAL_COLUMNS = ['first_name', 'last_name', 'email', 'phone', 'birth_date'] as const;

type Names = readonly string[] | null | undefined;

/** Whether a workspace hides a field, however either wrote its name. */
export const isHidden = (hidden: Names, name: string): boolean =>
  hidden?.some((written) => bareFieldName(written) === bareFieldName(name)) ?? false;

/** A client without the hidden fields: custom ones are left out, columns that every client has are null. */
export function withoutHidden<Person extends { custom_fields?: unknown }>(
  hidden: Names,
  client: Person,
): Person {
  if (!hidden || hidden.length === 0) return client;
  const columns = PERSONAL_COLUMNS.filter((name) => isHidden(hidden, name));
  return {
    ...client,
    ...Object.fromEntries(columns.map((name) => [name, null])),
    custom_fields: omitted(hidden, (client.custom_fields ?? {}) as JsonObject),
  };
}

/** Members of a free-form object, without those of hidden names. */
export function omitted(hidden: Names, members: JsonObject): JsonObject {
  if (!hidden) return members;
  return Object.fromEntries(Object.entries(members).filter(([name]) => !isHidden(hidden, name)));
}

/** The text that was pushed last; null where a hidden field may have filled it. */
export function openNotification(
  hidden: Names,
  { notification, notification_fields: fields }: Pick<Pass, 'notification' | 'notification_fields'>,
): string | null {
  if (!hidden || hidden.length === 0) return notification;
  return fields === null || fields.some((name) => isHidden(hidden, name)) ? null : notification;
}

/** What another service keeps, without what its metadata says of hidden fields. */
export function withoutHiddenMetadata<Row extends { metadata?: unknown }>(
  hidden: Names,
  row: Row,
): Row {
  if (!row.metadata) return row;
  return { ...row, metadata: omitted(hidden, row.metadata as JsonObject) };
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
  const isAbout = typeof name === 'string' && isHidden(hidden, name);
  const hidesName = isHidden(hidden, 'first_name') || isHidden(hidden, 'last_name');
  return {
    ...withoutHiddenMetadata(hidden, event),
    ...(isAbout ? { field_name: null, old_value: null, new_value: null } : {}),
    ...(hidesName ? { client_name_snapshot: null } : {}),
  };
}
