import { randomBytes } from 'node:crypto';
import { digestToken } from '@laurel/auth-cache';
import { writeLetter } from '@laurel/mail';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { languageOfAccount, verificationMail } from '../domain/mails';
import type { UserRow } from '../store/users';

const LIFE_MS = 48 * 60 * 60_000;

/** Mails a link by which an address is verified, in the caller's transaction; the one before it ends. */
export async function mailVerification(
  { emailVerifications, messages, config, clock }: Deps,
  user: Pick<UserRow, '_id' | 'email' | 'preferences'>,
  session: Session,
): Promise<void> {
  const token = randomBytes(32).toString('hex');
  const expiresAt = new Date(clock.now().getTime() + LIFE_MS);
  await emailVerifications.put(
    { _id: user._id, token_sha256: digestToken(token), expires_at: expiresAt },
    session,
  );
  const mail = writeLetter(
    verificationMail(languageOfAccount(user), `${config.publicUrl}/verify-email?token=${token}`),
  );
  await messages.enqueue(
    { channel: 'email', to: user.email, workspaceId: null, expiresAt, ...mail },
    session,
  );
}
