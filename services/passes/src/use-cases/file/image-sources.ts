import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { parseImageSource } from './image-source';

type SourceDeps = Pick<PassDeps, 'files' | 'publicUrl'>;

/** What an image source names, and whether it may be used. Nothing is downloaded. */
export async function previewImageSource(
  { files, publicUrl }: SourceDeps,
  { workspace_id: workspaceId, raw }: api.PreviewImageSourceRequest,
): Promise<api.ImageSourcePreview> {
  const source = parseImageSource(raw);
  const preview = { kind: source.kind, raw, url: null, preview_url: null, cached_file_id: null };
  const addressOf = (fileId: string) => `${publicUrl}/assets/${fileId}`;
  if (source.kind === 'empty') return { ...preview, valid: false, reason: 'no image is named' };
  if (source.kind === 'custom_field') return { ...preview, valid: true };
  if (source.kind === 'uuid') {
    const file = await files.find(workspaceId, source.fileId);
    if (!file)
      return { ...preview, valid: false, reason: 'there is no such file in the workspace' };
    return { ...preview, url: addressOf(file.id), preview_url: addressOf(file.id), valid: true };
  }
  const { url, complaint } = source;
  if (complaint !== null) return { ...preview, url, valid: false, reason: complaint };
  const cached = await files.fetchedFrom(workspaceId, url);
  const shown = cached === null ? url : addressOf(cached);
  return { ...preview, url, preview_url: shown, cached_file_id: cached, valid: true };
}

/** Lets the image behind an address be fetched anew the next time it is drawn. */
export async function refreshImageSource(
  { images }: Pick<PassDeps, 'images'>,
  { workspace_id, source_url }: api.RefreshImageSourceRequest,
): Promise<Record<string, never>> {
  await images.refresh(workspace_id, source_url.trim());
  return {};
}
