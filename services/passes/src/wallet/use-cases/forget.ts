import type { EventOf } from '@laurel/events';
import type { WalletsDeps } from '../deps';

/** Removes what is held of a deleted pass, and ends it at Google; iPhones find out when they ask for it. */
export async function forgetPass(
  deps: WalletsDeps,
  { workspaceid, data: { pass_id: passId } }: EventOf<'passes.pass_deleted'>,
): Promise<void> {
  const workspaceId = workspaceid!;
  await expireAtGoogle(deps, workspaceId, passId);
  await deps.registrations.removeOfPass(passId);
  for (const store of [deps.googleObjects, deps.installs, deps.contents])
    await store.remove(workspaceId, passId);
}

async function expireAtGoogle(
  { googleObjects, googleApi, credentials }: WalletsDeps,
  workspaceId: string,
  passId: string,
): Promise<void> {
  const known = await googleObjects.find(workspaceId, passId);
  if (!known) return;
  const issuer = await credentials.google(workspaceId);
  if (issuer.trusted) await googleApi.expire(issuer, known.kind, known.objectId);
}

/** Removes everything held of a workspace. */
export async function forgetWorkspace(deps: WalletsDeps, workspaceId: string): Promise<void> {
  const { registrations, googleObjects, installs, contents, credentialsStore } = deps;
  for (const store of [registrations, googleObjects, installs, contents, credentialsStore])
    await store.removeWorkspace(workspaceId);
}
