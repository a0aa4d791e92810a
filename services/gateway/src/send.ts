import type { Response } from 'express';
import { drained, type LiveAnswers, STALLED_MS } from './middleware/live-answers';
import type { AwaitPeer } from './middleware/peers';
import { forgetComing } from './middleware/verified-tokens';
import type { Answer, Input } from './routing';

/** What answers without an end need: a number of them. */
export interface LiveDependencies {
  liveAnswers: LiveAnswers;
}

/** Writes an answer that has an end. */
export async function send(
  response: Response,
  answer: Answer,
  awaitPeer: AwaitPeer,
): Promise<void> {
  const { status = 200, headers = {}, body, content, chunks } = answer;
  if (chunks) return sendPieces(response, { status, headers, chunks }, awaitPeer);
  response.status(status).set(headers);
  if (content) response.set('Content-Length', String(content.length)).end(content);
  else if (body === undefined) response.end();
  // Not by json(), which answers 304 to a reader with the tag of a row: that tells what people decided (docs/adr/0034), while the
  // uses and states that are shown beside it moved on.
  else response.type('json').end(JSON.stringify(body));
}

/**
 * Writes what comes piece by piece. The first piece is waited for: until then what fails is answered as a refusal, afterwards
 * the status has gone out. For a HEAD, whose answer has no body, nothing more is read.
 */
async function sendPieces(
  response: Response,
  { status, headers, chunks }: Required<Pick<Answer, 'status' | 'headers' | 'chunks'>>,
  awaitPeer: AwaitPeer,
): Promise<void> {
  const pieces = chunks[Symbol.asyncIterator]();
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
    await pieces.return?.();
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
