import type { Json } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import { presentFormFields } from '../distributions/present';
import type { SubmitBody } from './schema';

export function presentForm(form: api.EnrollmentForm) {
  const { id, name, slug } = form.workspace!;
  return {
    id: form.id,
    status: form.status,
    delivery_mode: form.delivery_mode,
    form_fields_config: presentFormFields(form.form_fields_config),
    privacy_url: form.privacy_url ?? null,
    terms_url: form.terms_url ?? null,
    workspace: { id, name, slug },
  };
}

/** Longer ones have no owner (part 2), and are kept and sent no further than it takes to see that. */
const CODE_MAX = 20;

/** A body as the service takes it; what is no text is no code of anybody's. */
export function toSubmission(body: SubmitBody): Omit<api.Submission, 'door' | 'ip'> {
  const { email, first_name, last_name, phone, marketing_consent, referral_code: code } = body;
  return {
    email,
    first_name,
    ...(last_name ? { last_name } : {}),
    ...(phone ? { phone } : {}),
    ...(marketing_consent === undefined ? {} : { marketing_consent }),
    custom_fields: (body.custom_fields ?? {}) as Json,
    ...(code === undefined || code === null
      ? {}
      : { referral_code: typeof code === 'string' ? code.trim().slice(0, CODE_MAX + 1) : '' }),
  };
}

export function presentEnrollment(enrollment: api.Enrollment) {
  const { pass_id, apple_pass_url, google_pass_url, client_token } = enrollment;
  const { is_resend: isResend, email_sent: emailSent, referral_outcome: outcome } = enrollment;
  return {
    data: { pass_id, apple_pass_url, google_pass_url, client_token },
    isResend,
    emailSent,
    message: sentenceOf(enrollment),
    success: true,
    ...(outcome === undefined ? {} : { referral: { outcome } }),
  };
}

/** Somebody pressed the button of a mailed link; only the first answer carries the links. */
export function presentConfirmed(enrollment: api.Enrollment) {
  const presented = presentEnrollment(enrollment);
  const isRepeat = enrollment.client_token === null;
  return isRepeat ? { ...presented, message: 'this was confirmed before' } : presented;
}

function sentenceOf({ client_token, email_sent }: api.Enrollment): string {
  if (client_token !== null)
    return email_sent ? 'the pass is ready, and its links were mailed' : 'the pass is ready';
  return email_sent
    ? 'a link to confirm it with was sent by e-mail'
    : 'a link to confirm it with was sent to what is on file';
}
