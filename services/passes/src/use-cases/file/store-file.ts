import { createHash, randomUUID } from 'node:crypto';
import { PICTURE_USES } from '@laurel/contract';
import { platform } from '@laurel/errors';
import { commitOnce } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { pictureWarnings } from '../../domain/file/picture-warnings';
import { cleanImage } from '../../outside/images/clean-image';
import { FILE_BYTES_MAX } from '../../outside/images/fetch-image';
import { hasTransparency } from '../../outside/images/has-transparency';
import { refusals } from '../../refusals';
import type { StoredFile } from '../../store/files';
import { toFileReply } from './wire';

const FILENAME_MAX = 255;

type FileDeps = Pick<PassDeps, 'connection' | 'files' | 'clock'>;

/** Keeps an uploaded image. Refused with 413 over 5 MiB, and where the content is no PNG, JPEG, WebP or GIF. */
export async function storeFile(
  deps: FileDeps,
  { workspace_id: workspaceId, filename, content }: api.StoreFileRequest,
): Promise<api.File> {
  if (content.length > FILE_BYTES_MAX) throw platform.payloadTooLarge({ field: 'file' });
  const file = await storeImage(deps, { workspaceId, filename, content });
  if (!file) throw refusals.noImage({ field: 'file' });
  return toFileReply(file);
}

/** Keeps an uploaded image, and says what will look poor about it where it is said what it is for. */
export async function storePicture(
  deps: FileDeps,
  request: api.StoreFileRequest,
): Promise<api.StoredPicture> {
  const file = await storeFile(deps, request);
  const purpose = PICTURE_USES.find((each) => each === request.purpose);
  if (!purpose) return { file, warnings: [] };
  const { width, height } = file;
  const facts = { width, height, hasTransparency: await hasTransparency(request.content) };
  return { file, warnings: pictureWarnings(purpose, facts) };
}

/**
 * Keeps an image, without what it says of people, under an id that cannot be guessed, because all who know it may see it;
 * null where it is none.
 */
export async function storeImage(
  { connection, files, clock }: FileDeps,
  { workspaceId, filename, content }: { workspaceId: string; filename: string; content: Buffer },
): Promise<StoredFile | null> {
  const image = await cleanImage(content);
  if (!image) return null;
  const { mime_type, width, height } = image;
  const file: StoredFile = {
    id: randomUUID(),
    workspace_id: workspaceId,
    filename: filename.slice(0, FILENAME_MAX),
    size: image.content.length,
    mime_type,
    width,
    height,
    date_created: clock.now(),
  };
  const sha256s = [...new Set([content, image.content].map(sha256Of))];
  return commitOnce(connection, async (session) => {
    await files.insert({ ...file, sha256s }, image.content, session);
    return file;
  });
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
