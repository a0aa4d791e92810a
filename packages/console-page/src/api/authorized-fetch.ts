import { Refused } from '@laurel/page-kit/http';
import type { PageSession, SignedIn } from '@laurel/page-kit/session';

/** Longer than the platform thinks, shorter than anybody waits. */
const ANSWER_MS_MAX = 30_000;
/** A file of 50 MiB takes a shop's line minutes. */
const UPLOAD_MS_MAX = 900_000;

/**
 * A fetch that carries the session. A session that ended in the middle of work is asked for over the page, and what was
 * wanted is sent then: nothing that was typed is lost.
 *
 * @param askToSignIn resolves once somebody signed in again
 */
export function createAuthorizedFetch(
  session: PageSession<SignedIn>,
  askToSignIn: () => Promise<void>,
  send: typeof fetch = (...request) => fetch(...request),
): typeof fetch {
  const tokenOf = async (refused?: string): Promise<string> => {
    try {
      return await session.token(refused);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401) throw error;
      await askToSignIn();
      return session.token();
    }
  };
  return async (address, init = {}) => {
    const attempt = (token: string) => {
      const isUpload = init.body instanceof FormData;
      const limit = AbortSignal.timeout(isUpload ? UPLOAD_MS_MAX : ANSWER_MS_MAX);
      return send(address, {
        ...init,
        signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
        headers: { ...init.headers, Authorization: `Bearer ${token}` },
      });
    };
    const first = await tokenOf();
    const answer = await attempt(first);
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    return attempt(await tokenOf(first));
  };
}
