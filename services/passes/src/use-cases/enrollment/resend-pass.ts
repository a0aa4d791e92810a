import { invalidField } from '@laurel/errors';
import { writeLetter } from '@laurel/mail';
import { commitOnce } from '@laurel/mongo';
import type { passes as api, clients as clientsApi } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import { passMail } from '../../domain/enrollment/pass-mail';
import type { Pass } from '../../domain/pass/pass';
import { factNeeds } from '../../domain/pass/placeholders';
import { refusals } from '../../refusals';
import { gatherFacts } from '../pass/gather-facts';
import { offeredLinks } from '../pass/offered-links';
import { htmlMail } from './html-mail';
import { writerOf } from './writer-of';

const RESENDS_PER_DAY = 10;
const DAY_MS = 86_400_000;

/**
 * Mails the links of a pass to its client, or to another address. Refused where there is no address, and after ten times
 * on one day (UTC). The mail is written with the count, so that neither is there without the other.
 */
export async function resendPass(
  deps: EnrollmentDeps,
  request: api.ResendPassRequest,
): Promise<api.ResentPass> {
  const { workspace_id: workspaceId, id } = request;
  const pass = await deps.passes.find(workspaceId, id);
  if (!pass) throw refusals.passNotFound();
  const client = await clientOf(deps, pass);
  const to = request.email ?? client?.email;
  if (!to) throw invalidField('email', 'the pass has no client with an e-mail address; name one');
  const mail = await mailOf(deps, pass, client, request.email_template);
  const { apple_pass_url, google_pass_url } = deps.links.urlsOf(pass);
  return commitOnce(deps.connection, async (session) => {
    const now = deps.clock.now();
    const limit = { now, max: RESENDS_PER_DAY };
    if (!(await deps.resends.count(workspaceId, id, limit, session)))
      throw refusals.resentTooOften({ retryAfterSeconds: secondsOfDayLeft(now) });
    await deps.messages.enqueue({ workspaceId, channel: 'email', to, ...mail }, session);
    return { pass_id: id, apple_pass_url, google_pass_url };
  });
}

async function clientOf(
  { clients }: Pick<EnrollmentDeps, 'clients'>,
  { workspace_id, client_id }: Pass,
): Promise<clientsApi.Client | undefined> {
  if (client_id === null) return undefined;
  return (await clients.GetClients({ workspace_id, ids: [client_id] })).clients[0];
}

async function mailOf(
  deps: EnrollmentDeps,
  pass: Pass,
  client: clientsApi.Client | undefined,
  template: string | undefined,
) {
  const { workspace_id } = pass;
  const [{ brand, language }, links] = await Promise.all([
    writerOf(deps, workspace_id),
    offeredLinks(deps, workspace_id, pass),
  ]);
  const urls = deps.links.urlsOf(pass);
  const plain = writeLetter(passMail(language, { name: client?.first_name ?? null, brand, links }));
  if (template === undefined) return plain;
  const facts = await gatherFacts(deps, pass, factNeeds([template]));
  return { ...plain, html: htmlMail(template, { facts, urls }) };
}

function secondsOfDayLeft(now: Date): number {
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
}
