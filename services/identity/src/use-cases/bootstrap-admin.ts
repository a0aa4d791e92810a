import { randomBytes } from 'node:crypto';
import { digestToken } from '@laurel/auth-cache';
import { Refusal } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { writeLetter } from '@laurel/mail';
import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { firstAccountMail } from '../domain/mails';

const LINK_MS = 48 * 60 * 60_000;

/**
 * Makes the first account of an installation (part 4, section 1), as long as there is none: its address
 * is the operator's word, its password is set by a mailed link. Of several replicas that start at once
 * one makes it. Where no mail leaves the machine the link is logged as well.
 */
export async function bootstrapAdmin(deps: Deps): Promise<void> {
  const { config, users, logger } = deps;
  const { bootstrapAdminEmail: email } = config;
  if (email === undefined || !(await users.isEmpty())) return;
  const token = randomBytes(32).toString('hex');
  const link = `${config.publicUrl}/reset-password?token=${token}`;
  if (!(await makeAccount(deps, email, { token, link }))) return;
  if (config.smtpUrl === undefined)
    logger.warn({ link }, 'the first account is made; this link sets its password, for 48 hours');
  else logger.info('the first account is made; a link that sets its password was mailed');
}

/** False when another replica, or somebody who registered, was first. */
async function makeAccount(
  { connection, users, passwordResets, messages, clock }: Deps,
  email: string,
  { token, link }: { token: string; link: string },
): Promise<boolean> {
  const user = { _id: newId(), email, first_name: null, last_name: null, password_hash: null };
  try {
    return await unitOfWork(connection, async (session) => {
      if (!(await users.isEmpty(session))) return false;
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + LINK_MS);
      await users.insert({ ...user, email_verified: true }, now, session);
      await passwordResets.insert(
        { _id: digestToken(token), user_id: user._id, created_at: now, expires_at: expiresAt },
        session,
      );
      const mail = writeLetter(firstAccountMail(link));
      await messages.enqueue(
        { channel: 'email', to: email, workspaceId: null, expiresAt, ...mail },
        session,
      );
      return true;
    });
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
