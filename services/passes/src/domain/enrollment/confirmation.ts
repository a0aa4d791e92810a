import { createHash, randomBytes } from 'node:crypto';
import { cut } from '@laurel/errors';
import type { FormField } from '../distribution/distribution';
import { type Enrollment, type EnrollmentInput, newEnrollment } from './enrollment';

const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
/** How long somebody has to open the mail. */
export const CONFIRM_MS = 48 * HOUR_MS;
/** How long a used link answers its repeat, because an answer may be lost on its way. */
export const REPEAT_MS = HOUR_MS / 6;
/** A stranger may have written it, and the page is ours: no room for a letter. */
const SHOWN_MAX = 100;

/**
 * What waits for somebody who is known to say that it was them who filled in a form. Its sender only knows an
 * address; who opens the link has the mailbox (part 4, section 2).
 */
export interface Confirmation {
  token_sha256: string;
  workspace_id: string;
  distribution_id: string;
  client_id: string;
  /** Digest of the address or number that the link went to; absent in links from before it was kept. */
  sent_to?: string;
  /**
   * Whether it went as a text message: who opens it has a number, which proves no e-mail address (docs/adr/0014). Absent in
   * links from before it was kept.
   */
  texted?: boolean;
  /** Forgotten once it is used. */
  input: EnrollmentInput | null;
  confirmed_at: Date | null;
  expires_at: Date;
}

/** A token of 256 random bits and the digest by which alone it is kept. */
export function newConfirmationToken(): { token: string; sha256: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, sha256: createHash('sha256').update(token).digest('hex') };
}

/** What follows from the link that was sent to somebody who is known: the same form, now with their word for it. */
export function confirmedEnrollment(
  { id, ...times }: { id: string; now: Date; dueAt: Date },
  confirmation: Confirmation,
  { input, was_enrolled }: { input: EnrollmentInput; was_enrolled: boolean },
): Enrollment {
  const { workspace_id: workspaceId, distribution_id: distributionId } = confirmation;
  const { client_id, token_sha256: confirms, texted } = confirmation;
  return {
    ...newEnrollment({ id, workspaceId, distributionId }, input, times),
    confirms,
    ...(texted ? { texted } : {}),
    client: { id: client_id, known: true, was_enrolled },
  };
}

/** What the person is shown before they press the button, in the words of the form. */
export function answersToConfirm(
  { applicant, consent_text }: EnrollmentInput,
  fields: readonly FormField[],
): { answers: { name: string; label: string; value: string }[]; consent_text: string | null } {
  // The address is not among them: it is not proved, so that it is never taken over.
  const { custom_fields, marketing_consent, email: _unproved, ...columns } = applicant;
  const given = [...Object.entries(columns), ...Object.entries(custom_fields)];
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  const answers = given
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ({
      name,
      label: labels.get(name) ?? '',
      value: cut(String(value), SHOWN_MAX),
    }));
  return { answers, consent_text: marketing_consent === true ? consent_text : null };
}
