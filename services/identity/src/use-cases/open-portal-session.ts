import { addressMark, type PortalLink, signClientAccess } from '@laurel/auth-cache';
import { Refusal } from '@laurel/errors';
import type { clients, identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { portalOf } from '../domain/portal';
import { refusals } from '../refusals';
import type { WorkspaceRow } from '../store/workspaces';
import { openPortal, portalSessionsSince } from './read-portal';
import { toPortalConfigReply } from './wire';

/**
 * Signs a client in. A client of another workspace, one that is not active and one that never was are
 * refused alike. Where codes are asked for, an id that anybody may know is not enough.
 */
export async function openPortalSession(
  deps: Deps,
  { workspace_slug, client_id, link_token }: identity.OpenPortalSessionRequest,
): Promise<identity.PortalSession> {
  const workspace = await openPortal(deps, workspace_slug);
  if (link_token !== undefined) return enterByLink(deps, workspace, link_token);
  if (portalOf(workspace.portal).login_mode === 'code') throw refusals.proofRequired();
  if (client_id === undefined) throw refusals.unknownPortalClient();
  const client = await activeClient(deps, workspace._id, client_id);
  if (!client) throw refusals.unknownPortalClient();
  const named = { workspace_id: workspace._id, client_id };
  const { sessions_since: provenAt } = await deps.clients.GetClientStanding(named);
  return sessionOf(deps, workspace, { ...client, provenAt });
}

/**
 * By a link out of a mail to the client's own address, or from a card. One from a card is no good once an address is
 * proven that was not when it was drawn: a stranger who filled in a form with the address may have it. To open
 * the one of a mail proves the address, as a code does; where it is the first proof, what was handed out before it ends.
 */
async function enterByLink(
  deps: Deps,
  workspace: WorkspaceRow,
  token: string,
): Promise<identity.PortalSession> {
  const { clientId, isProven, mailedTo } = linkedClient(deps, workspace, token);
  const client = await activeClient(deps, workspace._id, clientId);
  if (!client) throw refusals.unknownPortalClient();
  // The mailbox may be somebody else's by now, or always was: an address that was misspelt and put right.
  if (mailedTo && !(client.email && addressMark(client.email) === mailedTo))
    throw refusals.badPortalLink();
  const named = { workspace_id: workspace._id, client_id: clientId };
  if (mailedTo) {
    const { proven_at } = await deps.clients.NoteAddressProof(named);
    return sessionOf(deps, workspace, { ...client, provenAt: proven_at });
  }
  const standing = await deps.clients.GetClientStanding(named);
  const { sessions_since: provenAt, address_proven_at } = standing;
  // One that was made after a proof and does not say of which address is good while a proof stands, and is none itself.
  const isOfProof = isProven === true && address_proven_at !== undefined;
  if (provenAt !== undefined && !isOfProof) throw refusals.badPortalLink();
  return sessionOf(deps, workspace, { ...client, provenAt });
}

export function sessionOf(
  { tokens, config }: Pick<Deps, 'tokens' | 'config'>,
  workspace: WorkspaceRow,
  {
    id,
    first_name,
    last_name,
    email,
    provenAt = 0,
  }: clients.Client & { provenAt?: number | undefined },
): identity.PortalSession {
  return {
    token: signClientAccess(
      tokens,
      { workspaceId: workspace._id, clientId: id },
      // Clocks differ: a session that a proof opened is never older than the proof.
      { since: portalSessionsSince(workspace), at: Math.max(Date.now(), provenAt) },
    ),
    client: { id, first_name, last_name, email },
    workspace: {
      id: workspace._id,
      slug: workspace.slug,
      name: workspace.name,
      default_locale: workspace.settings.default_locale,
    },
    portal: toPortalConfigReply(workspace, config.publicUrl).config,
  };
}

/** The client, if there is one and it is active. */
export async function activeClient(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  clientId: string,
): Promise<clients.Client | null> {
  try {
    const client = await clients.GetClient({ workspace_id: workspaceId, id: clientId });
    return client.status === 'active' ? client : null;
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus === 404) return null;
    throw error;
  }
}

function linkedClient(
  { portalLinks, clock }: Deps,
  workspace: WorkspaceRow,
  token: string,
): PortalLink {
  const link = opened(portalLinks, token, clock.now());
  if (link === null) throw refusals.badPortalLink();
  if (link.workspaceId !== workspace._id) throw refusals.unknownPortalClient();
  return link;
}

function opened(links: Deps['portalLinks'], token: string, now: Date) {
  try {
    return links.openPortalLink(token, now);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
