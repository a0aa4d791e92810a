import { languageOf } from '@laurel/contract';
import { oneLine } from '@laurel/mail';
import type { Writer } from '../domain/mails';
import { portalOf } from '../domain/portal';
import type { WorkspaceRow } from '../store/workspaces';

/** A workspace as the writer of a mail: its name in one line, its language, the look of its portal. */
export function writerOf({ name, settings, portal }: WorkspaceRow): Writer {
  const { primary_color: colour, logo_url: logoUrl } = portalOf(portal);
  return {
    language: languageOf(settings.default_locale),
    brand: { name: oneLine(name), colour, logoUrl },
  };
}
