import { unitOfWork } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { nextTexts } from '../../domain/pass/push-texts';
import type { PassUpdate } from '../../store/pass-update-document';
import type { PassOnTemplate } from './find-signed-pass';

/**
 * Goes on to the next of several texts, of passes whose phones have heard the one that is shown (docs/adr/0047). It is written
 * before anything is pushed, as a phone fetches what is written. A pass that was changed since it was found stays as it
 * was: it is asked for anew, or its row is due again as long as texts wait.
 *
 * @param found the passes to be pushed, by their ids
 * @returns the same, with the texts that they show now
 */
export async function showNextTexts(
  { connection, passes }: Pick<PassDeps, 'connection' | 'passes'>,
  updates: readonly PassUpdate[],
  found: ReadonlyMap<string, PassOnTemplate>,
): Promise<ReadonlyMap<string, PassOnTemplate>> {
  const next = updates.flatMap(({ passId, heard }): Pass[] => {
    const pass = found.get(passId)?.pass;
    const texts = pass && nextTexts(pass, heard);
    return texts ? [{ ...pass, ...texts }] : [];
  });
  if (next.length === 0) return found;
  const ids = next.map(({ id }) => id);
  const written = await unitOfWork(connection, async (session) => {
    const current = await passes.findMany(updates[0]!.workspaceId, ids, session);
    const same = next.filter(({ id, revision }) => current.get(id)?.revision === revision);
    await passes.replaceAll(same, session);
    return same;
  });
  const shown = new Map(found);
  for (const pass of written) {
    const { template } = found.get(pass.id)!;
    shown.set(pass.id, { template, pass: { ...pass, revision: pass.revision + 1 } });
  }
  return shown;
}
