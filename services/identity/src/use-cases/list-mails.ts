import { languageOf, SHOP_MAIL_KINDS } from '@laurel/contract';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toMailReply } from './wire';

/** Every mail that a workspace sends in its own name, in one language: its own where none is named. */
export async function listMails(
  { workspaces, mailTexts }: Deps,
  { workspace_id, language: wanted }: identity.ListMailsRequest,
): Promise<identity.ShopMails> {
  const workspace = await workspaces.find(workspace_id);
  if (!workspace) throw refusals.notAMember();
  const language = languageOf(wanted ?? workspace.settings.default_locale);
  const own = await mailTexts.list(workspace_id, language);
  const ownOf = (kind: string) => own.find((row) => row.kind === kind) ?? null;
  return { mails: SHOP_MAIL_KINDS.map((kind) => toMailReply(kind, language, ownOf(kind))) };
}
