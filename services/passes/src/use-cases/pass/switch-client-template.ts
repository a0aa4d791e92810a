import type { Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import { type Pass, switchedPass } from '../../domain/pass/pass';
import { openTemplate } from '../template/open-template';
import { rewritePass } from './write-pass';

export interface ClientTemplateSwitch {
  workspaceId: string;
  clientId: string;
  templateId: string;
  expiresAt: Date | null;
  source: string;
}

/**
 * Puts the pass of a client on another template. Of several passes it is the newest of the template's project, else the
 * newest. One that is on the template already only gets the new end. Nothing happens where there is no such pass or
 * template any more: the request is some time old by then.
 */
export async function switchClientTemplate(
  deps: PassDeps,
  { workspaceId, clientId, templateId, expiresAt, source }: ClientTemplateSwitch,
  session: Session,
): Promise<void> {
  const template = await openTemplate(deps, { workspaceId, templateId }, session);
  if (!template) return;
  const passes = await passesOf(deps, { workspaceId, clientId }, session);
  const before = passToSwitch(passes, template);
  if (!before) return;
  const place = { templateId, projectId: template.project_id, expiresAt };
  const after = { ...switchedPass(before, place), date_updated: deps.clock.now() };
  await rewritePass(deps, { before, after, source }, session);
}

/** Those of a client who was merged since are the target's: that is noted before the first of them is moved. */
async function passesOf(
  { departures, passes }: Pick<PassDeps, 'departures' | 'passes'>,
  { workspaceId, clientId }: { workspaceId: string; clientId: string },
  session: Session,
): Promise<Pass[]> {
  const own = await passes.listOfClients(workspaceId, [clientId], session);
  const current = await departures.currentOf(workspaceId, clientId);
  if (current.clientId === clientId) return own;
  return passes.listOfClients(workspaceId, [clientId, current.clientId], session);
}

/** `passes` are newest first. */
export function passToSwitch(
  passes: readonly Pass[],
  template: { id: string; project_id: string },
): Pass | undefined {
  return (
    passes.find((pass) => pass.pass_template_id === template.id) ??
    passes.find((pass) => pass.project_id === template.project_id) ??
    passes[0]
  );
}
