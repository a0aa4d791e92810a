import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PushFailure } from './apple/push';
import type { AppleCredentials, GoogleCredentials } from './credentials/types';
import { GoogleAccountRefusal, GoogleRefusal } from './google/api';

/** So many failures in a row say that it is the credentials, or whom they are for, and not one pass. */
const FAILURES_MAX = 3;
const OPEN_MS_MIN = 15_000;
const OPEN_MS_MAX = 10 * 60_000;
/** The call that tries whether it works again keeps the others waiting no longer than this. */
const PROBE_MS = 20_000;
const CREDENTIALS_MAX = 10_000;
/** Answers about one pass or device, whatever the credentials. */
const OF_ONE_PASS = new Set([400, 404, 405, 409, 410, 412, 413]);

/** The credentials have failed lately; nothing was sent. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen';
  constructor(credentials: string) {
    super(`${credentials} have failed several times and are left in peace for a while`);
  }
}

interface State {
  failures: number;
  openUntil: number;
}

export type Circuits = ReturnType<typeof createCircuits>;

/**
 * Remembers, in this process, which credentials do not work: after a few failures in a row nothing is sent with them
 * for a while, then one push tries. Each failure of a wallet service that does not answer costs ten seconds of a
 * worker; a thousand passes that wait for it cost nothing.
 */
export function createCircuits(clock: { now(): Date }) {
  const states = new LRUCache<string, State>({ max: CREDENTIALS_MAX });

  function requireClosed(key: string): void {
    const state = states.get(key);
    if (hasFailed(state) && state.openUntil > clock.now().getTime())
      throw new CircuitOpen(`the ${key.split(':')[0]} credentials`);
  }

  return {
    /** Throws CircuitOpen where `through` would send nothing. */
    requireClosed,

    async through<T>(key: string, send: () => Promise<T>): Promise<T> {
      requireClosed(key);
      const state = states.get(key);
      const isProbe = hasFailed(state);
      if (isProbe) state.openUntil = clock.now().getTime() + PROBE_MS;
      try {
        const sent = await send();
        states.delete(key);
        return sent;
      } catch (error) {
        if (keepsNoneBack(error)) states.delete(key);
        // What was under way when the others failed says nothing new: forty that a silent connection takes along are one failure.
        else if (isProbe || !hasFailed(states.get(key))) fail(key);
        throw error;
      }
    },
  };

  function fail(key: string): void {
    const failures = (states.get(key)?.failures ?? 0) + 1;
    const openMs = Math.min(OPEN_MS_MIN * 2 ** Math.max(0, failures - FAILURES_MAX), OPEN_MS_MAX);
    states.set(key, { failures, openUntil: clock.now().getTime() + openMs });
  }
}

const hasFailed = (state: State | undefined): state is State =>
  state !== undefined && state.failures >= FAILURES_MAX;

/** An answer about one pass; or that an account has ended, which is remembered where its tokens are. */
function keepsNoneBack(error: unknown): boolean {
  if (error instanceof GoogleAccountRefusal) return error.isFinal;
  const isAnswer = error instanceof GoogleRefusal || error instanceof PushFailure;
  return isAnswer && error.status !== null && OF_ONE_PASS.has(error.status);
}

export const appleCircuit = ({ certificate }: AppleCredentials): string =>
  `Apple:${digest(certificate)}`;

export const googleCircuit = ({ issuerId, email, key }: GoogleCredentials): string =>
  `Google:${digest(`${issuerId} ${email} ${key}`)}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');
