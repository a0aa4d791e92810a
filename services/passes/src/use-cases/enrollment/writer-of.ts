import { languageOf } from '@laurel/contract';
import type { ShopWriter } from '@laurel/mail';
import type { EnrollmentDeps } from '../../deps';

/** In whose name a mail of a workspace is written, in which language, and with which words of its own. */
export async function writerOf(
  { identity }: Pick<EnrollmentDeps, 'identity'>,
  workspace_id: string,
  kind: 'pass' | 'confirmation',
): Promise<ShopWriter> {
  const { language, brand, own } = await identity.GetMailWriter({ workspace_id, kind });
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
