import { createPageSession, type SignedIn } from '@laurel/page-kit/session';

/** A user who is signed in to the console in this browser is so here, too. */
const session = createPageSession<SignedIn>({
  place: '/auth/session',
  carry: (token) => ({ Authorization: `Bearer ${token}` }),
  onEnded: () => {},
});

/** Whether there is a session; without one, or without an answer, a token has to be pasted. */
export const isSignedIn = (): Promise<boolean> =>
  session.resume().then(
    (who) => who !== null,
    () => false,
  );

/** The token of the session, renewed where it has become old. */
export const sessionToken = (): Promise<string> => session.token();

/** The workspaces of the signed-in user, by id. */
export async function listWorkspaces(): Promise<{ id: string; name: string }[]> {
  const { data } = await session.call<{ data: { id: string; name: string }[] }>(
    'GET',
    '/service-api/workspaces',
  );
  return data;
}
