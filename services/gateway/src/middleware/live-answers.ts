import { platform } from '@laurel/errors';
import { groupBy, type Logger } from '@laurel/lifecycle';
import type { Response } from 'express';
import type { Answer } from '../routing';
import type { Caller } from './caller';
import { liveAnswers as metrics } from './metrics';

export interface LiveSettings {
  /** Answers at once from this process. */
  max: number;
  /** Of one credential. */
  callerMax: number;
}

export interface LiveAnswers {
  /**
   * Sends an answer that has no end, and resolves when it is over: its reader is gone or reads nothing, `stillAllowed`
   * rejects (asked before anything is sent), its source fails, or the process stops. Throws RATE_LIMITED or
   * SERVICE_UNAVAILABLE before anything is sent where there are too many.
   */
  send(
    response: Response,
    answer: Answer & { live: AsyncIterable<string> },
    reader: { caller: Caller; stillAllowed: () => Promise<unknown> },
  ): Promise<void>;
  /** Ends all of them; their readers come back, to another gateway. */
  stop(): void;
}

/** Who takes nothing for so long is taken for gone. */
export const STALLED_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

/** Answers that go on and on, outside of the turns of admission control, and bounded by themselves (docs/adr/0020). */
export function createLiveAnswers(
  { max, callerMax }: LiveSettings,
  logger: Pick<Logger, 'debug'>,
  stalledMs = STALLED_MS,
): LiveAnswers {
  /** What lets each of them go; the first that was opened comes first. */
  const open = new Map<Response, { user: string; leave: () => void }>();
  const byCaller = new Map<string, number>();
  let isStopped = false;

  /**
   * Where all are taken, a user who has more than one credential may have gives up the one that has been open longest: its
   * reader comes back, while for all others there would be none. A user has any number of credentials.
   */
  function makeRoom(): void {
    const byUser = groupBy([...open], ([, { user }]) => user);
    const most = [...byUser.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (most.length <= callerMax) return;
    const [response, { leave }] = most[0]!;
    leave();
    response.end();
  }

  function enter({ limitKey: key, userId }: Caller, response: Response): () => void {
    const count = byCaller.get(key) ?? 0;
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    if (count >= callerMax)
      throw platform.rateLimited({
        message: `at most ${callerMax} streams of one credential are open at once`,
        retryAfterSeconds,
      });
    if (open.size >= max) makeRoom();
    if (isStopped || open.size >= max)
      throw platform.serviceUnavailable({
        message: 'too many streams are open; try again in a moment',
        retryAfterSeconds,
      });
    byCaller.set(key, count + 1);
    const leave = () => {
      if (!open.delete(response)) return;
      const left = byCaller.get(key)! - 1;
      if (left === 0) byCaller.delete(key);
      else byCaller.set(key, left);
      metrics.set(open.size);
    };
    open.set(response, { user: userId ?? key, leave });
    metrics.set(open.size);
    return leave;
  }

  return {
    async send(response, { status = 200, headers = {}, live }, { caller, stillAllowed }) {
      const leave = enter(caller, response);
      response.once('close', leave);
      response.status(status).set(headers).flushHeaders();
      try {
        for await (const chunk of live) {
          if (!open.has(response)) break;
          await stillAllowed();
          if (!response.write(chunk)) await drained(response, stalledMs);
        }
      } catch (error) {
        logger.debug({ err: error }, 'a live answer ended');
      } finally {
        leave();
        response.end();
      }
    },

    stop() {
      isStopped = true;
      for (const response of open.keys()) response.end();
    },
  };
}

/** Resolves when there is room again; what has none for too long is closed. */
export function drained(response: Response, stalledMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(() => response.destroy(), stalledMs);
    response.on('drain', done);
    response.on('close', done);
    if (response.closed) done();
  });
}
