import type { Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import { handedOver } from '../../domain/pass/hand-over';
import type { Pass } from '../../domain/pass/pass';

export type HandOverDeps = Pick<PassDeps, 'formerBarcodes' | 'clock'>;

/**
 * Every change of whose a pass is goes through this. What is returned is to be written in the same transaction; of whom it is
 * taken from, no barcode of chance leads to it from then on.
 */
export async function handOver(
  { formerBarcodes, clock }: HandOverDeps,
  { pass, next }: { pass: Pass; next: string | null },
  session: Session,
): Promise<Pass> {
  const after = handedOver(pass, next, clock.now());
  const { workspace_id: workspaceId, barcode_spare: spare } = pass;
  if (spare !== null && after.barcode_spare !== spare)
    await formerBarcodes.release(workspaceId, spare, session);
  return after;
}
