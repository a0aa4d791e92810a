import { randomBytes } from 'node:crypto';
import { digestToken } from '@laurel/auth-cache';
import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { isAddressProven } from '../domain/address-proof';
import { TO_ONE_ADDRESS } from '../domain/mail-limits';
import { resetMail } from '../domain/mails';

const RESET_MS = 60 * 60_000;
const BATCH = 50;

/** Sends the links that people asked for; those without an account get nothing. */
export async function sendPasswordResets(deps: Deps): Promise<{ more: boolean }> {
  for (let handled = 0; handled < BATCH; handled += 1) {
    const request = await deps.passwordResets.claimRequest(deps.clock.now());
    if (!request) return { more: false };
    await sendReset(deps, request);
  }
  return { more: true };
}

async function sendReset(deps: Deps, request: { _id: string; email: string }): Promise<void> {
  const { connection, users, apiTokens, passwordResets, mailCounts, messages, config, clock } =
    deps;
  const token = randomBytes(32).toString('hex');
  await unitOfWork(connection, async (session) => {
    await passwordResets.removeRequest(request._id, session);
    const now = clock.now();
    const user = await users.findByEmail(request.email, session);
    if (!user) return;
    const counted = `reset:${user.email_key}`;
    if (await mailCounts.take(counted, TO_ONE_ADDRESS, now, session)) return;
    const expiresAt = new Date(now.getTime() + RESET_MS);
    await passwordResets.insert(
      { _id: digestToken(token), user_id: user._id, created_at: now, expires_at: expiresAt },
      session,
    );
    const isOneMoreWayIn =
      !isAddressProven(user) && (await apiTokens.findOfUser(user._id, session)) !== null;
    const mail = resetMail(`${config.publicUrl}/reset-password?token=${token}`, isOneMoreWayIn);
    await messages.enqueue(
      { channel: 'email', to: user.email, workspaceId: null, expiresAt, ...mail },
      session,
    );
  });
}
