import { type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { mailNamed, requireMailWords } from './check-mail-words';
import { mailReply } from './mail-reply';

/** Puts words of the workspace in the place of the platform's, in one mail and one language; the next mail has them. */
export async function putMailWords(
  deps: Deps,
  { workspace_id, mail, words: wanted }: identity.PutMailWordsRequest,
): Promise<identity.ShopMail> {
  const name = mailNamed(mail!);
  const words = requireMailWords(name, wanted!);
  const row = await changing(deps, workspace_id, (session) =>
    deps.mailTexts.put(workspace_id, { ...name, words, now: deps.clock.now() }, session),
  );
  return mailReply(name.kind, name.language, row);
}

/** Gives a mail the platform's words back. Harmless when repeated. */
export async function resetMailWords(
  deps: Deps,
  { workspace_id, mail }: identity.MailRequest,
): Promise<identity.ShopMail> {
  const name = mailNamed(mail!);
  await changing(deps, workspace_id, (session) =>
    deps.mailTexts.remove(workspace_id, name, session),
  );
  return mailReply(name.kind, name.language, null);
}

/** Nobody keeps a copy of the words, so nobody is told. */
function changing<T>(
  { connection, workspaces }: Deps,
  workspaceId: string,
  change: (session: Session) => Promise<T>,
): Promise<T> {
  return unitOfWork(connection, async (session) => {
    if (!(await workspaces.find(workspaceId, session))) throw refusals.notAMember();
    return change(session);
  });
}
