import type { passes as api } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import { qrPng, qrSvg } from '../../outside/images/qr-code';
import { refusals } from '../../refusals';
import { publicUrlOf } from './wire';

/** The code of a distribution's page, ready to print. Refused where it has no page. */
export async function getDistributionQr(
  { distributions, publicUrl }: Pick<EnrollmentDeps, 'distributions' | 'publicUrl'>,
  { workspace_id, id, format, size }: api.DistributionQrRequest,
): Promise<api.Asset> {
  const distribution = await distributions.find(workspace_id, id);
  if (!distribution) throw refusals.distributionNotFound();
  const address = publicUrlOf(publicUrl, distribution);
  if (address === null) throw refusals.noPage();
  if (format === 'png') return { content: await qrPng(address, size), mime_type: 'image/png' };
  return { content: Buffer.from(qrSvg(address, size)), mime_type: 'image/svg+xml' };
}
