import {
  CLIENT_STATUSES,
  type ClientStatus,
  isImpersonalChange,
  POSTED_EVENT_TYPES,
} from '@laurel/contract';
import Joi from 'joi';
import { defineEvent } from './define';
import {
  anyObject,
  flag,
  id,
  name,
  nullableText,
  nullableTimestamp,
  revision,
  sample,
  timestamp,
} from './fields';

/** A client as the API shows it (part 1, Client). */
export interface ClientSnapshot {
  id: string;
  workspace_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  birth_date: string | null;
  status: ClientStatus;
  marketing_consent: boolean;
  marketing_consent_at: string | null;
  marketing_consent_source: string | null;
  marketing_consent_text: string | null;
  custom_fields: Record<string, unknown>;
  source: string | null;
  loyalty_program_enabled: boolean;
  registration_date: string;
  date_created: string;
}
export interface ClientCreated {
  client_id: string;
  client: ClientSnapshot;
  /** Grows with every change of the client, so that listeners can tell which of two is the later; absent in events of earlier releases. */
  client_revision?: number;
}
export interface ClientUpdated extends ClientCreated {
  changed_fields: string[];
}
/** The id under which an outside system knows a client. */
export interface KnownElsewhere {
  provider: string;
  external_id: string;
}
export interface ClientDeleted {
  client_id: string;
  external_identities: KnownElsewhere[];
}
export interface ClientAnonymized {
  client_id: string;
  /** As of `ClientDeleted`; absent in events of earlier releases. */
  external_identities?: KnownElsewhere[];
}
export interface ClientAddressProven {
  client_id: string;
  /** The sender of a form made the client, and may be a stranger. */
  came_by_form: boolean;
  /** A text message to the client's number had let somebody in, who was shown all passes until `time`, and may be a stranger. */
  was_reached?: boolean;
}
export interface ClientsMerged {
  source_client_id: string;
  target_client_id: string;
  /** Ids of the source that the target did not take over, having another one there; absent in events of earlier releases. */
  external_identities?: KnownElsewhere[];
}
export interface FieldChange {
  client_id: string;
  field_name: string;
  old_value: string | null;
  new_value: string | null;
  source: string;
  /** field_updated unless an outside event said otherwise. */
  event_type?: (typeof POSTED_EVENT_TYPES.field_change)[number];
  /** The trail's event, where the change came in as one. */
  event_id?: string;
  pass_id?: string | null;
  /** When it happened by its sender, and what came with it; absent where a change was made here and not posted. */
  event_timestamp?: string;
  external_id?: string | null;
  metadata?: Record<string, unknown>;
}

const snapshot = Joi.object<ClientSnapshot>({
  id: id(),
  workspace_id: id(),
  first_name: nullableText(),
  last_name: nullableText(),
  email: nullableText(),
  phone: nullableText(),
  birth_date: nullableText(),
  status: Joi.string()
    .valid(...CLIENT_STATUSES)
    .required(),
  marketing_consent: flag(),
  marketing_consent_at: nullableTimestamp(),
  marketing_consent_source: nullableText(),
  marketing_consent_text: nullableText(),
  custom_fields: anyObject(),
  source: nullableText(),
  loyalty_program_enabled: flag(),
  registration_date: timestamp(),
  date_created: timestamp(),
}).required();

const snapshotExample: ClientSnapshot = {
  id: sample.clientId,
  workspace_id: sample.workspaceId,
  first_name: 'Ada',
  last_name: 'Example',
  email: 'ada@example.com',
  phone: null,
  birth_date: '1990-12-10',
  status: 'active',
  marketing_consent: true,
  marketing_consent_at: sample.at,
  marketing_consent_source: 'api',
  marketing_consent_text: null,
  custom_fields: { city: 'Berlin' },
  source: 'web',
  loyalty_program_enabled: true,
  registration_date: sample.at,
  date_created: sample.at,
};

const created = {
  client_id: id(),
  client: snapshot,
  client_revision: revision(),
};

const knownElsewhere = Joi.array().items(
  Joi.object<KnownElsewhere>({ provider: name(), external_id: name() }),
);
const knownElsewhereExample: KnownElsewhere[] = [{ provider: 'pos', external_id: 'c-1042' }];

