import { idIn, namedLike } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

type Stores = Pick<Deps, 'distributions' | 'formerBarcodes' | 'passes' | 'templates'>;

/** Passes by id or barcode, cards and forms by id or part of their name. */
export async function search(deps: Stores, request: common.SearchRequest): Promise<common.HitList> {
  const { workspace_id: workspaceId, types } = request;
  const hits = await Promise.all([
    types.includes('pass') ? findPass(deps, request) : [],
    types.includes('card') ? named('card', await deps.templates.list(workspaceId), request) : [],
    types.includes('form')
      ? named('form', await deps.distributions.list(workspaceId), request)
      : [],
  ]);
  return { hits: hits.flat() };
}

async function findPass(
  { passes, formerBarcodes }: Stores,
  { workspace_id: workspaceId, q }: common.SearchRequest,
): Promise<common.Hit[]> {
  const text = q.trim();
  const id = idIn(text);
  const byId = id === null ? null : await passes.find(workspaceId, id);
  const former = async () => {
    const passId = await formerBarcodes.passOf(workspaceId, text);
    return passId === null ? null : passes.find(workspaceId, passId);
  };
  const pass = byId ?? (await passes.findByBarcode(workspaceId, text)) ?? (await former());
  if (!pass) return [];
  const matched = byId ? 'id' : 'barcode';
  const title = pass.barcode_value ?? pass.id;
  return [{ type: 'pass', id: pass.id, title, subtitle: pass.status, matched }];
}

function named(
  type: string,
  rows: readonly { id: string; name: string }[],
  { q, limit }: common.SearchRequest,
): common.Hit[] {
  const id = idIn(q);
  const byId = rows.filter((row) => row.id === id);
  const matched = byId.length > 0 ? 'id' : 'name';
  const found = byId.length > 0 ? byId : namedLike(rows, q, limit);
  return found.map((row) => ({ type, id: row.id, title: row.name, subtitle: null, matched }));
}
