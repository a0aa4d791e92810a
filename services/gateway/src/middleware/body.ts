import { invalidPayload, platform } from '@laurel/errors';
import express, { type Request, type Response } from 'express';

const BODY_BYTES_MAX = 1024 * 1024;
const parse = express.json({ limit: BODY_BYTES_MAX, strict: false, type: () => true });

/**
 * Reads the body as JSON into `request.body`. Something that is not sent as JSON is refused with 415,
 * more than 1 MiB with 413; no body counts as an empty object.
 */
export async function readJsonBody(request: Request, response: Response): Promise<void> {
  if (!hasBody(request)) {
    request.body = {};
    return;
  }
  if (!request.is(['json', '+json'])) throw platform.unsupportedMediaType();
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  if (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body)) {
    throw invalidPayload([{ message: 'the body must be a JSON object' }]);
  }
}

function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return (
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  );
}
