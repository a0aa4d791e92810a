import type { JsonObject } from '@laurel/errors';
import type { ClientCreated, ClientSnapshot, KnownElsewhere } from '@laurel/events';
import { emailKeyOf, phoneKey } from '@laurel/values/contact';
import type { Client } from '../domain/client';
import { searchText } from './search';

/** A client as it is stored: its columns, and what it is found by. */
export interface ClientDocument extends Omit<Client, 'id'> {
  _id: string;
  search_text: string;
  /** Absent rather than null, because the unique index covers only documents that have it. */
  email_key?: string;
  phone_key?: string;
}

export function toDocument({ id, ...columns }: Client): ClientDocument {
  const document: ClientDocument = { _id: id, ...columns, search_text: searchText(columns) };
  const email = emailKeyOf(columns.email);
  const phone = phoneKey(columns.phone);
  if (email !== null) document.email_key = email;
  if (phone !== null) document.phone_key = phone;
  return document;
}

export function fromDocument(document: ClientDocument): Client {
  const { _id, email_key: _email, phone_key: _phone, search_text: _text, ...columns } = document;
  return { id: _id, ...columns };
}

/** Ids at outside systems as events carry them. */
export const toKnownElsewhere = (known: readonly KnownElsewhere[]): KnownElsewhere[] =>
  known.map(({ provider, external_id }) => ({ provider, external_id }));

/** What events carry of a client as it was written, and where that stands among all that they carry of it. */
export const toNews = (written: Client): ClientCreated => ({
  client_id: written.id,
  client: toSnapshot(written),
  client_revision: written.revision,
});

/** The client as the API shows it and events carry it. */
export function toSnapshot({ revision: _revision, ...client }: Client): ClientSnapshot & {
  custom_fields: JsonObject;
} {
  return {
    ...client,
    marketing_consent_at: client.marketing_consent_at?.toISOString() ?? null,
    registration_date: client.registration_date.toISOString(),
    date_created: client.date_created.toISOString(),
  };
}
