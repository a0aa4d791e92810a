import type { passes as api } from '@laurel/rpc';
import { refusals } from '../../refusals';
import type { CoreDeps } from '../deps';
import { toPassReply } from '../replies';

type Stores = Pick<CoreDeps, 'passes' | 'links'>;

/** Newest first. */
export async function listPasses(
  { passes, links }: Stores,
  request: api.ListPassesRequest,
): Promise<api.PassPage> {
  const { workspace_id, project_id, pass_template_id, limit, offset, cursor } = request;
  const filter = { projectId: project_id, templateId: pass_template_id };
  const page = await passes.list(workspace_id, filter, { limit, offset, cursor });
  return {
    passes: page.passes.map((pass) => toPassReply(links, pass)),
    total: page.total,
    next_cursor: page.nextCursor,
  };
}

/** One pass; `with_client` adds the client it belongs to, where there is one. */
export async function getPass(
  { passes, links, clients }: Stores & Pick<CoreDeps, 'clients'>,
  { workspace_id, id, with_client: withClient }: api.GetPassRequest,
): Promise<api.Pass> {
  const pass = await passes.find(workspace_id, id);
  if (!pass) throw refusals.passNotFound();
  const reply = toPassReply(links, pass);
  if (!withClient || pass.client_id === null) return reply;
  const [client] = (await clients.GetClients({ workspace_id, ids: [pass.client_id] })).clients;
  return client ? { ...reply, client } : reply;
}

/** Newest first, of all of the clients together. */
export async function listPassesOfClients(
  { passes, links }: Stores,
  { workspace_id, client_ids }: api.ClientsRequest,
): Promise<api.PassList> {
  const found = await passes.listOfClients(workspace_id, client_ids);
  return { passes: found.map((pass) => toPassReply(links, pass)) };
}

export async function findPassByBarcode(
  { passes, links }: Stores,
  { workspace_id, barcode_value }: api.BarcodeRequest,
): Promise<api.Pass> {
  const pass = await passes.findByBarcode(workspace_id, barcode_value);
  if (!pass) throw refusals.passNotFound();
  return toPassReply(links, pass);
}

/** Where passes belong, whatever workspace they are of; unknown ones are left out. */
export async function locatePasses(
  { passes }: Pick<CoreDeps, 'passes'>,
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
