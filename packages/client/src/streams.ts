import { ConnectionError, isLaurelError } from './errors';
import type { LaurelEvent } from './generated/types';
import { backoffMs, pause } from './waiting';

/** A stream that has ended cannot be cancelled, and need not be. */
const endedAlready = (): undefined => undefined;

/** What a webhook brings, as it happens. */
export type StreamedEvent = LaurelEvent & {
  /** Of the event; webhooks bring it as `webhook-id`. */
  id: string;
  /** Where to go on after it. */
  cursor: string;
};

/** Something is on the line every 5 seconds: silence for so long is a broken line. */
const SILENCE_MS_MAX = 20_000;

/** The lines of an answer, as they come. Ends with an error where nothing comes for `silenceMs`. */
export async function* linesOf(
  response: Response,
  silenceMs?: number,
): AsyncGenerator<string, void, undefined> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const stop = () => reader.cancel().catch(endedAlready);
  let rest = '';
  try {
    for (;;) {
      const timer = silenceMs && setTimeout(stop, silenceMs);
      const { value, done } = await reader.read().finally(() => clearTimeout(timer));
      if (done) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
    // What was cut off within a character is part of the last line: it is no whole one then.
    rest += decoder.decode();
    if (rest) yield rest;
  } finally {
    await stop();
  }
}

/** The rows of an export as NDJSON: `for await (const client of rowsOf(await laurel.clients.export()))`. */
export async function* rowsOf<Row = Record<string, unknown>>(
  response: Response,
): AsyncGenerator<Row, void, undefined> {
  for await (const line of linesOf(response)) if (line) yield JSON.parse(line);
}

/** Events without an end: where the line breaks it goes on behind the last one. Refusals are thrown. */
export async function* follow(
  open: (query: object) => Promise<Response>,
  query: { cursor?: string },
  signal?: AbortSignal,
): AsyncGenerator<StreamedEvent, void, undefined> {
  let cursor = query.cursor;
  for (let failed = 0; ; ) {
    let isOpen = false;
    try {
      const response = await open({ ...query, cursor });
      isOpen = true;
      let data = '';
      let next = cursor;
      for await (const line of linesOf(response, SILENCE_MS_MAX)) {
        if (line.startsWith('id: ')) next = line.slice(4);
        else if (line.startsWith('data: ')) data = line.slice(6);
        if (line) continue;
        failed = 0;
        cursor = next;
        if (data) yield { ...JSON.parse(data), cursor };
        data = '';
      }
    } catch (error) {
      // What is no word of the platform or the network, such as a call without a workspace, is wrong the next time, too.
      const isFinal = isLaurelError(error)
        ? error.status < 500 && error.status !== 429
        : isOpen
          ? error instanceof SyntaxError
          : cursor === undefined || !(error instanceof ConnectionError);
      if (isFinal || signal?.aborted) throw error;
    }
    await pause(backoffMs(++failed), signal);
  }
}
