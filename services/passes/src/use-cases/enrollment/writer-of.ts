import { languageOf } from '@laurel/contract';
import { oneLine, type ShopWriter } from '@laurel/mail';
import { type identity as identityApi, orBeforeUpgrade } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';

/** In whose name a mail of a workspace is written, in which language, and with which words of its own. */
export async function writerOf(
  { identity }: Pick<EnrollmentDeps, 'identity'>,
  workspace_id: string,
  kind: 'pass' | 'confirmation',
): Promise<ShopWriter> {
  const asked = identity.GetMailWriter({ workspace_id, kind });
  const { language, brand, own } = await orBeforeUpgrade(asked, () =>
    portalWriter(identity, workspace_id),
  );
  const { name, colour, logo_url, reply_to, privacy_url, imprint_url } = brand!;
  return {
    language: languageOf(language),
    brand: {
      name,
      colour,
      logoUrl: logo_url ?? null,
      replyTo: reply_to ?? null,
      privacyUrl: privacy_url ?? null,
      imprintUrl: imprint_url ?? null,
    },
    own: own ? { ...own, button: own.button ?? null } : null,
  };
}

/** As mails were written before shops had words of their own: in the workspace's name, with the look of its portal. */
async function portalWriter(
  identity: EnrollmentDeps['identity'],
  workspace_id: string,
): Promise<identityApi.MailWriter> {
  const [workspace, { config }] = await Promise.all([
    identity.GetWorkspace({ workspace_id }),
    identity.GetPortalConfig({ workspace_id }),
  ]);
  const { primary_color: colour, logo_url = null } = config!;
  const brand = { name: oneLine(workspace.name), colour, logo_url };
  return { language: workspace.default_locale, brand };
}
