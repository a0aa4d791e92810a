import type { Request, Response } from 'express';
import { hasAlready } from '../compressed';
import type { PageFile } from './assets';

/** Their names change with their content. */
export const HASHED = /^assets\//;

/** Sends a file in the smallest form that the browser takes, and not at all to one that has it already. */
export function sendFile(
  request: Request,
  response: Response,
  { name, content, packed, digest }: PageFile,
): void {
  const choice = request.acceptsEncodings(Object.keys(packed));
  const chosen = choice ? packed[choice as keyof typeof packed] : undefined;
  // Bytes that differ are another representation, and need another tag.
  const etag = `"${digest}-${chosen ? choice : 'identity'}"`;
  response.set({
    // A browser that comes back asks about what keeps its name, and about nothing else.
    'Cache-Control': HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ETag: etag,
  });
  if (hasAlready(request, etag)) {
    response.status(304).end();
    return;
  }
  response.type(name.split('.').at(-1)!);
  if (chosen) response.set('Content-Encoding', String(choice));
  response.send(chosen ?? content);
}
