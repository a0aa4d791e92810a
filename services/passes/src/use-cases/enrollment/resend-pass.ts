import { digestToken } from '@laurel/auth-cache';
import { invalidField } from '@laurel/errors';
import { passLetter, writeLetter } from '@laurel/mail';
import { checkAndCommitOnce } from '@laurel/mongo';
import type { passes as api, clients as clientsApi } from '@laurel/rpc';
import { emailKeyOf } from '@laurel/values/contact';
import type { EnrollmentDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { factNeeds } from '../../domain/pass/placeholders';
import { refusals } from '../../refusals';
import type { ResendCount } from '../../store/resends';
import { gatherFacts } from '../pass/gather-facts';
import { offeredLinks } from '../pass/offered-links';
import { htmlMail } from './html-mail';
import { writerOf } from './writer-of';

/** A count of mails, and what its refusal speaks of. */
interface MailCount extends ResendCount {
  what: string;
}

/**
 * Mails the links of a pass to its client, or to another address. Refused where there is no address, and after ten times
 * on one day (UTC); as well where it would make a sender of anybody's mails out of the platform. The mail is written with
 * its counts, so that neither is there without the other.
 */
export async function resendPass(
  deps: EnrollmentDeps,
  request: api.ResendPassRequest,
): Promise<api.ResentPass> {
  const { workspace_id: workspaceId, id } = request;
  const check = () => mailAskedFor(deps, request);
  return checkAndCommitOnce(deps.connection, check, async (session, { mail, counts, urls }) => {
    const refused = await deps.resends.count(counts, deps.clock.now(), session);
    if (refused) {
      const { what, max, per } = refused.usedUp;
      throw refusals.resentTooOften({
        message: `${what} ${max} times ${per === 'day' ? 'a day' : 'an hour'} at most`,
        retryAfterSeconds: refused.retryAfterSeconds,
      });
    }
    await deps.messages.enqueue({ workspaceId, channel: 'email', ...mail }, session);
    return { pass_id: id, ...urls };
  });
}

/** The mail that is to be sent, what it counts for, and the links in it. */
async function mailAskedFor(deps: EnrollmentDeps, request: api.ResendPassRequest) {
  const { workspace_id: workspaceId, id } = request;
  const pass = await deps.passes.find(workspaceId, id);
  if (!pass) throw refusals.passNotFound();
  const client = await clientOf(deps, pass);
  const to = request.email ?? client?.email;
  if (!to) throw invalidField('email', 'the pass has no client with an e-mail address; name one');
  const mail = await mailOf(deps, pass, { client, template: request.email_template });
  const { apple_pass_url, google_pass_url } = deps.links.urlsOf(pass);
  const counts = countsOf(pass, { to, isElsewhere: emailKeyOf(to) !== emailKeyOf(client?.email) });
  return { mail: { to, ...mail }, counts, urls: { apple_pass_url, google_pass_url } };
}

/**
 * What a mail counts for. A pass has its ten a day (part 3, section 10); they bound no mailbox, since passes, clients and
 * workspaces cost nothing: addresses are counted out of all workspaces. One that only the caller names gets less than the
 * pass's client, whom all ten may reach at once.
 */
function countsOf(
  { id, workspace_id: workspaceId }: Pass,
  { to, isElsewhere }: { to: string; isElsewhere: boolean },
): MailCount[] {
  const address = { name: `to:${digestToken(emailKeyOf(to)!)}`, workspaceId: null };
  const ofOne = { ...address, what: 'one address is mailed' };
  const ofPass = { name: id, workspaceId, what: 'the links of a pass are mailed' };
  const ofAll = { name: `of:${workspaceId}`, workspaceId, what: 'links are mailed' };
  const elsewhere = { workspaceId, what: 'links are mailed past their clients' };
  const always: MailCount[] = [
    { ...ofPass, max: 10, per: 'day' },
    { ...ofOne, max: 10, per: 'hour' },
    { ...ofOne, max: 50, per: 'day' },
    { ...ofAll, max: 300, per: 'hour' },
  ];
  if (!isElsewhere) return always;
  return [
    ...always,
    { ...ofOne, name: `elsewhere ${ofOne.name}`, max: 5, per: 'hour' },
    { ...elsewhere, name: `elsewhere:${workspaceId}`, max: 100, per: 'day' },
  ];
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
  { client, template }: { client: clientsApi.Client | undefined; template: string | undefined },
) {
  const { workspace_id } = pass;
  const [writer, links] = await Promise.all([
    writerOf(deps, workspace_id, 'pass'),
    offeredLinks(deps, workspace_id, pass),
  ]);
  const urls = deps.links.urlsOf(pass);
  const plain = writeLetter(passLetter(writer, { name: client?.first_name ?? null, links }));
  if (template === undefined) return plain;
  const facts = await gatherFacts(deps, pass, factNeeds([template]));
  return { ...plain, html: htmlMail(template, { facts, urls, publicUrl: deps.publicUrl }) };
}
