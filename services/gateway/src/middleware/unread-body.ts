import type { Request, Response } from 'express';
import { hasBody } from './body';

/** So much that still comes is thrown away as it comes, and the connection serves the next request. */
const DISCARDED_BYTES_MAX = 1024 * 1024;
/** Of anything larger so much is read, so long, that the sender gets to read the answer; then the connection ends. */
const LINGER_BYTES_MAX = 16 * 1024 * 1024;
const LINGER_MS_MAX = 5_000;

/**
 * Ends an answer that is given before its request was read to the end. What is left of the body would stand in the way
 * of the next request on the connection, so it is taken off, or the connection is closed; and closed only after a while,
 * because what arrives at a closed connection makes the sender's system drop the answer unread.
 */
export function endEarly(request: Request, response: Response, content: Buffer): void {
  response.setHeader('Content-Length', content.length);
  if (!hasBody(request)) {
    response.end(content);
    return;
  }
  request.unpipe();
  const declared = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (request.complete || declared <= DISCARDED_BYTES_MAX) {
    response.end(content);
    request.resume();
    return;
  }
  response.setHeader('Connection', 'close');
  response.write(content);
  linger(request, () => response.end());
}

function linger(request: Request, close: () => void): void {
  let left = LINGER_BYTES_MAX;
  const end = () => {
    clearTimeout(timer);
    request.off('data', discard);
    request.pause();
    close();
  };
  const discard = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  };
  const timer = setTimeout(end, LINGER_MS_MAX).unref();
  request.once('end', end);
  request.once('close', end);
  request.on('data', discard);
  request.resume();
}
