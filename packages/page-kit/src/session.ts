import { Refused, type Send, sendJson } from './http';

/** What the platform says of a session: a token that lives minutes, in memory only, and who it is for. */
export interface SignedIn {
  access_token: string;
  /** Milliseconds that the token lives. */
  expires: number;
}

export interface PageSession<Who extends SignedIn> {
  /** Goes on with the session of this browser. Null when there is none. */
  resume(): Promise<Who | null>;
  signIn(proof: object): Promise<Who>;
  signOut(): Promise<void>;
  /** A call of the API as whoever is signed in, renewed once where the token was no good any more. */
  call<T>(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    options?: { body?: object; headers?: Record<string, string> },
  ): Promise<T>;
  /**
   * The token of now, for what is no JSON: pictures, uploads.
   *
   * @param refused one that turned out wrong before its time
   */
  token(refused?: string): Promise<string>;
}

interface Options {
  /** Where the three cookie routes are. */
  place: string;
  /** How the API takes the access token. */
  carry: (token: string) => Record<string, string>;
  /** Hears that the session ended, here or in another tab. */
  onEnded: () => void;
  send?: Send;
  now?: () => number;
}

/** Whether this browser may have a session; nobody is asked for one that there never was. */
const mark = {
  isSet: (place: string): boolean => tried(() => localStorage.getItem(place) !== null) ?? true,
  set: (place: string): void => void tried(() => localStorage.setItem(place, '1')),
  clear: (place: string): void => void tried(() => localStorage.removeItem(place)),
};

/** Browsers that keep nothing for pages throw where others would read nothing. */
function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Renewed this long before its end, so that no call meets an expired token on the way. */
const EARLY_MS = 60_000;

/**
 * The session of a page. The refresh token is a cookie that no script sees. Of several tabs one renews at a time and
 * the others hear what it got; sign-out reaches all of them.
 */
export function createPageSession<Who extends SignedIn>({
  place,
  carry,
  onEnded,
  send,
  now = Date.now,
}: Options): PageSession<Who> {
  let held: { who: Who; until: number } | null = null;
  let renewal: Promise<Who> | null = null;
  const channel = globalThis.BroadcastChannel ? new BroadcastChannel(place) : null;
  channel?.addEventListener('message', ({ data }: MessageEvent<Who | null>) => {
    if (data) hold(data);
    else end();
  });

  function hold(who: Who): Who {
    mark.set(place);
    held = { who, until: now() + who.expires - EARLY_MS };
    return who;
  }
  function end(): void {
    held = null;
    mark.clear(place);
    onEnded();
  }
  const isFresh = () => held !== null && now() < held.until;

  /** @param refused the token that turned out wrong: another tab may have got a new one meanwhile */
  function renew(refused?: string): Promise<Who> {
    renewal ??= alone(place, async () => {
      if (held && isFresh() && held.who.access_token !== refused) return held.who;
      const { data } = await sendJson<{ data: Who }>('POST', `${place}/refresh`, { send });
      channel?.postMessage(data);
      return hold(data);
    }).finally(() => {
      renewal = null;
    });
    return renewal;
  }

  async function token(refused?: string): Promise<string> {
    const isGood = held !== null && isFresh() && held.who.access_token !== refused;
    const who = isGood ? held!.who : await renew(refused);
    return who.access_token;
  }

  return {
    token,
    async resume() {
      if (!mark.isSet(place)) return null;
      try {
        return await renew();
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 401) throw error;
        mark.clear(place);
        return null;
      }
    },
    async signIn(proof) {
      const { data } = await sendJson<{ data: Who }>('POST', place, { body: proof, send });
      channel?.postMessage(data);
      return hold(data);
    },
    async signOut() {
      await sendJson('DELETE', place, { send });
      held = null;
      mark.clear(place);
      channel?.postMessage(null);
    },
    async call(method, path, { body, headers } = {}) {
      const attempt = async (access: string) =>
        sendJson<never>(method, path, {
          headers: { ...carry(access), ...headers },
          ...(body ? { body } : {}),
          send,
        });
      const first = await token().catch(endedBy401);
      try {
        return await attempt(first);
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 401) throw error;
        const { access_token } = await renew(first).catch(endedBy401);
        return attempt(access_token);
      }
    },
  };

  function endedBy401(error: unknown): never {
    if (error instanceof Refused && error.status === 401) end();
    throw error;
  }
}

/** One tab at a time, where the browser can arrange it; ten seconds of forgiveness cover the others. */
function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks;
  return locks ? (locks.request(name, work) as Promise<T>) : work();
}
