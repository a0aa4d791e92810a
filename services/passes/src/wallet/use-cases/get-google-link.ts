import type { passes as api } from '@laurel/rpc';
import type { WalletsDeps } from '../deps';
import { drawGooglePass } from '../google/draw';
import { saveLink } from '../google/save-link';
import { findSignedPass } from './find-signed-pass';

/** Where whoever follows the link of a pass saves it to Google Wallet. */
export async function getGoogleLink(
  deps: WalletsDeps,
  request: api.SignedPassRequest,
): Promise<api.Address> {
  const { pass, template } = await findSignedPass(deps, request);
  const credentials = await deps.credentials.google(pass.workspace_id);
  const drawn = await drawGooglePass(deps, credentials, { pass, template });
  const known = credentials.trusted && (await deps.googleApi.tryPut(credentials, drawn));
  const { origin } = new URL(deps.publicUrl);
  return { url: saveLink(credentials, drawn, { saveUrl: deps.googleSaveUrl, origin, known }) };
}
