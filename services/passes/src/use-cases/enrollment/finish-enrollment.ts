import { digestToken } from '@laurel/auth-cache';
import { currentContext, stableId } from '@laurel/lifecycle';
import {
  confirmationLetter,
  confirmationText,
  type NewMessage,
  type PassNews,
  passLetter,
  type ShopWriter,
  writeLetter,
} from '@laurel/mail';
import { type Session, unitOfWork } from '@laurel/mongo';
import { emailKeyOf, phoneKey } from '@laurel/values/contact';
import { catchUpJob } from '@laurel/work';
import type { EnrollmentDeps } from '../../deps';
import type { Distribution } from '../../domain/distribution/distribution';
import { CONFIRM_MS, newConfirmationToken, REPEAT_MS } from '../../domain/enrollment/confirmation';
import { type Enrollment, isUnproven } from '../../domain/enrollment/enrollment';
import type { EnrollmentMailLimits } from '../../store/enrollment-mails';
import { catchUp } from '../catch-up';
import { portalUrlOf } from '../pass/loyalty-render-data';
import { linksOfPass } from '../pass/offered-links';
import { writerOf } from './writer-of';

/**
 * More than that on one day (UTC) is somebody else's game with an address (part 3, section 10). What one source sends
 * leaves the person as much again; many workspaces flood no mailbox either.
 */
const MAILS_PER_DAY: EnrollmentMailLimits = { ofSource: 10, ofClient: 20, toOne: 50 };

/** To whom a message goes, and what it can say. */
interface Recipient {
  email: string | null;
  phone: string | null;
  writer: ShopWriter;
  news: PassNews;
}

/**
 * Sends what is to be sent and ends the enrollment, in one transaction. Who was known before gets a link by which
 * they say that it was them, at the address on file: who filled in the form may be somebody else.
 */
export async function finishEnrollment(
  deps: EnrollmentDeps,
  distribution: Distribution,
  enrollment: Enrollment,
): Promise<Enrollment> {
  const { id, workspace_id: workspaceId, confirms, client, pass, referral_outcome } = enrollment;
  const recipient = await recipientOf(deps, distribution, enrollment);
  const isDue = recipient !== null && (await mayMail(deps, enrollment, recipient));
  const emailSent = isDue && recipient.email !== null;
  const { operationId: endedBy } = currentContext();
  const { finished, asked } = await unitOfWork(deps.connection, async (session) => {
    const end = { id, client, pass, referral_outcome, emailSent, endedBy };
    if (!(await deps.enrollments.finish(workspaceId, end, session)))
      return { finished: await deps.enrollments.find(workspaceId, id, session), asked: null };
    const asked = isDue ? await tell(deps, { enrollment, recipient }, session) : null;
    if (confirms !== null) {
      const now = deps.clock.now();
      const expiresAt = new Date(now.getTime() + REPEAT_MS);
      const used = { tokenSha256: confirms, now, expiresAt };
      await deps.confirmations.use(workspaceId, used, session);
    }
    return { finished: { ...enrollment, email_sent: emailSent, ended_by: endedBy }, asked };
  });
  // What was filled in waits for somebody who may have been merged or erased since they were found.
  if (client && asked !== null) {
    await catchUp(deps, { workspaceId, clientId: client.id });
    await deps.confirmations.catchUps.done(workspaceId, asked);
  }
  return finished ?? enrollment;
}

/** Does what a process was to do that died between asking for a confirmation and catching up with its client. */
export const confirmationCatchUp = (deps: EnrollmentDeps) => {
  const { catchUps } = deps.confirmations;
  return catchUpJob('catch-up-confirmations', { catchUps, clock: deps.clock }, (who) =>
    catchUp(deps, who),
  );
};

