import { createHmac } from 'node:crypto';
import { newId } from '@laurel/lifecycle';
import { portalCodeLetter, writeLetter } from '@laurel/mail';
import { unitOfWork } from '@laurel/mongo';
import type { clients } from '@laurel/rpc';
import { emailKey } from '@laurel/values/email';
import type { Deps } from '../deps';
import { CODE_LIFE_MS, digestCode, newCode } from '../domain/one-time-code';
import { portalOf } from '../domain/portal';
import type { CodeRequestRow, PortalCodeName } from '../store/portal-codes';
import type { WorkspaceRow } from '../store/workspaces';
import { countMailBySource } from './count-mail-by-source';
import { shopWriterOf } from './writer-of';

/** Sends the code that somebody asked for; those who may not enter get nothing. */
export async function sendPortalCode(deps: Deps, request: CodeRequestRow): Promise<void> {
  // After an outage: by now the person has asked again or gone away.
  const waitedMs = deps.clock.now().getTime() - request.asked_at.getTime();
  if (waitedMs > CODE_LIFE_MS) return deps.portalCodes.removeRequest(request._id);
  const workspace = await deps.workspaces.findBySlug(request.workspace_slug);
  const client = workspace && (await clientBehind(deps, workspace, request.email));
  if (!client) return deps.portalCodes.removeRequest(request._id);
  await makeCode(deps, request, { workspace, client });
}

/** Who would sign in with this address: an active client of a portal that is on. */
async function clientBehind(
  { clients }: Deps,
  workspace: WorkspaceRow,
  email: string,
): Promise<clients.Client | null> {
  if (!portalOf(workspace.portal).is_enabled) return null;
  const { client } = await clients.FindClientBy({ workspace_id: workspace._id, email });
  return client?.status === 'active' && client.email !== null ? client : null;
}

async function makeCode(
  deps: Deps,
  request: CodeRequestRow,
  { workspace, client }: { workspace: WorkspaceRow; client: clients.Client },
): Promise<void> {
  const { connection, portalCodes, messages, config, clock } = deps;
  const code = newCode();
  const { email, source = '' } = request;
  const key = emailKey(email);
  const name = portalCodeName(config.jwtSecret, workspace._id, { email, source });
  await unitOfWork(connection, async (session) => {
    await portalCodes.removeRequest(request._id, session);
    const now = clock.now();
    const counted = `portal code:${workspace._id}:${key}`;
    const from = { door: 'portal' as const, emailKey: key, source };
    if (!(await countMailBySource(deps, { counted, from }, session))) return;
    const expiresAt = new Date(now.getTime() + CODE_LIFE_MS);
    await portalCodes.put(
      {
        ...name,
        workspace_id: workspace._id,
        client_id: client.id,
        code_id: newId(),
        code_digest: digestCode(config.jwtSecret, `portal:${name._id}`, code),
        wrong_tries: 0,
        tries_elsewhere: 0,
        made_at: now,
        expires_at: expiresAt,
        purge_at: expiresAt,
      },
      session,
    );
    const writer = await shopWriterOf(deps, workspace, { kind: 'portal_code', session });
    const mail = writeLetter(portalCodeLetter(writer, code));
    await messages.enqueue(
      { channel: 'email', to: client.email!, workspaceId: workspace._id, expiresAt, ...mail },
      session,
    );
  });
}

/** What the code of an address in a workspace that a source asked for stands under. Neither of them is kept. */
export function portalCodeName(
  key: string,
  workspaceId: string,
  { email, source }: { email: string; source: string },
): PortalCodeName {
  const keyed = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const address = keyed(`portal-code:${workspaceId}:${emailKey(email)}`);
  return { address, _id: keyed(`${address}:${source}`) };
}
