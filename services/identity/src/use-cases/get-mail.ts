import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { mailNamed } from './check-mail-words';
import { toVersionedMailReply } from './wire';

/** One mail in one language, with the version of its words that a change may name. */
export async function getMail(
  { workspaces, mailTexts }: Deps,
  { workspace_id, mail }: identity.MailRequest,
): Promise<identity.ShopMail> {
  const name = mailNamed(mail!);
  if (!(await workspaces.find(workspace_id))) throw refusals.notAMember();
  return toVersionedMailReply(name, await mailTexts.find(workspace_id, name));
}
