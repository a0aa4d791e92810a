import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** Close to the smallest there is, at a tenth of its time. */
const BROTLI_QUALITY = 9;

type Encoding = 'br' | 'gzip' | 'identity';

/** Sends something that stays the same until the next start. */
export type Send = (request: Request, response: Response) => Promise<void>;

/**
 * Sends a document as small as its reader takes it, and not at all to who has it already: compressed once, when it is
 * first asked for, off the event loop.
 *
 * @param type media type
 * @param cacheControl how long a reader may use it without asking
 */
export function createDocument(
  type: string,
  content: string | Buffer,
  cacheControl = 'no-cache',
): Send {
  const plain = Buffer.from(content);
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  const made = new Map<Encoding, Promise<Buffer>>();
  const encoded = (encoding: Encoding): Promise<Buffer> => {
    const known = made.get(encoding) ?? encode(plain, encoding);
    made.set(encoding, known);
    return known;
  };
  return async (request, response) => {
    const encoding = encodingFor(request);
    // Bytes that differ are another representation, and need another tag.
    const etag = `"${digest}-${encoding}"`;
    response.set({ ETag: etag, Vary: 'Accept-Encoding', 'Cache-Control': cacheControl });
    if (hasAlready(request, etag)) {
      response.status(304).end();
      return;
    }
    response.type(type);
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    const bytes = await encoded(encoding);
    response.set('Content-Length', String(bytes.length)).end(bytes);
  };
}

function encodingFor(request: Request): Encoding {
  if (request.acceptsEncodings('br')) return 'br';
  return request.acceptsEncodings('gzip') ? 'gzip' : 'identity';
}

/** Whether a browser that comes back holds just this. @param etag of what would be sent */
export function hasAlready(request: Request, etag: string): boolean {
  const tags = (request.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}

function encode(plain: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return Promise.resolve(plain);
  if (encoding === 'gzip') return promisify(gzip)(plain);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return promisify(brotliCompress)(plain, { params });
}
