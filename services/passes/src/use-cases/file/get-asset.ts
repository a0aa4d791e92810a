import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { type ResizedImage, resizeImage } from '../../outside/images/resize-image';
import { refusals } from '../../refusals';

/** A file as it is, or in another size. Sizes that were asked for lately are not drawn again. */
export async function getAsset(
  { files, assets, drawing }: Pick<PassDeps, 'files' | 'assets' | 'drawing'>,
  { id, width, height, fit }: api.GetAssetRequest,
): Promise<api.Asset> {
  const isContained = fit === 'contain';
  const key = [id, width ?? '', height ?? '', isContained].join(':');
  // What is known may have been deleted since, perhaps through another replica.
  const workspaceId = await files.workspaceOf(id);
  if (workspaceId === null) throw refusals.fileNotFound();
  const known = assets.get(key);
  if (known) return known;
  const open = async () => {
    const file = await files.open(id);
    if (!file) throw refusals.fileNotFound();
    return file;
  };
  const keep = (asset: ResizedImage) => {
    assets.set(key, asset);
    return asset;
  };
  if (width === undefined && height === undefined) return keep(await open());
  const size = { width, height, fit: isContained ? ('contain' as const) : ('cover' as const) };
  const draw = async ({ content, mime_type }: ResizedImage) =>
    keep(await resizeImage(content, mime_type, size));
  return drawing({ workspaceId, key, open, draw });
}
