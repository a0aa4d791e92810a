import { type Carried, Refused, type Send, sendJson } from './http';

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
  /** A call of the API as the signed-in user, renewed once where the token was no good any more. */
  call<T>(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    options?: Carried,
  ): Promise<T>;
  /**
   * The token of now, for what is no JSON: pictures, uploads.
   *
   * @param refused one that turned out wrong before its time
   */
  token(refused?: string): Promise<string>;
}

interface Options<Who> {
  /** Where the three cookie routes are. */
  place: string;
  /** How the API takes the access token. */
  carry: (token: string) => Record<string, string>;
  /** Hears that the session ended, here or in another tab. */
  onEnded: () => void;
  /** Hears why the platform takes the session no longer, before it ends; true keeps it for later. */
  onRefused?: (refused: Refused) => boolean;
  /** Hears that the same person signed in, or went on, in another tab: what waits here for a session has one. */
  onElsewhere?: (who: Who) => void;
  /** Tells people apart, where a page belongs to one: a session of somebody else in this browser is none for it. */
  personOf?: (who: Who) => string;
  send?: Send;
  now?: () => number;
}

/** Whether this browser may have a session; the page asks for none that there never was. */
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
  onRefused = () => false,
  onElsewhere,
  personOf = () => '',
  send,
  now = Date.now,
}: Options<Who>): PageSession<Who> {
  const held = createHeld<Who>(place, { now, personOf });
  let renewal: Promise<Who> | null = null;
  const channel = globalThis.BroadcastChannel ? new BroadcastChannel(place) : null;
  channel?.addEventListener('message', ({ data }: MessageEvent<Who | null>) => {
    if (!data) end();
    else if (!held.isOther(data)) onElsewhere?.(held.hold(data));
  });

  // The way back may bring a page as it was left, with all that it showed to who has signed out since.
  globalThis.addEventListener?.('pageshow', (event: Event & { persisted?: boolean }) => {
    if (event.persisted && !mark.isSet(place)) end();
  });

  function end(): void {
    held.drop();
    onEnded();
  }

  /** @param refused the token that turned out wrong: another tab may have got a new one meanwhile */
  function renew(refused?: string): Promise<Who> {
    renewal ??= alone(place, async () => {
      const fresh = held.fresh(refused);
      if (fresh) return fresh;
      const { data } = await sendJson<{ data: Who }>('POST', `${place}/refresh`, { send });
      channel?.postMessage(data);
      if (held.isOther(data)) throw new Refused(401, 'INVALID_TOKEN');
      return held.hold(data);
    }).finally(() => {
      renewal = null;
    });
    return renewal;
  }

  async function token(refused?: string): Promise<string> {
    return (held.fresh(refused) ?? (await renew(refused))).access_token;
  }

  return {
    token,
    async resume() {
      if (!mark.isSet(place)) return null;
      try {
        return await renew();
      } catch (error) {
        if (!isUnknown(error) || onRefused(error)) throw error;
        mark.clear(place);
        return null;
      }
    },
    async signIn(proof) {
      const { data } = await sendJson<{ data: Who }>('POST', place, { body: proof, send });
      channel?.postMessage(data);
      return held.hold(data);
    },
    async signOut() {
      await sendJson('DELETE', place, { send });
      held.drop();
      channel?.postMessage(null);
    },
    async call(method, path, { headers, ...carried } = {}) {
      const attempt = async (access: string) =>
        sendJson<never>(method, path, {
          headers: { ...carry(access), ...headers },
          ...carried,
          send,
        });
      return renewedOnce(attempt, (refused) => token(refused).catch(endedBy401));
    },
  };

  function endedBy401(error: unknown): never {
    if (isUnknown(error) && !onRefused(error)) end();
    throw error;
  }
}

/** Who is signed in here, as far as this page knows, and the mark that there is a session. */
function createHeld<Who extends SignedIn>(
  place: string,
  { now, personOf }: { now: () => number; personOf: (who: Who) => string },
) {
  let held: { who: Who; until: number } | null = null;
  return {
    /** Whether it is somebody else than who is signed in here. */
    isOther: (who: Who): boolean => held !== null && personOf(who) !== personOf(held.who),
    hold(who: Who): Who {
      mark.set(place);
      held = { who, until: now() + who.expires - EARLY_MS };
      return who;
    },
    drop(): void {
      held = null;
      mark.clear(place);
    },
    /** Null once the token is near its end, and where it is the one that turned out wrong. */
    fresh: (refused?: string): Who | null =>
      held && now() < held.until && held.who.access_token !== refused ? held.who : null,
  };
}

/** Whether the platform does not know the token. */
const isUnknown = (error: unknown): error is Refused =>
  error instanceof Refused && error.status === 401;

/** Tries with the token of now, and once more with a new one where that was no good. */
async function renewedOnce<T>(
  attempt: (access: string) => Promise<T>,
  token: (refused?: string) => Promise<string>,
): Promise<T> {
  const first = await token();
  try {
    return await attempt(first);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    return attempt(await token(first));
  }
}

/** One tab at a time, where the browser can arrange it; ten seconds of forgiveness cover the others. */
function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks;
  return locks ? (locks.request(name, work) as Promise<T>) : work();
}
