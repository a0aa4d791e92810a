import { digestToken } from '@laurel/auth-cache';
import { emailKey } from '@laurel/contact';
import { invalidField } from '@laurel/errors';
import { passLetter, writeLetter } from '@laurel/mail';
import { commitOnce } from '@laurel/mongo';
import type { passes as api, clients as clientsApi } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { factNeeds } from '../../domain/pass/placeholders';
import { refusals } from '../../refusals';
import type { ResendCount } from '../../store/resends';
import { gatherFacts } from '../pass/gather-facts';
import { offeredLinks } from '../pass/offered-links';
import { htmlMail } from './html-mail';
import { writerOf } from './writer-of';

/** On one day (UTC): of a pass (part 3, section 10), to one address from everywhere, and past their clients out of a workspace. */
const PER_DAY = { ofPass: 10, toOne: 50, elsewhere: 100 };
const DAY_MS = 86_400_000;

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
  const pass = await deps.passes.find(workspaceId, id);
  if (!pass) throw refusals.passNotFound();
  const client = await clientOf(deps, pass);
  const to = request.email ?? client?.email;
  if (!to) throw invalidField('email', 'the pass has no client with an e-mail address; name one');
  const mail = await mailOf(deps, pass, client, request.email_template);
  const { apple_pass_url, google_pass_url } = deps.links.urlsOf(pass);
  const counts = countsOf(pass, { to, isElsewhere: emailKey(to) !== emailKey(client?.email) });
  return commitOnce(deps.connection, async (session) => {
    const now = deps.clock.now();
    const usedUp = await deps.resends.count(counts, now, session);
    if (usedUp)
      throw refusals.resentTooOften({
        message: usedUp.message,
        retryAfterSeconds: secondsOfDayLeft(now),
      });
    await deps.messages.enqueue({ workspaceId, channel: 'email', to, ...mail }, session);
    return { pass_id: id, apple_pass_url, google_pass_url };
  });
}

/** What a mail counts for; each with what is said once it is used up. */
function countsOf(
  { id, workspace_id: workspaceId }: Pass,
  { to, isElsewhere }: { to: string; isElsewhere: boolean },
): (ResendCount & { message: string })[] {
  const { ofPass, toOne, elsewhere } = PER_DAY;
  const ofThis = `the links of a pass are mailed ${ofPass} times a day at most`;
  const toThis = `one address is mailed ${toOne} times a day at most`;
  const past = `links are mailed past their clients ${elsewhere} times a day at most`;
  return [
    { name: id, workspaceId, max: ofPass, message: ofThis },
    { name: `to:${digestToken(emailKey(to)!)}`, workspaceId: null, max: toOne, message: toThis },
    ...(isElsewhere
      ? [{ name: `elsewhere:${workspaceId}`, workspaceId, max: elsewhere, message: past }]
      : []),
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
  client: clientsApi.Client | undefined,
  template: string | undefined,
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
  return { ...plain, html: htmlMail(template, { facts, urls }) };
}

function secondsOfDayLeft(now: Date): number {
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
}
