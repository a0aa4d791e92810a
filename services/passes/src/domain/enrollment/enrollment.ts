import { type Json, type JsonObject, memberOf } from '@laurel/errors';
import type { Applicant } from './form';

/** Stamped on clients, consent and field changes that come from a form. */
export const FORM_SOURCE = 'enrollment';

const CODE_LENGTH_MAX = 20;

/** Where an enrollment is: what has been found out so far, in the order in which it is. */
export interface Enrollment {
  /** The operation's id: one operation enrols once. */
  id: string;
  /** Stands for what was asked under the key that the operation is named by; missing where there was no key. */
  fingerprint?: string;
  workspace_id: string;
  distribution_id: string;
  /** Forgotten once the enrollment is done. */
  input: EnrollmentInput | null;
  /** The digest of the mailed link by which somebody said that it was them; null for a form as it came. */
  confirms: string | null;
  /** Whether that link went as a text message, which proves no e-mail address. */
  texted?: true;
  /** The operation that ended it; of a mailed link its answer alone carries what opens the account. */
  ended_by: string | null;
  /** Set before a client or pass is made, so that a repeat tells what it made from what it found. */
  makes_client: boolean;
  makes_pass: boolean;
  client: EnrolledClient | null;
  pass: { id: string; existed: boolean } | null;
  /** Null while it is not known, and for good where no code was entered. */
  referral_outcome: string | null;
  email_sent: boolean;
  opened_at: Date;
  /** When others take it over; null once it is done. */
  due_at: Date | null;
}

export interface EnrollmentInput {
  applicant: Applicant;
  /** As it was entered; null where none was. */
  referral_code: string | null;
  /** The words in which consent was asked for. */
  consent_text: string | null;
  /** The digest of the address that it came from, by which mails are counted; missing where it is not known. */
  source?: string;
}

export interface EnrolledClient {
  id: string;
  /** Was there before: the sender of the form has not proved to be them. */
  known: boolean;
  /** Was a loyalty member before, or is one that the workspace set inactive: no referral brings them anew. */
  was_enrolled: boolean;
}

interface Named extends Pick<Enrollment, 'id' | 'fingerprint'> {
  workspaceId: string;
  distributionId: string;
}

export function newEnrollment(
  { workspaceId, distributionId, ...named }: Named,
  input: EnrollmentInput,
  { now, dueAt }: { now: Date; dueAt: Date },
): Enrollment {
  return {
    ...named,
    workspace_id: workspaceId,
    distribution_id: distributionId,
    input,
    confirms: null,
    ended_by: null,
    makes_client: false,
    makes_pass: false,
    client: null,
    pass: null,
    referral_outcome: null,
    email_sent: false,
    opened_at: now,
    due_at: dueAt,
  };
}

/** Whether the sender of the form has proved nothing but that they know an address. */
export function isUnproven({ client, confirms }: Pick<Enrollment, 'client' | 'confirms'>): boolean {
  return client?.known === true && confirms === null;
}

/** Whether a code is worth asking about: what is empty or oversized has no owner (part 1, Attribution outcome). */
export function isPlausibleCode(code: string): boolean {
  const { length } = code.trim();
  return length > 0 && length <= CODE_LENGTH_MAX;
}

/** What of a client a form may write. */
export interface KnownClient {
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  birth_date?: string | null | undefined;
  phone?: string | null | undefined;
  status: string;
  marketing_consent: boolean;
  marketing_consent_at?: string | null | undefined;
  custom_fields?: unknown;
  loyalty_program_enabled: boolean;
}

export interface ClientChanges {
  first_name?: string;
  last_name?: string;
  birth_date?: string;
  phone?: string;
  marketing_consent?: boolean;
  marketing_consent_text?: string;
  custom_fields?: JsonObject;
  loyalty_program_enabled?: boolean;
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '';

/**
 * What a form changes of a client that was there before, once they said that it was theirs: it completes what is still
 * missing, overwrites nothing, takes no consent back, and never gives the account another e-mail address, for none
 * is proved then. A client that the workspace set inactive stays as it is.
 */
export function completionOf(
  client: KnownClient,
  applicant: Applicant,
  consentText: string | null,
): ClientChanges {
  if (client.status !== 'active') return {};
  const changes: ClientChanges = {};
  for (const column of ['first_name', 'last_name', 'birth_date', 'phone'] as const) {
    const value = applicant[column];
    if (!client[column] && value) changes[column] = value;
  }
  const known = (client.custom_fields ?? {}) as JsonObject;
  const missing = Object.entries(applicant.custom_fields).filter(
    ([name, value]) => !isEmpty(value) && isEmpty(memberOf(known, name)),
  );
  if (missing.length > 0) changes.custom_fields = Object.fromEntries(missing);
  if (applicant.marketing_consent === true && !client.marketing_consent) {
    changes.marketing_consent = true;
    if (consentText !== null) changes.marketing_consent_text = consentText;
  }
  if (!client.loyalty_program_enabled) changes.loyalty_program_enabled = true;
  return changes;
}
