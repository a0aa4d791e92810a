import { type Brand, type Language, languageOf, type ShopMailKind } from '@laurel/contract';
import { oneLine, type ShopWriter } from '@laurel/mail';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { brandOf, portalFromBrand } from '../domain/brand';
import { portalOf } from '../domain/portal';
import type { WorkspaceRow } from '../store/workspaces';

/** A workspace as the writer of a mail: its language, and the look of its brand, else that of its portal. */
export function writerOf(
  { config }: { config: Pick<Deps['config'], 'publicUrl'> },
  { name, settings, portal, brand }: WorkspaceRow,
): { language: Language; brand: Brand } {
  const own = brandOf(brand);
  const look = portalOf(portalFromBrand(brand, config.publicUrl), portal);
  const { default_locale, reply_to: replyTo = null } = settings;
  return {
    language: languageOf(default_locale),
    brand: {
      name: oneLine(own.name ?? name),
      colour: look.primary_color,
      logoUrl: look.logo_url,
      replyTo,
      privacyUrl: look.privacy_url,
      imprintUrl: own.imprint_url,
    },
  };
}

/** The same, with the words of its own that it has for a mail. */
export async function shopWriterOf(
  deps: { mailTexts: Deps['mailTexts']; config: Pick<Deps['config'], 'publicUrl'> },
  workspace: WorkspaceRow,
  { kind, session }: { kind: ShopMailKind; session?: Session },
): Promise<ShopWriter> {
  const writer = writerOf(deps, workspace);
  const own = await deps.mailTexts.find(
    workspace._id,
    { kind, language: writer.language },
    session,
  );
  return { ...writer, own: own?.words ?? null };
}