/** null where no mail is to go out, or none can. */
async function recipientOf(
  deps: EnrollmentDeps,
  { delivery_mode }: Distribution,
  enrollment: Enrollment,
): Promise<Recipient | null> {
  const { workspace_id, client, pass } = enrollment;
  if (!client) return null;
  if (!isUnproven(enrollment) && delivery_mode !== 'email') return null;
  const asked = { workspace_id, ids: [client.id] };
  const [person] = (await deps.enrollees.GetClients(asked)).clients;
  const [email, phone] = [person?.email || null, person?.phone || null];
  if (email === null && phone === null) return null;
  const whose = { workspaceId: workspace_id, clientId: client.id, mailedTo: email };
  const [writer, portalUrl, links] = await Promise.all([
    writerOf(deps, workspace_id, isUnproven(enrollment) ? 'confirmation' : 'pass'),
    portalUrlOf(deps, whose),
    pass && linksOfPass(deps, workspace_id, pass.id),
  ]);
  const news = { name: person?.first_name ?? null, links, portalUrl };
  return { email, phone, writer, news };
}

async function mayMail(
  { enrollmentMails, clock }: EnrollmentDeps,
  { id: enrollmentId, workspace_id, client, confirms, input }: Enrollment,
  { email, phone }: Recipient,
): Promise<boolean> {
  if (!client) return false;
  const to = digestToken((emailKeyOf(email) ?? phoneKey(phone))!);
  // Who pressed the button of a mailed link has shown to be the client.
  const source = confirms === null ? (input?.source ?? null) : null;
  const mail = { clientId: client.id, enrollmentId, to, source };
  return enrollmentMails.count(workspace_id, mail, { ...MAILS_PER_DAY, now: clock.now() });
}

/** Resolves with the id of the confirmation that it asks for, if it does. */
async function tell(
  deps: EnrollmentDeps,
  { enrollment, recipient }: { enrollment: Enrollment; recipient: Recipient },
  session: Session,
): Promise<string | null> {
  const { email, phone, writer, news } = recipient;
  const { id, workspace_id: workspaceId } = enrollment;
  const common = { id: stableId(`enrollment:${id}:message`), workspaceId };
  if (!isUnproven(enrollment)) {
    if (email !== null)
      await deps.messages.enqueue(
        { ...common, channel: 'email', to: email, ...writeLetter(passLetter(writer, news)) },
        session,
      );
    return null;
  }
  const asking = { enrollment, email, phone };
  const { id: asked, url, consentText, expiresAt } = await askToConfirm(deps, asking, session);
  const request = { ...news, confirmUrl: url, consentText };
  const message: NewMessage =
    email === null
      ? { ...common, channel: 'sms', to: phone!, text: confirmationText(writer, request) }
      : {
          ...common,
          channel: 'email',
          to: email,
          ...writeLetter(confirmationLetter(writer, request)),
        };
  await deps.messages.enqueue({ ...message, expiresAt }, session);
  return asked;
}

/** Keeps what was filled in until the link is opened or has expired; of the link only a digest is kept. */
async function askToConfirm(
  { confirmations, clock, publicUrl }: EnrollmentDeps,
  { enrollment, email, phone }: { enrollment: Enrollment } & Pick<Recipient, 'email' | 'phone'>,
  session: Session,
): Promise<{ id: string; url: string; consentText: string | null; expiresAt: Date }> {
  const { workspace_id, distribution_id, client, input } = enrollment;
  const { token, sha256: token_sha256 } = newConfirmationToken();
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + CONFIRM_MS);
  await confirmations.insert(
    {
      token_sha256,
      workspace_id,
      distribution_id,
      client_id: client!.id,
      sent_to: digestToken((email ?? phone)!),
      texted: email === null,
      input,
      confirmed_at: null,
      expires_at: expiresAt,
    },
    now,
    session,
  );
  const consents = input?.applicant.marketing_consent === true;
  const consentText = consents ? (input?.consent_text ?? null) : null;
  return { id: token_sha256, url: `${publicUrl}/confirm?token=${token}`, consentText, expiresAt };
}
