import { requireUnchanged, type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { type MailName, type MailTextState, versionOfWords } from '../store/mail-texts';
import { mailNamed, requireMailWords } from './check-mail-words';
import { toVersionedMailReply } from './wire';

/** Puts words of the workspace in the place of the platform's, in one mail and one language; the next mail has them. */
export async function putMailWords(
  deps: Deps,
  { workspace_id, mail, words: wanted }: identity.PutMailWordsRequest,
): Promise<identity.ShopMail> {
  const name = mailNamed(mail!);
  const words = requireMailWords(name, wanted!);
  return changing(deps, { workspaceId: workspace_id, name }, (read, session) => {
    const change = { ...name, words, now: deps.clock.now() };
    return deps.mailTexts.put({ workspaceId: workspace_id, read }, change, session);
  });
}

/** Gives a mail the platform's words back. Harmless when repeated. */
export async function resetMailWords(
  deps: Deps,
  { workspace_id, mail }: identity.MailRequest,
): Promise<identity.ShopMail> {
  const name = mailNamed(mail!);
  return changing(deps, { workspaceId: workspace_id, name }, async (read, session) => {
    if (read) await deps.mailTexts.remove(read, session);
    return null;
  });
}

/** No service keeps a copy of the words, so there is no event. */
async function changing(
  { connection, workspaces, mailTexts }: Deps,
  { workspaceId, name }: { workspaceId: string; name: MailName },
  change: (read: MailTextState, session: Session) => Promise<MailTextState>,
): Promise<identity.ShopMail> {
  const row = await unitOfWork(connection, async (session) => {
    if (!(await workspaces.find(workspaceId, session))) throw refusals.notAMember();
    const read = await mailTexts.find(workspaceId, name, session);
    requireUnchanged(versionOfWords(read));
    return change(read, session);
  });
  return toVersionedMailReply(name, row);
}
