import type { IncomingMessage } from 'node:http';
import { invalidPayload, parseJson, platform } from '@laurel/errors';
import express, { type Request, type Response } from 'express';
import { BODY_MEMBERS_MAX, complaintAboutBytes } from '../schema/bounds';

const BODY_BYTES_MAX = 1024 * 1024;

export type ReadJsonBody = (request: Request, response: Response) => Promise<void>;

/**
 * Reads the body as JSON into `request.body`. Something that is not sent as JSON is refused with 415,
 * more than 1 MiB with 413, what is no UTF-8 or has too many members or levels with 400 before it is parsed; no body counts as an empty object.
 */
export function createBodyReader(membersMax = BODY_MEMBERS_MAX): ReadJsonBody {
  const read = express.text({
    limit: BODY_BYTES_MAX,
    type: () => true,
    defaultCharset: 'utf-8',
    verify: (_request, _response, bytes, encoding) => {
      // The members of other encodings cannot be counted in their bytes; JSON is UTF-8 (RFC 8259).
      if (encoding !== 'utf-8') throw platform.unsupportedMediaType();
      const complaint = complaintAboutBytes(bytes, membersMax);
      if (complaint) throw invalidPayload([{ message: `the body ${complaint}` }]);
    },
  });
  return async (request, response) => {
    if (!hasBody(request)) {
      request.body = {};
      return;
    }
    if (!request.is(['json', '+json'])) throw platform.unsupportedMediaType();
    await new Promise<void>((resolve, reject) => {
      read(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
    });
    // A caller who hung up meanwhile is not read any more: what they asked is not what nothing would be taken for.
    if (typeof request.body !== 'string')
      throw platform.invalidPayload({ message: 'the body did not arrive' });
    request.body = parsed(request.body);
    if (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body)) {
      throw invalidPayload([{ message: 'the body must be a JSON object' }]);
    }
  };
}

/** An empty body counts as none. */
function parsed(text: string): unknown {
  if (text === '') return {};
  try {
    return parseJson(text);
  } catch {
    throw platform.invalidPayload({ message: 'the body is not valid JSON' });
  }
}

/** Whether anything comes after the headers. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
