import { createHmac } from 'node:crypto';
import { newId } from '@laurel/lifecycle';
import { oneLine } from '@laurel/mail';
import { unitOfWork } from '@laurel/mongo';
import type { clients } from '@laurel/rpc';
import type { Deps } from '../deps';
import { emailKey } from '../domain/contact';
import { CODES_OF_ALL_PORTALS, countMail, TO_ONE_ADDRESS } from '../domain/mail-limits';
import { CODE_LIFE_MS, digestCode, newCode } from '../domain/one-time-code';
import { portalOf } from '../domain/portal';
import { portalCodeMail } from '../domain/portal-mail';
import type { CodeRequestRow } from '../store/portal-codes';
import type { WorkspaceRow } from '../store/workspaces';

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
  { connection, portalCodes, mailCounts, messages, config, clock }: Deps,
  request: CodeRequestRow,
  { workspace, client }: { workspace: WorkspaceRow; client: clients.Client },
): Promise<void> {
  const code = newCode();
  const id = portalCodeId(config.jwtSecret, workspace._id, request.email);
  await unitOfWork(connection, async (session) => {
    await portalCodes.removeRequest(request._id, session);
    const now = clock.now();
    const earlier = await portalCodes.find(workspace._id, id, session);
    const count = countMail(earlier?.made_at ?? [], TO_ONE_ADDRESS, now);
    if ('retryAfterSeconds' in count) return;
    const counted = `portal code:${emailKey(request.email)}`;
    if (await mailCounts.take(counted, CODES_OF_ALL_PORTALS, now, session)) return;
    const expiresAt = new Date(now.getTime() + CODE_LIFE_MS);
    await portalCodes.put(
      {
        _id: id,
        workspace_id: workspace._id,
        client_id: client.id,
        code_id: newId(),
        code_digest: digestCode(config.jwtSecret, `portal:${id}`, code),
        wrong_tries: 0,
        made_at: count.madeAt,
        expires_at: expiresAt,
        purge_at: new Date(now.getTime() + TO_ONE_ADDRESS.windowMs),
      },
      session,
    );
    const { name, settings } = workspace;
    const mail = portalCodeMail(code, { name: oneLine(name), locale: settings.default_locale });
    await messages.enqueue(
      { channel: 'email', to: client.email!, workspaceId: workspace._id, expiresAt, ...mail },
      session,
    );
  });
}

/** Where the code of an address in a workspace stands. The address itself is not kept. */
export function portalCodeId(key: string, workspaceId: string, email: string): string {
  return createHmac('sha256', key)
    .update(`portal-code:${workspaceId}:${emailKey(email)}`)
    .digest('base64url');
}
