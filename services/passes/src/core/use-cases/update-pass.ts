import type { JsonObject } from '@laurel/errors';
import { commitOnce, type Session } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import type { Pass } from '../domain/pass';
import { toPassReply } from '../replies';
import { authorship } from './author';
import { requireClient } from './create-pass';
import { passEvent } from './pass-events';
import { refusingTakenPlaces } from './refusing-taken-places';

const DAY_MS = 86_400_000;

/** Changes a pass; with `duration_days` the template is a temporary one. */
export async function updatePass(
  deps: CoreDeps,
  request: api.UpdatePassRequest,
): Promise<api.Pass> {
  const { workspace_id: workspaceId, id } = request;
  await requireClient(deps, workspaceId, request.client_id);
  const { userId, now } = authorship(deps);
  return refusingTakenPlaces(() =>
    commitOnce(deps.connection, async (session) => {
      const pass = await deps.passes.find(workspaceId, id, session);
      if (!pass) throw refusals.passNotFound();
      const changed: Pass = {
        ...pass,
        ...(await templateChanges(deps, pass, request, now, session)),
        ...(request.notification === undefined ? {} : { notification: request.notification }),
        ...(request.pass_fields === undefined
          ? {}
          : { pass_fields: request.pass_fields as JsonObject }),
        ...(request.client_id === undefined ? {} : { client_id: request.client_id }),
        user_updated: userId,
        date_updated: now,
      };
      await deps.passes.replace(changed, session);
      await deps.outbox.append([passEvent('passes.pass_updated', changed)], session);
      return toPassReply(deps.links, changed);
    }),
  );
}

async function templateChanges(
  deps: CoreDeps,
  pass: Pass,
  { pass_template_id: templateId, duration_days: days = null }: api.UpdatePassRequest,
  now: Date,
  session: Session,
): Promise<Partial<Pass>> {
  if (templateId === undefined) return {};
  const template = await deps.templates.find(pass.workspace_id, templateId, session);
  if (!template || !(await deps.templates.enter(pass.workspace_id, templateId, session)))
    throw refusals.noSuchTemplate({ field: 'pass_template_id' });
  return {
    pass_template_id: templateId,
    project_id: template.project_id,
    template_expires_at: days === null ? null : new Date(now.getTime() + days * DAY_MS),
    previous_template_id: days === null ? null : pass.pass_template_id,
  };
}
