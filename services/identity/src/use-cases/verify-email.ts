import { digestToken } from '@laurel/auth-cache';
import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/** Verifies the address of an account by the link that was mailed to it, once. */
export async function verifyEmail(
  { connection, emailVerifications, users, clock }: Deps,
  { token }: identity.VerifyEmailRequest,
): Promise<Record<string, never>> {
  return unitOfWork(connection, async (session) => {
    const link = await emailVerifications.take(digestToken(token), clock.now(), session);
    if (!link || !(await users.update(link._id, { email_verified: true }, session)))
      throw refusals.deadLink();
    return {};
  });
}
