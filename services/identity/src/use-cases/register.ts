import { newId } from '@laurel/lifecycle';
import { checkAndCommitOnce } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import { emailKey } from '@laurel/values/email';
import type { Deps } from '../deps';
import { requireGoodPassword } from '../domain/password';
import { refusals } from '../refusals';
import { mailVerification } from './mail-verification';
import { toUserReply } from './wire';

/**
 * Opens an account and mails the link that verifies its address. An invitation admits where
 * registration is closed; its token out of the mail has proven the address already. Refuses also a poor password and a taken address.
 */
export async function register(
  deps: Deps,
  { email, password, first_name, last_name, invitation_token }: identity.RegisterRequest,
): Promise<identity.User> {
  const { connection, users, passwords, clock } = deps;
  const check = async () => {
    const isProven = await requireAdmission(deps, email, invitation_token);
    if (invitation_token !== undefined && (await users.findByEmail(email)))
      throw refusals.invitedHasAccount();
    requireGoodPassword(password);
    return { isProven, passwordHash: await passwords.hash(password) };
  };
  const id = newId();
  return checkAndCommitOnce(connection, check, async (session, { isProven, passwordHash }) => {
    const user = {
      _id: id,
      email: email.trim(),
      first_name: first_name ?? null,
      last_name: last_name ?? null,
      password_hash: passwordHash,
      email_verified: isProven,
      password_proven: isProven,
    };
    const row = await users.insert(user, clock.now(), session);
    if (!isProven) await mailVerification(deps, row, session);
    return toUserReply(row);
  });
}

/** Whether a mailed invitation has proven this very address; refuses who may not open an account. */
async function requireAdmission(
  { config, invitations, clock }: Deps,
  email: string,
  token: string | undefined,
): Promise<boolean> {
  const invitation = token === undefined ? null : await invitations.findByToken(token);
  const isAlive = invitation?.status === 'pending' && invitation.expires_at > clock.now();
  if (isAlive && invitation.email_key !== emailKey(email))
    throw refusals.invitationOfAnotherAddress();
  if (!isAlive && !config.allowRegistration) throw refusals.registrationClosed();
  if (!isAlive && token !== undefined) throw refusals.deadInvitation();
  return isAlive && invitation.wasMailed;
}
