import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';
import { barcodePng } from '../../outside/draw/barcode';
import { findLivingPass } from './find-signed-pass';

/** A QR code of the link that puts the pass into a wallet. */
export async function getQrCode(
  deps: WalletDeps,
  request: api.PassQrCodeRequest,
): Promise<api.Picture> {
  const { pass } = await findLivingPass(deps, request);
  const { apple_pass_url, google_pass_url } = deps.links.urlsOf(pass);
  const link = request.platform === 'apple' ? apple_pass_url : google_pass_url;
  return { png: await barcodePng('qr', link) };
}
