import { Refusal } from '@laurel/errors';
import type { Response } from 'express';
import { drained, type LiveAnswers, STALLED_MS } from './middleware/live-answers';
import { forgetComing } from './middleware/verified-tokens';
import { type Answer, type Input, withoutDeadline } from './routing';

/** What answers without an end need: a number of them. */
export interface LiveDependencies {
  liveAnswers: LiveAnswers;
}

type Reader = Pick<Input<string, unknown, unknown>, 'awaitPeer' | 'stillAllowed'>;
type Pieces = Required<Pick<Answer, 'status' | 'headers' | 'chunks'>>;

/** Writes an answer that has an end. */
export async function send(response: Response, answer: Answer, reader: Reader): Promise<void> {
  const { status = 200, headers = {}, body, content, chunks } = answer;
  const { stillAllowed = reader.stillAllowed } = answer;
  if (chunks) return sendPieces(response, { status, headers, chunks }, { ...reader, stillAllowed });
  response.status(status).set(headers);
  if (content) response.set('Content-Length', String(content.length)).end(content);
  else if (body === undefined) response.end();
  // Not by json(), which answers 304 to a reader with the tag of a row: that tells what people decided (docs/adr/0034), while the
  // uses and states that are shown beside it moved on.
  else response.type('json').end(JSON.stringify(body));
}

/**
 * Writes what comes piece by piece. The first piece is waited for: until then what fails is answered as a refusal, afterwards
 * the status has gone out. For a HEAD, whose answer has no body, nothing more is read. It is broken off where its reader may
 * not have it any more: as slowly as they take it, it shows what is written meanwhile.
 */
async function sendPieces(
  response: Response,
  { status, headers, chunks }: Pieces,
  { awaitPeer, stillAllowed }: Reader,
): Promise<void> {
  const pieces = whileAllowed(chunks, stillAllowed);
  try {
    let next = await pieces.next();
    response.status(status).set(headers);
    const isLook = response.req.method === 'HEAD';
    // A reader who breaks off is no fault of ours.
    while (!next.done && !isLook && !response.closed) {
      if (!response.write(next.value)) await awaitPeer(() => drained(response, STALLED_MS));
      next = await pieces.next();
    }
    response.end();
  } finally {
    await pieces.return(undefined);
  }
}

/** So often it is asked; a file that is written faster costs no look. */
const ASKED_AGAIN_MS = 10_000;
/** So long nothing is heard before a file is broken off for it: what the gateways know of a token may be as old. */
const UNHEARD_MS_MAX = 60_000;

async function* whileAllowed<T>(
  chunks: AsyncIterable<T>,
  stillAllowed: () => Promise<void>,
): AsyncGenerator<T, void> {
  let askedAt = performance.now();
  let allowedAt = askedAt;
  for await (const chunk of chunks) {
    if (performance.now() - askedAt >= ASKED_AGAIN_MS) {
      try {
        await withoutDeadline(stillAllowed);
        allowedAt = performance.now();
      } catch (error) {
        // Where there is no answer at the moment it is asked again: a file of an hour is not lost for that.
        const isRefused = error instanceof Refusal && error.httpStatus < 500;
        if (isRefused || performance.now() - allowedAt > UNHEARD_MS_MAX) throw error;
      }
      askedAt = performance.now();
    }
    yield chunk;
  }
}

interface Asked {
  input: Input<string, unknown, unknown>;
  response: Response;
}

/** How an answer without an end is sent, once the turn of its request is over; while its caller may still see it. */
export function sendLive(
  { liveAnswers }: LiveDependencies,
  answer: Answer & { live: AsyncIterable<string> },
  { input: { caller, stillAllowed }, response }: Asked,
): () => Promise<void> {
  forgetComing(response);
  return () => liveAnswers.send(response, answer, { caller, stillAllowed });
}
