import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { refusals } from '../../refusals';
import { viewPass, viewPasses } from './view-passes';

type Stores = Pick<PassDeps, 'passes' | 'links' | 'clients'>;

/** Newest first. Refuses a project or template that the workspace does not have. */
export async function listPasses(
  deps: Stores & Pick<PassDeps, 'projects' | 'templates'>,
  request: api.ListPassesRequest,
): Promise<api.PassPage> {
  const { workspace_id, project_id, pass_template_id, limit, offset, cursor } = request;
  if (project_id !== undefined && !(await deps.projects.find(workspace_id, project_id)))
    throw refusals.unknownProject({ field: 'project_id' });
  if (
    pass_template_id !== undefined &&
    !(await deps.templates.find(workspace_id, pass_template_id))
  )
    throw refusals.unknownPassTemplate({ field: 'pass_template_id' });
  const filter = { projectId: project_id, templateId: pass_template_id };
  const page = await deps.passes.list(workspace_id, filter, { limit, offset, cursor });
  return {
    passes: await viewPasses(deps, page.passes),
    total: page.total,
    next_cursor: page.nextCursor,
  };
}

/** One pass; `with_client` adds the client it belongs to, where there is one. */
export async function getPass(
  deps: Stores,
  { workspace_id, id, with_client: withClient }: api.GetPassRequest,
): Promise<api.Pass> {
  const pass = await deps.passes.find(workspace_id, id);
  if (!pass) throw refusals.passNotFound();
  const reply = await viewPass(deps, pass);
  if (!withClient || pass.client_id === null) return reply;
  const [client] = (await deps.clients.GetClients({ workspace_id, ids: [pass.client_id] })).clients;
  return client ? { ...reply, client } : reply;
}

/** Newest first, of all of the clients together. */
export async function listPassesOfClients(
  deps: Stores,
  { workspace_id, client_ids }: api.ClientsRequest,
): Promise<api.PassList> {
  const found = await deps.passes.listOfClients(workspace_id, client_ids);
  return { passes: await viewPasses(deps, found) };
}

/** The pass that has the value, else the one that had it last: phones and prints show it for a while yet. */
export async function findPassByBarcode(
  deps: Stores & Pick<PassDeps, 'formerBarcodes'>,
  { workspace_id, barcode_value }: api.BarcodeRequest,
): Promise<api.Pass> {
  const pass =
    (await deps.passes.findByBarcode(workspace_id, barcode_value)) ??
    (await formerPass(deps, workspace_id, barcode_value));
  if (!pass) throw refusals.passNotFound();
  return viewPass(deps, pass);
}

async function formerPass(
  { passes, formerBarcodes }: Pick<PassDeps, 'passes' | 'formerBarcodes'>,
  workspaceId: string,
  value: string,
) {
  const passId = await formerBarcodes.passOf(workspaceId, value);
  return passId === null ? null : passes.find(workspaceId, passId);
}

/** Where passes belong, whatever workspace they are of; unknown ones are left out. */
export async function locatePasses(
  { passes }: Pick<PassDeps, 'passes'>,
  { pass_ids }: api.PassIds,
): Promise<api.PassLocations> {
  const found = await passes.locate([...new Set(pass_ids)]);
  return {
    passes: found.map(({ id, workspace_id, client_id, project_id, pass_template_id }) => ({
      pass_id: id,
      workspace_id,
      client_id,
      project_id,
      pass_template_id,
    })),
  };
}
