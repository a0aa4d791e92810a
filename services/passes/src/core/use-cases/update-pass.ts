import type { JsonObject } from '@laurel/errors';
import { commitOnce, type Session } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { type Pass, switchedPass } from '../domain/pass';
import { authorship, sourceOf } from './author';
import { requireClient } from './create-pass';
import { refusingTakenPlaces } from './refusing-taken-places';
import { viewPass } from './view-passes';
import { enterTemplate, writePass } from './write-pass';

const DAY_MS = 86_400_000;

/**
 * Changes a pass and asks for a wallet update. With `duration_days` the template is a temporary one, and the pass goes
 * back by itself. 409 where the client already has a pass on the template.
 */
export async function updatePass(
  deps: CoreDeps,
  request: api.UpdatePassRequest,
): Promise<api.Pass> {
  const { workspace_id: workspaceId, id } = request;
  await requireClient(deps, workspaceId, request.client_id);
  const { userId, now } = authorship(deps);
  const changed = await refusingTakenPlaces(() =>
    commitOnce(deps.connection, async (session) => {
      const before = await deps.passes.find(workspaceId, id, session);
      if (!before) throw refusals.passNotFound();
      const after: Pass = {
        ...(await onTemplate(deps, before, request, session)),
        ...namedColumns(request),
        user_updated: userId ?? before.user_updated,
        date_updated: now,
      };
      await writePass(deps, { before, after, source: request.source ?? sourceOf() }, session);
      return after;
    }),
  );
  return viewPass(deps, changed);
}

function namedColumns({ notification, pass_fields, client_id }: api.UpdatePassRequest) {
  return {
    ...(notification === undefined ? {} : { notification }),
    ...(pass_fields === undefined ? {} : { pass_fields: pass_fields as JsonObject }),
    ...(client_id === undefined ? {} : { client_id }),
  };
}

async function onTemplate(
  deps: CoreDeps,
  pass: Pass,
  { pass_template_id: templateId, duration_days: days = null }: api.UpdatePassRequest,
  session: Session,
): Promise<Pass> {
  if (templateId === undefined) return pass;
  const named = { templateId, field: 'pass_template_id' };
  const template = await enterTemplate(deps, pass.workspace_id, named, session);
  const expiresAt = days === null ? null : new Date(deps.clock.now().getTime() + days * DAY_MS);
  return switchedPass(pass, { templateId, projectId: template.project_id, expiresAt });
}
