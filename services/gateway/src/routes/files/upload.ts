import { platform } from '@laurel/errors';
import type { Request } from 'express';
import { filePartOf } from '../../middleware/multipart';

const FILE_BYTES_MAX = 5 * 1024 * 1024;
const bounds = { fileBytesMax: FILE_BYTES_MAX, tooLarge };

export interface Upload {
  filename: string;
  content: Buffer;
  fields: Readonly<Record<string, string>>;
}

/**
 * A multipart body with one part `file` of at most 5 MiB, in memory, and its other fields. Refuses anything that is not
 * multipart with 415, a larger file with 413, and a body without a file with 400.
 *
 * @param admit is asked with the fields that came before the file, and refuses before any of the file is read
 */
export async function readUpload(
  request: Request,
  admit: (fields: Upload['fields']) => Promise<void> = async () => undefined,
): Promise<Upload> {
  if (!request.is('multipart/form-data'))
    throw platform.unsupportedMediaType({
      message: 'send a multipart body with a part named file',
    });
  const { filename, content, fields, settled } = await filePartOf(request, bounds);
  await admit(fields);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  await settled;
  return { filename, content: Buffer.concat(chunks), fields };
}

function tooLarge() {
  return platform.payloadTooLarge({ message: 'the file is larger than 5 MiB', field: 'file' });
}
