import type { Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import type { Template } from '../../domain/template/template';
import { openTemplate } from './open-template';

/**
 * As `openTemplate`; while the passes of a template are being moved to another one, goes through a door of that: what came
 * to nothing now would not be tried again. Null where the template is gone.
 */
export async function openCurrentTemplate(
  deps: Pick<PassDeps, 'templates'>,
  named: { workspaceId: string; templateId: string },
  session: Session,
): Promise<Template | null> {
  const open = await openTemplate(deps, named, session);
  if (open) return open;
  const { workspaceId } = named;
  const closed = await deps.templates.find(workspaceId, named.templateId, session);
  const templateId = closed?.migrating_to ?? null;
  return templateId === null ? null : openTemplate(deps, { workspaceId, templateId }, session);
}
