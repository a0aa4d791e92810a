import { type ClientStatus, customFieldPath } from '@laurel/contract';
import { invalidField, type Json, type JsonObject, memberOf } from '@laurel/errors';

/** A client as this service knows it: the columns of the API, with moments as `Date`. */
export interface Client {
  id: string;
  workspace_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  birth_date: string | null;
  status: ClientStatus;
  marketing_consent: boolean;
  marketing_consent_at: Date | null;
  marketing_consent_source: string | null;
  marketing_consent_text: string | null;
  custom_fields: JsonObject;
  source: string | null;
  loyalty_program_enabled: boolean;
  registration_date: Date;
  date_created: Date;
  /** Counts the writes, so that none is made on a state that is no longer there. */
  revision: number;
}

/** What a caller may write; an absent field is left alone. */
export interface ClientFields {
  first_name?: string | null;
  last_name?: string | null;
  email?: string | null;
  phone?: string | null;
  birth_date?: string | null;
  status?: ClientStatus;
  marketing_consent?: boolean;
  marketing_consent_text?: string | null;
  custom_fields?: JsonObject;
  source?: string | null;
  loyalty_program_enabled?: boolean;
}

/** Who changes a client, and when: stamped on consent and on field_change events. */
export interface Authorship {
  source: string;
  now: Date;
}

/** One value that a change replaced. `custom` tells a custom field from a column of the same name. */
export interface FieldChange {
  field: string;
  custom: boolean;
  before: Json;
  after: Json;
}

/** The columns that say who somebody is; anonymizing empties them. */
export const IDENTITY_COLUMNS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'birth_date',
] as const;

const PLAIN_COLUMNS = [
  ...IDENTITY_COLUMNS,
  'source',
  'status',
  'loyalty_program_enabled',
] as const satisfies readonly (keyof ClientFields)[];

const CONSENT_SOURCES: readonly string[] = ['api', 'portal', 'enrollment', 'anonymize'];

/** Where consent comes from, in the words of the contract: whatever acts for the workspace (staff, imports, rules) is api. */
const consentSourceOf = (source: string): string =>
  CONSENT_SOURCES.includes(source) ? source : 'api';

/** A client that did not exist before. Consent is stamped only when it was given or refused explicitly. */
export function newClient(
  { id, workspaceId }: { id: string; workspaceId: string },
  fields: ClientFields,
  { source, now }: Authorship,
): Client {
  const stated = fields.marketing_consent !== undefined;
  const client: Client = {
    id,
    workspace_id: workspaceId,
    first_name: fields.first_name ?? null,
    last_name: fields.last_name ?? null,
    email: fields.email ?? null,
    phone: fields.phone ?? null,
    birth_date: fields.birth_date ?? null,
    status: fields.status ?? 'active',
    marketing_consent: fields.marketing_consent ?? false,
    marketing_consent_at: stated ? now : null,
    marketing_consent_source: stated ? consentSourceOf(source) : null,
    marketing_consent_text: stated ? (fields.marketing_consent_text ?? null) : null,
    custom_fields: fields.custom_fields ?? {},
    source: fields.source ?? null,
    loyalty_program_enabled: fields.loyalty_program_enabled ?? false,
    registration_date: now,
    date_created: now,
    revision: 1,
  };
  requireRoom(client.custom_fields);
  return client.status === 'anonymized' ? anonymize(client, now).client : client;
}

/** All custom fields of a client together, however many changes they came by: a page of clients is to be an answer still. */
const CUSTOM_FIELDS_CHARACTERS_MAX = 40_000;

const lengthOf = (customFields: JsonObject): number => JSON.stringify(customFields).length;

/** What is wrong with the size of custom fields, or null. A merge may have left more than that: it may become less. */
export function complaintAboutRoom(
  customFields: JsonObject,
  before: JsonObject = {},
): string | null {
  const length = lengthOf(customFields);
  return length > CUSTOM_FIELDS_CHARACTERS_MAX && length > lengthOf(before)
    ? `custom_fields of a client must together be at most ${CUSTOM_FIELDS_CHARACTERS_MAX} characters of JSON`
    : null;
}

function requireRoom(customFields: JsonObject, before?: JsonObject): void {
  const complaint = complaintAboutRoom(customFields, before);
  if (complaint) throw invalidField('custom_fields', complaint);
}

/** The client after a change, and what the change replaced. Custom fields are merged, name by name. */
export function changeClient(
  client: Client,
  fields: ClientFields,
  { source, now }: Authorship,
): { client: Client; changes: FieldChange[] } {
  const changes: FieldChange[] = [];
  const changed: Client = { ...client, custom_fields: { ...client.custom_fields } };
  for (const column of PLAIN_COLUMNS) {
    const after = fields[column];
    if (after === undefined || after === client[column]) continue;
    changes.push({ field: column, custom: false, before: client[column], after });
    Object.assign(changed, { [column]: after });
  }
  const consent = fields.marketing_consent;
  if (consent !== undefined && consent !== client.marketing_consent) {
    changes.push({
      field: 'marketing_consent',
      custom: false,
      before: client.marketing_consent,
      after: consent,
    });
    changed.marketing_consent = consent;
    changed.marketing_consent_at = now;
    changed.marketing_consent_source = consentSourceOf(source);
    changed.marketing_consent_text = fields.marketing_consent_text ?? null;
  }
  for (const [name, after] of Object.entries(fields.custom_fields ?? {})) {
    const before = memberOf(client.custom_fields, name);
    if (before !== undefined && sameJson(before, after)) continue;
    changes.push({ field: name, custom: true, before: before ?? null, after });
    changed.custom_fields[name] = after;
  }
  // What concerns other fields, such as consent, is none of theirs.
  if (changes.some(({ custom }) => custom))
    requireRoom(changed.custom_fields, client.custom_fields);
  return { client: changed, changes };
}

/** Empties everything that says who somebody is. There is no way back (part 1, Client status). */
export function anonymize(client: Client, now: Date): { client: Client; changes: FieldChange[] } {
  const changes: FieldChange[] = [];
  const anonymized: Client = {
    ...client,
    custom_fields: {},
    marketing_consent: false,
    marketing_consent_at: now,
    marketing_consent_source: 'anonymize',
    marketing_consent_text: null,
    loyalty_program_enabled: false,
    status: 'anonymized',
  };
  const cleared = (change: FieldChange): void => {
    if (change.before !== change.after) changes.push(change);
  };
  for (const column of IDENTITY_COLUMNS) {
    cleared({ field: column, custom: false, before: client[column], after: null });
    anonymized[column] = null;
  }
  for (const name of Object.keys(client.custom_fields)) {
    const before = client.custom_fields[name] ?? null;
    cleared({ field: name, custom: true, before, after: null });
  }
  for (const column of ['marketing_consent', 'loyalty_program_enabled', 'status'] as const)
    cleared({ field: column, custom: false, before: client[column], after: anonymized[column] });
  return { client: anonymized, changes };
}

/** The name under which a change is known outside: `email`, or `custom_fields.city`. */
export function changedFieldName({ field, custom }: FieldChange): string {
  return custom ? customFieldPath(field) : field;
}

/** "First Last", as far as known; null where neither is known. */
export function displayName({
  first_name,
  last_name,
}: Pick<Client, 'first_name' | 'last_name'>): string | null {
  const name = [first_name, last_name].filter(Boolean).join(' ');
  return name === '' ? null : name;
}

function sameJson(a: Json, b: Json): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_key, member: Json) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
