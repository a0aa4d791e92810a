import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { resizeImage } from '../../outside/images/resize-image';
import { refusals } from '../../refusals';

/** A file as it is, or in another size. Sizes that were asked for lately are not drawn again. */
export async function getAsset(
  { files, assets }: Pick<PassDeps, 'files' | 'assets'>,
  { id, width, height, fit }: api.GetAssetRequest,
): Promise<api.Asset> {
  const isContained = fit === 'contain';
  const key = [id, width ?? '', height ?? '', isContained].join(':');
  const known = assets.get(key);
  // It may have been deleted since, perhaps through another replica.
  if (known && (await files.exists(id))) return known;
  const file = known ? null : await files.open(id);
  if (!file) throw refusals.fileNotFound();
  const size = { width, height, fit: isContained ? ('contain' as const) : ('cover' as const) };
  const isOriginal = width === undefined && height === undefined;
  const asset = isOriginal ? file : await resizeImage(file.content, file.mime_type, size);
  assets.set(key, asset);
  return asset;
}
