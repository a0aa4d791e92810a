import type { Session } from '@laurel/mongo';
import type { CoreDeps } from '../deps';
import { randomBarcode } from '../domain/random-barcode';
import { type RemovalDeps, removePass, retirePass } from './delete-pass';
import { type ForgetFilesDeps, forgetFiles } from './forget-files';
import { writePass } from './write-pass';

type ForgetDeps = RemovalDeps & ForgetFilesDeps;

/** Deletes the passes of a deleted client, and the pictures that only they showed. */
export async function removeClientPasses(
  deps: ForgetDeps,
  workspaceId: string,
  clientId: string,
  session: Session,
): Promise<void> {
  const passes = await deps.passes.listOfClients(workspaceId, [clientId], session);
  await forgetFiles(deps, workspaceId, passes, session);
  for (const pass of passes) await removePass(deps, pass, session);
}

/**
 * Ends the passes of an anonymized client, and clears what they say of it: overrides with their pictures, texts that
 * were filled with a name, barcodes that were made of what was known.
 */
export async function scrubClientPasses(
  deps: ForgetDeps & Pick<CoreDeps, 'templateRefreshes'>,
  workspaceId: string,
  clientId: string,
  session: Session,
): Promise<void> {
  const passes = await deps.passes.listOfClients(workspaceId, [clientId], session);
  await forgetFiles(deps, workspaceId, passes, session);
  for (const before of passes) {
    const barcode = randomBarcode();
    const after = {
      ...before,
      pass_fields: {},
      notification: null,
      barcode_value: barcode,
      barcode_given: null,
      barcode_spare: barcode,
      status: 'voided' as const,
      retired: true,
      date_updated: deps.clock.now(),
    };
    await writePass(deps, { before, after, source: 'anonymize' }, session);
    await retirePass(deps, before, session);
  }
}
