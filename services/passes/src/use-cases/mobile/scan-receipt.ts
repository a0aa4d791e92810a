import { currentContext } from '@laurel/lifecycle';
import type { passes as api } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { factsOf } from '../../domain/mobile/receipt/receipt';
import { preparedImage } from '../../outside/receipts/prepare-image';
import { openApp } from './open-app';

/** What a photographed receipt says. Nothing of it is kept. */
export async function scanReceipt(
  deps: Pick<MobileDeps, 'mobileApps' | 'receiptReader' | 'clock'>,
  request: api.ScanReceiptRequest,
): Promise<api.Receipt> {
  await openApp(deps, request);
  const image = await preparedImage(request.image);
  const { text, confidence } = await deps.receiptReader.read(image, currentContext().deadlineAt);
  const today = deps.clock.now().toISOString().slice(0, 10);
  const isBlank = text === '';
  return {
    ...factsOf(text, today),
    raw_text: isBlank ? null : text,
    confidence: isBlank ? null : confidence,
  };
}
