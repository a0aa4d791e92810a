import { invalidField, platform } from '@laurel/errors';
import type { Request } from 'express';
import { filePartOf } from '../../middleware/multipart';
import type { AwaitPeer } from '../../middleware/peers';

const FILE_BYTES_MAX = 50 * 1024 * 1024;
const CHUNK_BYTES = 512 * 1024;
const PLAIN_TYPES = [
  'text/csv',
  'text/tab-separated-values',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
];

/**
 * The uploaded file in pieces of about half a MiB, as it arrives: the part `file` of a multipart body, or the
 * body itself when it is sent as CSV or NDJSON. Refuses a body without a file, and more than 50 MiB.
 */
export async function* uploadedChunks(
  request: Request,
  awaitPeer: AwaitPeer,
): AsyncIterable<Buffer> {
  const chunks = chunksOf(request);
  try {
    for (;;) {
      const next = await awaitPeer(() => chunks.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return(undefined);
  }
}

async function* chunksOf(request: Request): AsyncGenerator<Buffer, void> {
  const file = request.is('multipart/form-data')
    ? (await filePartOf(request, { fileBytesMax: FILE_BYTES_MAX, tooLarge })).content
    : plainBody(request);
  let held: Buffer[] = [];
  let heldBytes = 0;
  let total = 0;
  for await (const piece of file as AsyncIterable<Buffer>) {
    total += piece.length;
    if (total > FILE_BYTES_MAX) throw tooLarge();
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes < CHUNK_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    heldBytes = 0;
  }
  if (total === 0) throw invalidField('file', 'the file is empty');
  if (heldBytes > 0) yield Buffer.concat(held);
}

const HEAD_BYTES = 1024 * 1024;

/** The beginning of the uploaded file; the rest is read, for an answer comes after its request, and let go. */
export async function headOf(
  request: Request,
  awaitPeer: AwaitPeer,
): Promise<{ format: 'csv' | 'ndjson'; head: Buffer; is_whole: boolean }> {
  const held: Buffer[] = [];
  let heldBytes = 0;
  let total = 0;
  for await (const chunk of uploadedChunks(request, awaitPeer)) {
    total += chunk.length;
    const wanted = chunk.subarray(0, HEAD_BYTES - heldBytes);
    if (wanted.length > 0) held.push(wanted);
    heldBytes += wanted.length;
  }
  const head = Buffer.concat(held);
  return { format: formatOf(head), head, is_whole: total < HEAD_BYTES };
}

/** NDJSON begins with a brace, which no CSV of ours does. */
export function formatOf(firstChunk: Buffer): 'csv' | 'ndjson' {
  // In all encodings of a CSV a brace is the same byte, but for byte order marks and the zeros of UTF-16.
  const text = firstChunk
    .toString('latin1', 0, 64)
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
  return text.replaceAll('\0', '').trimStart().startsWith('{') ? 'ndjson' : 'csv';
}

function plainBody(request: Request): AsyncIterable<Buffer> {
  // A request that is destroyed takes its connection along, and the refusal with it.
  if (request.is(PLAIN_TYPES)) return request.iterator({ destroyOnReturn: false });
  throw platform.unsupportedMediaType({
    message: 'send a multipart body with a part named file, or the body as CSV or NDJSON',
  });
}

function tooLarge() {
  return platform.payloadTooLarge({ message: 'the file is larger than 50 MiB', field: 'file' });
}
