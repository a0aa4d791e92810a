import { platform, Refusal } from '@laurel/errors';
import { newId, tryAgain } from '@laurel/lifecycle';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { isAddressProven } from '../domain/address-proof';
import type { SignOnIdentity } from '../outside/sign-on-provider';
import { refusals } from '../refusals';
import type { UserRow } from '../store/users';
import { endCredentials, revokeEverySession } from './end-sessions';
import { endWhatWasPrepared } from './end-what-was-prepared';
import { issueSession } from './issue-session';
import { toUserReply } from './wire';

const TRIES_MAX = 3;

/**
 * Signs in whom an identity provider vouches for; finds the user by the provider's id, then by address,
 * or makes one. An account with an unproven address is taken over: its earlier credentials end.
 */
export async function signOn(
  deps: Deps,
  { provider, token, nonce }: identity.SignOnRequest,
): Promise<identity.SignOnReply> {
  if (provider !== 'google') throw platform.invalidPayload({ field: 'provider' });
  const person = await deps.google.verify(token, nonce);
  return tryAgain({ on: isOvertaken, triesMax: TRIES_MAX }, async () => {
    const known = await findKnown(deps, person);
    return known && !isAddressProven(known) ? takeOver(deps, known, person) : enter(deps, person);
  });
}

/** Somebody made, or verified, the same account meanwhile: it is looked at anew. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Refusal && error.problems[0]?.field === 'email';

function enter(deps: Deps, person: SignOnIdentity): Promise<identity.SignOnReply> {
  return unitOfWork(deps.connection, async (session) => {
    const now = deps.clock.now();
    const user = await findOrCreate(deps, person, { now, session });
    await deps.users.update(user._id, { last_login_at: now }, session);
    return reply(deps, user, { now, session });
  });
}

/** Gives an account to who proved its address. Its maker keeps no way in: neither password, session nor token. */
function takeOver(
  deps: Deps,
  { _id: userId }: UserRow,
  { subject }: SignOnIdentity,
): Promise<identity.SignOnReply> {
  const { users, apiTokens, namedTokens, emailVerifications, clock } = deps;
  return endCredentials(deps, userId, async (session) => {
    const now = clock.now();
    const user = await users.takeOver(userId, { subject, now }, session);
    if (!user) throw refusals.emailTaken();
    const endedToken = await apiTokens.removeOfUser(userId, session);
    const endedNamed = await namedTokens.removeOfUser(userId, session);
    const endedTokens = [...(endedToken === null ? [] : [endedToken]), ...endedNamed];
    await emailVerifications.remove(userId, session);
    await endWhatWasPrepared(deps, user, session);
    const ended = await revokeEverySession(deps, userId, { now, session });
    return { result: await reply(deps, user, { now, session }), ended, endedTokens };
  });
}

async function reply(
  deps: Deps,
  user: UserRow,
  { now, session }: { now: Date; session: Session },
): Promise<identity.SignOnReply> {
  const { access_token, refresh_token } = await issueSession(
    deps,
    { userId: user._id, now },
    session,
  );
  return { access_token, refresh_token, user: toUserReply(user) };
}

async function findKnown(
  { users }: Deps,
  { subject, email }: SignOnIdentity,
  session?: Session,
): Promise<UserRow | null> {
  const known = await users.findByGoogleSubject(subject, session);
  return known ?? users.findByEmail(email, session);
}

async function findOrCreate(
  deps: Deps,
  person: SignOnIdentity,
  { now, session }: { now: Date; session: Session },
): Promise<UserRow> {
  const { users, invitations, config } = deps;
  const known = await findKnown(deps, person, session);
  if (known && !isAddressProven(known)) throw refusals.emailTaken();
  const { subject, email, firstName, lastName } = person;
  if (known?.google_subject === subject) return known;
  // The account is proven, and so is the address: they are the same person.
  if (known) return (await users.update(known._id, { google_subject: subject }, session))!;
  const isExpected =
    config.allowRegistration || (await invitations.listOpenForEmail(email, now)).length > 0;
  if (!isExpected) throw refusals.registrationClosed();
  const user = {
    _id: newId(),
    email,
    first_name: firstName,
    last_name: lastName,
    password_hash: null,
    google_subject: subject,
    email_verified: true,
  };
  return users.insert(user, now, session);
}
