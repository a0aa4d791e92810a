import { randomBytes } from 'node:crypto';
import { digestToken } from '@laurel/auth-cache';
import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { resetMail } from '../domain/mails';

const RESET_MS = 60 * 60_000;
/** Mails per hour and person, so that nobody's mailbox can be flooded. */
const MAILS_PER_HOUR = 5;
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

async function sendReset(
  { connection, users, passwordResets, messages, config, clock }: Deps,
  request: { _id: string; email: string },
): Promise<void> {
  const token = randomBytes(32).toString('hex');
  await unitOfWork(connection, async (session) => {
    await passwordResets.removeRequest(request._id, session);
    const now = clock.now();
    const user = await users.findByEmail(request.email, session);
    if (!user) return;
    const hourAgo = new Date(now.getTime() - RESET_MS);
    if ((await passwordResets.countSince(user._id, hourAgo, session)) >= MAILS_PER_HOUR) return;
    const expiresAt = new Date(now.getTime() + RESET_MS);
    await passwordResets.insert(
      { _id: digestToken(token), user_id: user._id, created_at: now, expires_at: expiresAt },
      session,
    );
    const mail = resetMail(`${config.publicUrl}/reset-password?token=${token}`);
    await messages.enqueue(
      { channel: 'email', to: user.email, workspaceId: null, expiresAt, ...mail },
      session,
    );
  });
}
