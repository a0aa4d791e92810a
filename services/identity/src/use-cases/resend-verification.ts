import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import { emailKey } from '@laurel/values/email';
import type { Deps } from '../deps';
import { isAddressProven } from '../domain/address-proof';
import { TO_ONE_ADDRESS } from '../domain/mail-limits';
import { mailVerification } from './mail-verification';

/** Mails the link anew. An address that is verified, or got too many within the hour, gets none. */
export async function resendVerification(
  deps: Deps,
  { user_id }: identity.UserRequest,
): Promise<Record<string, never>> {
  const { connection, users, mailCounts, clock } = deps;
  return unitOfWork(connection, async (session) => {
    const user = await users.find(user_id, session);
    if (!user || isAddressProven(user)) return {};
    const counted = `verification:${emailKey(user.email)}`;
    const refused = await mailCounts.take(counted, TO_ONE_ADDRESS, { now: clock.now(), session });
    if (!refused) await mailVerification(deps, user, session);
    return {};
  });
}
