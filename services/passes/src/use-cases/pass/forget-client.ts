import type { Erasure, Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import { isScrubbed, scrubbedPass } from '../../domain/pass/pass';
import { randomBarcode } from '../../domain/pass/random-barcode';
import { type ForgetFilesDeps, forgetFiles } from '../file/forget-files';
import { type RemovalDeps, removePass, retirePass } from './delete-pass';
import { writePass } from './write-pass';

export type ForgetDeps = RemovalDeps & ForgetFilesDeps & Pick<PassDeps, 'templateRefreshes'>;

/**
 * Ends the passes of somebody who is gone, with the pictures that only they showed: of who was deleted they go; of who
 * was anonymized they stay without what they say of them. Repeating it changes nothing.
 */
export async function forgetClient(
  deps: ForgetDeps,
  { workspaceId, clientId, ending }: Erasure,
  session: Session,
): Promise<void> {
  const held = await deps.passes.listOfClients(workspaceId, [clientId], session);
  const telling = ending === 'deleted' ? held : held.filter((pass) => !isScrubbed(pass));
  await forgetFiles(deps, { workspaceId, clientId, passes: telling }, session);
  for (const pass of telling) {
    if (ending === 'deleted') await removePass(deps, pass, session);
    else {
      const change = { barcode: randomBarcode(), now: deps.clock.now() };
      const after = scrubbedPass(pass, change);
      await writePass(deps, { before: pass, after, source: 'anonymize' }, session);
      await retirePass(deps, pass, session);
    }
  }
}
