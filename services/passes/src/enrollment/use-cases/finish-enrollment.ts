import { stableId } from '@laurel/lifecycle';
import type { NewMessage } from '@laurel/mail';
import { unitOfWork } from '@laurel/mongo';
import { portalUrlOf } from '../../core/use-cases/loyalty-render-data';
import type { EnrollmentDeps } from '../deps';
import type { Distribution } from '../domain/distribution';
import type { Enrollment } from '../domain/enrollment';
import { passMail, passText } from '../domain/pass-mail';
import { languageOf } from '../domain/wordings';

const DAY_MS = 86_400_000;
/** More than that about one pass within a day is somebody else's game with an address (part 3, section 10). */
const MAILS_PER_DAY_MAX = 10;

/**
 * Sends the links and ends the enrollment, in one transaction. They go to the address on file: whoever was known before
 * may be somebody else than who filled in the form.
 */
export async function finishEnrollment(
  deps: EnrollmentDeps,
  distribution: Distribution,
  enrollment: Enrollment,
): Promise<Enrollment> {
  const { id, workspace_id: workspaceId } = enrollment;
  const message = await messageAbout(deps, distribution, enrollment);
  const emailSent = message?.channel === 'email';
  return unitOfWork(deps.connection, async (session) => {
    const isOurs = await deps.enrollments.finish(workspaceId, id, emailSent, session);
    if (isOurs && message) await deps.messages.enqueue(message, session);
    return { ...enrollment, email_sent: emailSent };
  });
}

async function messageAbout(
  deps: EnrollmentDeps,
  { delivery_mode }: Distribution,
  enrollment: Enrollment,
): Promise<NewMessage | null> {
  const { id, workspace_id, client, pass } = enrollment;
  if (!client || !pass) return null;
  if (!client.known && delivery_mode !== 'email') return null;
  if (await isFlooding(deps, workspace_id, pass.id)) return null;
  const [[person], workspace, portalUrl] = await Promise.all([
    deps.enrollees.GetClients({ workspace_id, ids: [client.id] }).then(({ clients }) => clients),
    deps.identity.GetWorkspace({ workspace_id }),
    portalUrlOf(deps, workspace_id, client.id),
  ]);
  const about = {
    name: person?.first_name ?? null,
    workspaceName: workspace.name,
    ...deps.links.urlsOf(pass.id),
    portal_url: portalUrl,
  };
  const language = languageOf(workspace.default_locale);
  const common = { id: stableId(`enrollment:${id}:message`), workspaceId: workspace_id };
  if (person?.email)
    return { ...common, channel: 'email', to: person.email, ...passMail(language, about) };
  if (person?.phone)
    return { ...common, channel: 'sms', to: person.phone, text: passText(language, about) };
  return null;
}

async function isFlooding(
  { enrollments, clock }: Pick<EnrollmentDeps, 'enrollments' | 'clock'>,
  workspaceId: string,
  passId: string,
): Promise<boolean> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  return (await enrollments.countMails(workspaceId, passId, since)) >= MAILS_PER_DAY_MAX;
}