const ofPerson = {
  'client.first_name': null,
  'client.last_name': null,
  'client.email': null,
  'client.phone': null,
  'client.birth_date': null,
  'client.marketing_consent_text': null,
  'client.custom_fields': {},
} as const;
const owned = { version: 1, source: 'clients' } as const;

/** The life of a client record. */
export const clientEvents = [
  defineEvent({
    ...owned,
    type: 'clients.created',
    webhook: 'client.created',
    description: 'A client was created.',
    schema: Joi.object<ClientCreated>(created),
    example: { client_id: sample.clientId, client: snapshotExample, client_revision: 1 },
    personal: ofPerson,
  }),
  defineEvent({
    ...owned,
    type: 'clients.updated',
    webhook: 'client.updated',
    description: 'One or more fields of a client changed. Carries the client after the change.',
    schema: Joi.object<ClientUpdated>({
      ...created,
      changed_fields: Joi.array().items(Joi.string()).required(),
    }),
    example: {
      client_id: sample.clientId,
      client: snapshotExample,
      client_revision: 2,
      changed_fields: ['email'],
    },
    personal: ofPerson,
  }),
  defineEvent({
    ...owned,
    type: 'clients.deleted',
    webhook: 'client.deleted',
    description:
      'A client was deleted. Every service removes what it holds of the person; the ids let outside systems do the same.',
    schema: Joi.object<ClientDeleted>({
      client_id: id(),
      external_identities: knownElsewhere.required(),
    }),
    example: { client_id: sample.clientId, external_identities: knownElsewhereExample },
  }),
  defineEvent({
    ...owned,
    type: 'clients.anonymized',
    webhook: 'client.anonymized',
    description:
      'The personal data of a client was erased; the record stays. There is no way back. The ids let outside systems erase what they hold.',
    schema: Joi.object<ClientAnonymized>({ client_id: id(), external_identities: knownElsewhere }),
    example: { client_id: sample.clientId, external_identities: knownElsewhereExample },
  }),
  defineEvent({
    ...owned,
    type: 'clients.address_proven',
    webhook: null,
    listeners: 'required',
    description:
      'Somebody showed for the first time to read the mails or messages of the client. What was handed out before may be in the hands of somebody else.',
    schema: Joi.object<ClientAddressProven>({
      client_id: id(),
      came_by_form: flag(),
      was_reached: Joi.boolean(),
    }),
    example: { client_id: sample.clientId, came_by_form: true },
  }),
  defineEvent({
    ...owned,
    type: 'clients.merged',
    webhook: 'client.merged',
    description:
      'The source client became part of the target client, with all ids of outside systems but those that are named: there the target has one of its own.',
    schema: Joi.object<ClientsMerged>({
      source_client_id: id(),
      target_client_id: id(),
      external_identities: knownElsewhere,
    }),
    example: {
      source_client_id: sample.otherClientId,
      target_client_id: sample.clientId,
      external_identities: knownElsewhereExample,
    },
  }),
  defineEvent({
    ...owned,
    type: 'clients.field_change',
    webhook: 'field_change',
    description: 'One field of a client changed; one event per field, values as text.',
    schema: Joi.object<FieldChange>({
      client_id: id(),
      field_name: name(),
      old_value: nullableText(),
      new_value: nullableText(),
      source: name(),
      event_type: Joi.string().valid(...POSTED_EVENT_TYPES.field_change),
      event_id: Joi.string().guid(),
      pass_id: Joi.string().guid().allow(null),
      event_timestamp: timestamp().optional(),
      external_id: nullableText().optional(),
      metadata: anyObject().optional(),
    }),
    example: {
      client_id: sample.clientId,
      field_name: 'city',
      old_value: null,
      new_value: 'Berlin',
      source: 'api',
      metadata: {},
    },
    personal: { old_value: null, new_value: null, metadata: {} },
    isImpersonal: ({ field_name, old_value, new_value, metadata = {} }) =>
      isImpersonalChange(field_name, [old_value, new_value]) && Object.keys(metadata).length === 0,
  }),
] as const;
