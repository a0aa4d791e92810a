import { invalidField, platform } from '@laurel/errors';
import busboy from 'busboy';
import type { Request } from 'express';

const FILE_BYTES_MAX = 5 * 1024 * 1024;
/** A body is read to its end before it is refused, so that the sender gets to read why; but not any body. */
const BODY_BYTES_MAX = 4 * FILE_BYTES_MAX;
const FIELD_BYTES_MAX = 1_024;

export interface Upload {
  filename: string;
  content: Buffer;
  fields: Record<string, string>;
}

/**
 * A multipart body with one part `file` of at most 5 MiB, in memory, and its other fields. Refuses anything that is not
 * multipart with 415, a larger file with 413, and a body without a file with 400.
 */
export async function readUpload(request: Request): Promise<Upload> {
  if (!request.is('multipart/form-data'))
    throw platform.unsupportedMediaType({
      message: 'send a multipart body with a part named file',
    });
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  const { file, fields, isCut } = await parse(request);
  if (isCut) throw tooLarge();
  if (!file) throw invalidField('file', 'a part named file is required');
  return { ...file, fields };
}

interface Parsed {
  file: Omit<Upload, 'fields'> | null;
  fields: Record<string, string>;
  isCut: boolean;
}

function parse(request: Request): Promise<Parsed> {
  return new Promise((resolve, reject) => {
    const malformed = () => reject(invalidField('file', 'the multipart body is malformed'));
    const parsed: Parsed = { file: null, fields: {}, isCut: false };
    try {
      const limits = { files: 1, fileSize: FILE_BYTES_MAX, fieldSize: FIELD_BYTES_MAX };
      const parser = busboy({ headers: request.headers, limits });
      parser.on('field', (name, value) => {
        parsed.fields[name] = value;
      });
      parser.on('file', (name, part, { filename }) => {
        if (name !== 'file') return void part.resume();
        const chunks: Buffer[] = [];
        part.on('data', (chunk: Buffer) => chunks.push(chunk));
        part.on('limit', () => {
          parsed.isCut = true;
        });
        part.on('end', () => {
          parsed.file = { filename: filename ?? 'file', content: Buffer.concat(chunks) };
        });
      });
      parser.on('error', malformed);
      parser.on('close', () => resolve(parsed));
      request.on('aborted', () => parser.destroy(new Error('the upload was broken off')));
      request.pipe(parser);
    } catch {
      malformed();
    }
  });
}

function tooLarge() {
  return platform.payloadTooLarge({ message: 'the file is larger than 5 MiB', field: 'file' });
}
