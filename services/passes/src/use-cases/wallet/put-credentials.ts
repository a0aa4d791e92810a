import { invalidPayload } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';
import {
  certificateProblems,
  passTypeOfCertificate,
  readServiceAccount,
} from '../../outside/credentials/read';
import type { AppleCredentials, GoogleCredentials } from '../../outside/credentials/types';
import { CREDENTIAL_FIELDS } from './credentials';

/**
 * Keeps a workspace's own Apple certificate, encrypted; refused where it could not sign a pass. One that phones would
 * not trust is kept, and the status says why it is not ready.
 */
export async function putAppleCredentials(
  { credentialsStore, credentials, clock }: WalletDeps,
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
  const problems = certificateProblems(own, clock.now()).map(({ field, message }) => ({
    field: CREDENTIAL_FIELDS[field],
    message: `${CREDENTIAL_FIELDS[field]}: ${message}`,
  }));
  if (passType !== null && passType !== request.pass_type_identifier)
    problems.push({ field: 'certificate', message: `certificate is for ${passType}` });
  if (problems.length > 0) throw invalidPayload(problems);
  await credentialsStore.put(workspaceId, { wallet: 'apple', given: own }, clock.now());
  return credentials.status(workspaceId);
}

/** Keeps a workspace's own Google service account, encrypted. */
export async function putGoogleCredentials(
  { credentialsStore, credentials, clock }: WalletDeps,
  { workspace_id: workspaceId, issuer_id, service_account }: api.PutGoogleCredentialsRequest,
): Promise<api.WalletStatus> {
  const account = readServiceAccount(JSON.stringify(service_account));
  if (!account) {
    const message = 'service_account must be the key file of a service account';
    throw invalidPayload([{ field: 'service_account', message }]);
  }
  const own: GoogleCredentials = { issuerId: issuer_id, ...account };
  await credentialsStore.put(workspaceId, { wallet: 'google', given: own }, clock.now());
  return credentials.status(workspaceId);
}

/** Takes a workspace's own credentials away; those of the deployment sign again. Repeatable. */
export async function deleteWalletCredentials(
  { credentialsStore }: Pick<WalletDeps, 'credentialsStore'>,
  { workspace_id: workspaceId, wallet }: api.WalletCredentialsRequest,
): Promise<Record<string, never>> {
  await credentialsStore.remove(workspaceId, wallet === 'google' ? 'google' : 'apple');
  return {};
}
