import type { EventOf } from '@laurel/events';
import type { WalletsDeps } from '../deps';

/** Removes what is held of a deleted pass. */
export async function forgetPass(
  {
    registrations,
    installs,
    contents,
  }: Pick<WalletsDeps, 'registrations' | 'installs' | 'contents'>,
  { workspaceid, data: { pass_id: passId } }: EventOf<'passes.pass_deleted'>,
): Promise<void> {
  await registrations.removeOfPass(passId);
  await installs.remove(passId);
  await contents.remove(workspaceid!, passId);
}

/** Removes everything held of a workspace. */
export async function forgetWorkspace(
  {
    registrations,
    installs,
    contents,
    credentialsStore,
  }: Pick<WalletsDeps, 'registrations' | 'installs' | 'contents' | 'credentialsStore'>,
  workspaceId: string,
): Promise<void> {
  for (const store of [registrations, installs, contents, credentialsStore])
    await store.removeWorkspace(workspaceId);
}
