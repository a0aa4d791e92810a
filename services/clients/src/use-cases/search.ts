import { foldText, idIn, namedLike } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Client } from '../domain/client';

type Stores = Pick<Deps, 'clients' | 'identities' | 'segments'>;

/** Clients by id, external id, or part of their name, address or phone; segments by id or part of their name. */
export async function search(deps: Stores, request: common.SearchRequest): Promise<common.HitList> {
  const { types } = request;
  const hits = await Promise.all([
    types.includes('client') ? findClients(deps, request) : [],
    types.includes('segment') ? findSegments(deps, request) : [],
  ]);
  return { hits: hits.flat() };
}

async function findClients(
  { clients, identities }: Stores,
  { workspace_id: workspaceId, q, limit }: common.SearchRequest,
): Promise<common.Hit[]> {
  const id = idIn(q);
  const known = await identities.clientsOf(workspaceId, q.trim());
  const [byId, byExternalId, byText] = await Promise.all([
    id === null ? [] : clients.findMany(workspaceId, [id]),
    known.length === 0 ? [] : clients.findMany(workspaceId, known),
    clients.search(workspaceId, q, limit),
  ]);
  const hits = [
    ...byId.map((client) => hitOf(client, 'id')),
    ...byExternalId.map((client) => hitOf(client, 'external_id')),
    ...byText.map((client) => hitOf(client, fieldOf(client, q))),
  ];
  return [...new Map(hits.reverse().map((hit) => [hit.id, hit])).values()].reverse();
}

function hitOf(client: Client, matched: string): common.Hit {
  const { id, first_name, last_name, email, phone } = client;
  const name = [first_name, last_name].filter(Boolean).join(' ');
  const [title = id, subtitle = null] = [name, email, phone].filter((text) => !!text) as string[];
  return { type: 'client', id, title, subtitle, matched };
}

/** What of a client holds the text; phones are found however they are spelt. */
function fieldOf({ first_name, last_name, email }: Client, q: string): string {
  const text = foldText(q.trim());
  if (foldText(`${first_name ?? ''} ${last_name ?? ''}`).includes(text)) return 'name';
  return foldText(email ?? '').includes(text) ? 'email' : 'phone';
}

async function findSegments(
  { segments }: Stores,
  { workspace_id: workspaceId, q, limit }: common.SearchRequest,
): Promise<common.Hit[]> {
  const all = await segments.list(workspaceId);
  const id = idIn(q);
  const byId = all.filter((segment) => segment.id === id);
  const matched = byId.length > 0 ? 'id' : 'name';
  const found = byId.length > 0 ? byId : namedLike(all, q, limit);
  return found.map(({ id, name }) => ({
    type: 'segment',
    id,
    title: name,
    subtitle: null,
    matched,
  }));
}
