import type { Session } from '@laurel/mongo';
import type { PassDeps } from '../../deps';
import type { Pass } from '../../domain/pass/pass';
import { fileIdsIn, names, usersOfFile } from './file-users';
import { parseImageSource } from './image-source';

export type ForgetFilesDeps = Pick<
  PassDeps,
  | 'clients'
  | 'drawnPictures'
  | 'files'
  | 'templates'
  | 'passes'
  | 'mobileApps'
  | 'rewards'
  | 'tiers'
  | 'identity'
>;

/** Deletes the pictures that only these passes of somebody who is gone showed, such as their photo. */
export async function forgetFiles(
  deps: ForgetFilesDeps,
  {
    workspaceId,
    clientId,
    passes,
  }: { workspaceId: string; clientId: string; passes: readonly Pass[] },
  session: Session,
): Promise<void> {
  const gone = new Set([clientId, ...passes.map(({ id }) => id)]);
  const named = passes.flatMap(({ pass_fields }) => fileIdsIn(pass_fields));
  const drawn = await filesDrawnOf(deps, { workspaceId, clientId }, session);
  for (const fileId of new Set([...named, ...drawn])) {
    if (!(await deps.files.find(workspaceId, fileId))) continue;
    const others = await usersOfFile(deps, { workspaceId, fileId }, gone);
    if (others.length === 0) await deps.files.remove(workspaceId, fileId, session);
  }
}

/** The files behind what the cards of a client alone showed, whatever named them; what is known of it goes. */
async function filesDrawnOf(
  { drawnPictures, files, templates }: ForgetFilesDeps,
  { workspaceId, clientId }: { workspaceId: string; clientId: string },
  session: Session,
): Promise<string[]> {
  const sources = await drawnPictures.sourcesOf(workspaceId, clientId, session);
  if (sources.length === 0) return [];
  const designs = await templates.list(workspaceId);
  const found: string[] = [];
  for (const source of sources) {
    if (await drawnPictures.isOfOthers(workspaceId, { clientId, source }, session)) continue;
    const picture = parseImageSource(source);
    if (picture.kind === 'uuid') found.push(picture.fileId);
    if (picture.kind !== 'url' || designs.some((design) => names(design, picture.url))) continue;
    const fetched = await files.fetchedFrom(workspaceId, picture.url);
    if (fetched !== null) found.push(fetched);
  }
  await drawnPictures.removeOf(workspaceId, clientId, session);
  return found;
}
