import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { newPass } from '../domain/pass';
import { toPassReply } from '../replies';
import { authorship } from './author';
import { passEvent } from './pass-events';
import { refusingTakenPlaces } from './refusing-taken-places';

const BARCODE_BYTES = 15;

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
    barcode_value: request.barcode_value ?? newBarcodeValue(),
  };
  const pass = newPass(fields, authorship(deps));
  return refusingTakenPlaces(() =>
    commitOnce(deps.connection, async (session) => {
      const project = await deps.projects.find(workspaceId, projectId, session);
      const template = await deps.templates.find(workspaceId, templateId, session);
      if (!project) throw refusals.noSuchProject({ field: 'project_id' });
      if (!template) throw refusals.noSuchTemplate({ field: 'pass_template_id' });
      if (template.project_id !== projectId)
        throw refusals.templateOfOtherProject({ field: 'pass_template_id' });
      if (!(await deps.templates.enter(workspaceId, templateId, session)))
        throw refusals.noSuchTemplate({ field: 'pass_template_id' });
      await deps.passes.insert(pass, session);
      await deps.outbox.append([passEvent('passes.pass_created', pass)], session);
      return toPassReply(deps.links, pass);
    }),
  );
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

/** 120 random bits, short enough for a one-dimensional barcode. */
function newBarcodeValue(): string {
  return randomBytes(BARCODE_BYTES).toString('base64url');
}
