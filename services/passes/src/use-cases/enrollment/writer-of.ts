import type { Brand } from '@laurel/contract';
import { oneLine } from '@laurel/mail';
import type { EnrollmentDeps } from '../../deps';
import { type Language, languageOf } from '../../domain/enrollment/wordings';

/** In whose name mails of a workspace are written, and in which language: its name, with the look of its portal. */
export async function writerOf(
  { identity }: Pick<EnrollmentDeps, 'identity'>,
  workspace_id: string,
): Promise<{ brand: Brand; language: Language }> {
  const [workspace, { config }] = await Promise.all([
    identity.GetWorkspace({ workspace_id }),
    identity.GetPortalConfig({ workspace_id }),
  ]);
  const { primary_color: colour, logo_url: logoUrl } = config!;
  return {
    brand: { name: oneLine(workspace.name), colour, logoUrl: logoUrl ?? null },
    language: languageOf(workspace.default_locale),
  };
}
