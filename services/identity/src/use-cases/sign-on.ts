import { platform, Refusal } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { type Session, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { SignOnIdentity } from '../sign-on-provider';
import { toUser } from '../store/mapping';
import type { UserRow } from '../store/users';
import { issueSession } from './issue-session';

/** Signs in whom an identity provider vouches for; finds the user by the provider's id, then by address, or makes one. */
export async function signOn(
  deps: Deps,
  { provider, token }: identity.SignOnRequest,
): Promise<identity.SignOnReply> {
  if (provider !== 'google') throw platform.invalidPayload({ field: 'provider' });
  const person = await deps.google.verify(token);
  return enter(deps, person).catch((error: unknown) => {
    // Another sign-on or a registration made the same user meanwhile: now there is one to find.
    if (error instanceof Refusal && error.problems[0]?.field === 'email')
      return enter(deps, person);
    throw error;
  });
}

function enter(deps: Deps, person: SignOnIdentity): Promise<identity.SignOnReply> {
  return unitOfWork(deps.connection, async (session) => {
    const now = deps.clock.now();
    const user = await findOrCreate(deps, person, now, session);
    await deps.users.update(user._id, { last_login_at: now }, session);
    const { access_token, refresh_token } = await issueSession(deps, user._id, now, session);
    return { access_token, refresh_token, user: toUser(user) };
  });
}

async function findOrCreate(
  { users, invitations, config }: Deps,
  { subject, email, firstName, lastName }: SignOnIdentity,
  now: Date,
  session: Session,
): Promise<UserRow> {
  const known = await users.findByGoogleSubject(subject, session);
  if (known) return known;
  const sameAddress = await users.findByEmail(email, session);
  if (sameAddress) {
    await users.update(sameAddress._id, { google_subject: subject }, session);
    return sameAddress;
  }
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
  };
  return users.insert(user, now, session);
}
