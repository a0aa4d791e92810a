import type { Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import type { Template } from '../../domain/template/template';

/**
 * Goes through a door of a template, so that it is not deleted before the caller's transaction commits; null where there
 * is no such template, or it has no door any more.
 */
export async function openTemplate(
  { templates }: Pick<PassDeps, 'templates'>,
  { workspaceId, templateId }: { workspaceId: string; templateId: string },
  session: Session,
): Promise<Template | null> {
  const template = await templates.find(workspaceId, templateId, session);
  return template && (await templates.enter(workspaceId, templateId, session)) ? template : null;
}
