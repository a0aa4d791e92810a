import { EventEmitter } from 'node:events';
import { platform } from '@laurel/errors';
import { currentContext, every, metrics, type Timer } from '@laurel/lifecycle';
import CircuitBreaker from 'opossum';
import type { Connection } from './connection';

const WINDOW_MS = 5_000;
const BUCKETS = 10;

/** Turns the windows of all breakers of the process: each by itself would wake it some hundred times a second, at rest as well. */
const turns = new EventEmitter().setMaxListeners(0);
let clock: Timer | null = null;

const BREAKER = {
  timeout: false,
  errorThresholdPercentage: 60,
  volumeThreshold: 20,
  resetTimeout: 2_000,
  rollingCountTimeout: WINDOW_MS,
  rollingCountBuckets: BUCKETS,
  rotateBucketController: turns,
  // What they would sort and sum twice a second, nothing reads.
  enableSnapshots: false,
  rollingPercentilesEnabled: false,
} as const;

/** A call that met no server that can work. `shown` is what its caller sees. */
export class NotReached extends Error {
  constructor(readonly shown: Error) {
    super(shown.message);
  }
}

type Purpose = 'requests' | 'background';

export interface Breakers {
  /** Makes a call; refuses with SERVICE_UNAVAILABLE at once while the service could not be reached lately. */
  fire(call: () => Promise<unknown>): Promise<unknown>;
  shutdown(): void;
}

/**
 * Two breakers for one service: what somebody waits for and what goes on in the background never close the door on
 * each other (docs/adr/0009). Only calls that did not get through open one: a service that answers slowly, or says
 * no, or fails at one thing, is there for everybody else (docs/adr/0010). One that opened for want of a connection
 * closes as soon as there is one; else it is a call, two seconds later, that finds the service back.
 */
export function createBreakers(service: string, connection: Connection): Breakers {
  const breakers = {
    requests: createBreaker(service, 'requests', connection),
    background: createBreaker(service, 'background', connection),
  };
  return {
    async fire(call) {
      const purpose = currentContext().background ? 'background' : 'requests';
      try {
        return await breakers[purpose].fire(call);
      } catch (error) {
        if (error instanceof NotReached) throw error.shown;
        // Also while one call tries whether the service is back: the breaker is half open then, not open.
        if (!CircuitBreaker.isOurError(error as Error)) throw error;
        throw platform.serviceUnavailable({
          message: `${service} is not available`,
          retryAfterSeconds: 2,
        });
      }
    },
    shutdown() {
      for (const breaker of Object.values(breakers)) breaker.shutdown();
      stopClock();
    },
  };
}

function createBreaker(service: string, purpose: Purpose, connection: Connection) {
  const breaker = new CircuitBreaker((call: () => Promise<unknown>) => call(), {
    ...BREAKER,
    errorFilter: (error: unknown) => !(error instanceof NotReached),
  });
  let isWaiting = false;
  breaker.on('open', async () => {
    metrics.breakerOpen.set({ service, purpose }, 1);
    if (isWaiting || !connection.isSought()) return;
    isWaiting = true;
    const isFound = await connection.found();
    isWaiting = false;
    if (isFound && !breaker.isShutdown) breaker.close();
  });
  breaker.on('close', () => metrics.breakerOpen.set({ service, purpose }, 0));
  clock ??= every('breakers', WINDOW_MS / BUCKETS, () => turns.emit('rotate'));
  return breaker;
}

/** It stops with the last of them: a breaker that is shut down no longer listens. */
function stopClock(): void {
  if (turns.listenerCount('rotate') > 0) return;
  clock?.cancel();
  clock = null;
}
