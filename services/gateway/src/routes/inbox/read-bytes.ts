import { platform } from '@laurel/errors';
import type { Request } from 'express';

const BODY_BYTES_MAX = 1024 * 1024;

/** The body as it was sent, since signatures are made over its bytes; 413 when it is over 1 MiB. */
export async function readBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX)
    throw platform.payloadTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw platform.payloadTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
