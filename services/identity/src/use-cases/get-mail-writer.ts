import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { mailNamed } from './check-mail-words';
import { shopWriterOf } from './writer-of';

/** Who writes a mail of a workspace, and with which words: for services that send mails of their own. */
export async function getMailWriter(
  deps: Deps,
  { workspace_id, kind }: identity.MailWriterRequest,
): Promise<identity.MailWriter> {
  const workspace = await deps.workspaces.find(workspace_id);
  if (!workspace) throw refusals.notAMember();
  const named = mailNamed({ kind, language: workspace.settings.default_locale });
  const { language, brand, own } = await shopWriterOf(deps, workspace, { kind: named.kind });
  const { name, colour, logoUrl, replyTo = null, privacyUrl = null, imprintUrl = null } = brand;
  return {
    language,
    brand: {
      name,
      colour,
      logo_url: logoUrl,
      reply_to: replyTo,
      privacy_url: privacyUrl,
      imprint_url: imprintUrl,
    },
    ...(own ? { own } : {}),
  };
}
