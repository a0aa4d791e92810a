import { invalidPayload, platform } from '@laurel/errors';
import type { Request } from 'express';
import { BODY_MEMBERS_MAX, complaintAboutBytes } from '../../schema/bounds';

const BODY_BYTES_MAX = 1024 * 1024;

/** JSON as it was sent, since signatures are made over its bytes; 413 when it is over 1 MiB. */
export async function readJsonBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX)
    throw platform.payloadTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  // A request that is destroyed takes its connection along, and the refusal with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > BODY_BYTES_MAX) throw platform.payloadTooLarge();
    chunks.push(chunk as Buffer);
  }
  const body = Buffer.concat(chunks);
  const complaint = complaintAboutBytes(body, BODY_MEMBERS_MAX);
  if (complaint) throw invalidPayload([{ message: `the body ${complaint}` }]);
  return body;
}
