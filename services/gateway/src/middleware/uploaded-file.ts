import { invalidField, platform } from '@laurel/errors';
import busboy from 'busboy';
import type { Request } from 'express';

/**
 * The part `file` of a multipart body, held in memory. Refuses a body that is none (415), one without such a part or
 * with an empty one (400), and more than `bytesMax` (413).
 */
export function uploadedFile(request: Request, bytesMax: number): Promise<Buffer> {
  if (!request.is('multipart/form-data'))
    throw platform.unsupportedMediaType({
      message: 'send a multipart body with a part named file',
    });
  return new Promise((resolve, reject) => {
    const malformed = invalidField('file', 'the multipart body is malformed');
    const pieces: Buffer[] = [];
    const parser = parserOf(request, bytesMax, malformed);
    parser.on('file', (name, stream) => {
      if (name === 'file') stream.on('data', (piece: Buffer) => pieces.push(piece));
      else stream.resume();
      stream.on('limit', () => reject(tooLarge(bytesMax)));
      stream.on('error', () => reject(malformed));
    });
    parser.on('error', () => reject(malformed));
    parser.on('close', () => {
      const file = Buffer.concat(pieces);
      if (file.length === 0) reject(invalidField('file', 'a part named file is required'));
      else resolve(file);
    });
    request.on('aborted', () => parser.destroy(new Error('the upload was broken off')));
    request.pipe(parser);
  });
}

function parserOf(request: Request, fileSize: number, malformed: Error): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, limits: { files: 1, fields: 10, fileSize } });
  } catch {
    throw malformed;
  }
}

function tooLarge(bytesMax: number) {
  const mebibytes = bytesMax / 1024 / 1024;
  return platform.payloadTooLarge({
    message: `the file is larger than ${mebibytes} MiB`,
    field: 'file',
  });
}
