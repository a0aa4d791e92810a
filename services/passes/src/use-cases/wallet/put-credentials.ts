import { invalidPayload } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';
import {
  certificateProblems,
  passTypeOfCertificate,
  readServiceAccount,
} from '../../outside/credentials/read';
import type { AppleCredentials, GoogleCredentials } from '../../outside/credentials/types';
import type { Wallet } from '../../store/credentials';
import { refreshWorkspace } from '../pass/refresh-for';
import { CREDENTIAL_FIELDS } from './credentials';

/**
 * Keeps a workspace's own Apple certificate, encrypted; refused where it could not sign a pass. One that phones would
 * not trust is kept, and the status says why it is not ready.
 */
export async function putAppleCredentials(
  deps: WalletDeps,
  request: api.PutAppleCredentialsRequest,
): Promise<api.WalletStatus> {
  const { workspace_id: workspaceId, certificate, key, passphrase, wwdr_certificate } = request;
  const passType = passTypeOfCertificate(certificate);
  const own: AppleCredentials = {
    passTypeIdentifier: request.pass_type_identifier,
    teamIdentifier: request.team_identifier,
    certificate,
    key,
    ...(passphrase === undefined ? {} : { passphrase }),
    issuer: wwdr_certificate,
  };
  const problems = certificateProblems(own, deps.clock.now()).map(({ field, message }) => ({
    field: CREDENTIAL_FIELDS[field],
    message: `${CREDENTIAL_FIELDS[field]}: ${message}`,
  }));
  if (passType !== null && passType !== request.pass_type_identifier)
    problems.push({ field: 'certificate', message: `certificate is for ${passType}` });
  if (problems.length > 0) throw invalidPayload(problems);
  await deps.credentialsStore.put(workspaceId, { wallet: 'apple', given: own }, deps.clock.now());
  return tellingPhones(deps, workspaceId, 'apple');
}

/** Keeps a workspace's own Google service account, encrypted. */
export async function putGoogleCredentials(
  deps: WalletDeps,
  { workspace_id: workspaceId, issuer_id, service_account }: api.PutGoogleCredentialsRequest,
): Promise<api.WalletStatus> {
  const account = readServiceAccount(JSON.stringify(service_account));
  if (!account) {
    const message = 'service_account must be the key file of a service account';
    throw invalidPayload([{ field: 'service_account', message }]);
  }
  const own: GoogleCredentials = { issuerId: issuer_id, ...account };
  await deps.credentialsStore.put(workspaceId, { wallet: 'google', given: own }, deps.clock.now());
  return tellingPhones(deps, workspaceId, 'google');
}

/**
 * What a workspace's wallets lack with the credentials that sign from now on. Where this one lacks nothing, phones hear what
 * changed while the ones before were no good.
 */
async function tellingPhones(
  deps: WalletDeps,
  workspaceId: string,
  wallet: Wallet,
): Promise<api.WalletStatus> {
  const status = await deps.credentials.status(workspaceId);
  if (status[wallet].ready) await refreshWorkspace(deps, workspaceId);
  return status;
}

/** Takes a workspace's own credentials away; those of the deployment sign again. Repeatable. */
export async function deleteWalletCredentials(
  deps: WalletDeps,
  { workspace_id: workspaceId, wallet: named }: api.WalletCredentialsRequest,
): Promise<Record<string, never>> {
  const wallet = named === 'google' ? 'google' : 'apple';
  await deps.credentialsStore.remove(workspaceId, wallet);
  await tellingPhones(deps, workspaceId, wallet);
  return {};
}
