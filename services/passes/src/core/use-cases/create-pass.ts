import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { newPass } from '../domain/pass';
import { authorship } from './author';
import { barcodeValue } from './barcode-value';
import { passEvent } from './pass-events';
import { refusingTakenPlaces } from './refusing-taken-places';
import { viewPass } from './view-passes';
import { enterTemplate } from './write-pass';

/** Creates a pass on a template of the project. One per client and template; a barcode value is of one pass only. */
export async function createPass(
  deps: CoreDeps,
  request: api.CreatePassRequest,
): Promise<api.Pass> {
  const {
    workspace_id: workspaceId,
    project_id: projectId,
    pass_template_id: templateId,
  } = request;
  await requireClient(deps, workspaceId, request.client_id);
  const fields = {
    id: newId(),
    workspace_id: workspaceId,
    project_id: projectId,
    pass_template_id: templateId,
    client_id: request.client_id ?? null,
    pass_fields: (request.pass_fields ?? {}) as JsonObject,
  };
  const barcode_value = await barcodeValue(deps, request, fields);
  const pass = newPass({ ...fields, barcode_value }, authorship(deps));
  const created = await refusingTakenPlaces(() =>
    commitOnce(deps.connection, async (session) => {
      if (!(await deps.projects.find(workspaceId, projectId, session)))
        throw refusals.noSuchProject({ field: 'project_id' });
      const named = { templateId, field: 'pass_template_id' };
      const template = await enterTemplate(deps, workspaceId, named, session);
      if (template.project_id !== projectId)
        throw refusals.templateOfOtherProject({ field: 'pass_template_id' });
      await deps.passes.insert(pass, session);
      await deps.passUpdates.insert(workspaceId, pass.id, pass.date_created, session);
      await deps.outbox.append([passEvent('passes.pass_created', pass)], session);
      return pass;
    }),
  );
  return viewPass(deps, created);
}

/** Refuses a client that the workspace does not have. */
export async function requireClient(
  { clients }: Pick<CoreDeps, 'clients'>,
  workspaceId: string,
  clientId: string | null | undefined,
): Promise<void> {
  if (clientId === null || clientId === undefined) return;
  const found = await clients.GetClients({ workspace_id: workspaceId, ids: [clientId] });
  if (found.clients.length === 0) throw refusals.noSuchClient({ field: 'client_id' });
}
