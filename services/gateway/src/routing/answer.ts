import type { Json } from '@laurel/errors';

type Headers = Record<string, string>;

/** What a route gives back: a JSON body, a file, nothing, or a stream whose size, or end, is unknown beforehand. */
export interface Answer {
  status?: number;
  headers?: Headers;
  body?: unknown;
  content?: Buffer;
  chunks?: AsyncIterable<string | Buffer>;
  /** Rejects where who reads `chunks` may not have them any more, where the request does not say who that is. */
  stillAllowed?: () => Promise<void>;
  /** Goes on for as long as somebody reads, and takes up no turn of admission control. */
  live?: AsyncIterable<string>;
  /** Not kept under its Idempotency-Key: the same request again does the rest of what was asked. */
  isUnfinished?: boolean;
}

/** `{ data, meta? }`: the form of most answers. */
export function data(value: unknown, meta?: unknown): Answer {
  return { body: meta === undefined ? { data: value } : { data: value, meta } };
}

/** `{ message }`. */
export function message(text: string): Answer {
  return { body: { message: text } };
}

/** A body that the contract does not wrap. */
export function bare(body: { [key: string]: Json | undefined } | object): Answer {
  return { body };
}

/** A file as it is. Pages of other origins and mails may show it. */
export function file(contentType: string, content: Buffer): Answer {
  const headers = { 'Content-Type': contentType, 'Cross-Origin-Resource-Policy': 'cross-origin' };
  return { content, headers };
}

/** Leads on to another address. */
export function redirect(address: string): Answer {
  return { status: 302, headers: { Location: address, 'Cache-Control': 'no-store' } };
}

export function noContent(): Answer {
  return { status: 204 };
}

/** A download that is written as it is produced. */
export function stream(
  contentType: string,
  filename: string,
  chunks: AsyncIterable<string | Buffer>,
): Answer {
  const disposition = `attachment; filename="${filename}"`;
  return { chunks, headers: { 'Content-Type': contentType, 'Content-Disposition': disposition } };
}

/** What is sent while it happens; nothing between here and its reader may keep it back. */
export function live(contentType: string, chunks: AsyncIterable<string>): Answer {
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  };
  return { live: chunks, headers };
}

export function withStatus(answer: Answer, status: number): Answer {
  return { ...answer, status };
}

export function withHeaders(answer: Answer, headers: Headers): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** A row of configuration, with the tag of its version as a header in place of a member. */
export function versioned<Row extends { etag?: string | undefined }>(
  { etag, ...row }: Row,
  present: (row: Omit<Row, 'etag'>) => unknown = (shown) => shown,
): Answer {
  return tagged(data(present(row)), etag);
}

/** An answer with the tag of the version that it shows. */
export function tagged(answer: Answer, etag: string | undefined): Answer {
  return etag === undefined ? answer : withHeaders(answer, { ETag: `"${etag}"` });
}

/** Marks an answer that repeats an earlier one (part 3, section 1.3). */
export function replayed(answer: Answer, isReplay: boolean): Answer {
  return isReplay ? withHeaders(answer, { 'Idempotency-Replayed': 'true' }) : answer;
}
