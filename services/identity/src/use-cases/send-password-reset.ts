import { randomBytes } from 'node:crypto';
import { digestToken } from '@laurel/auth-cache';
import { writeLetter } from '@laurel/mail';
import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { isPasswordProven } from '../domain/address-proof';
import { languageOfAccount, resetMail } from '../domain/mails';
import type { ResetRequestRow } from '../store/password-resets';
import { countMailBySource } from './count-mail-by-source';
import { hasTokens } from './has-tokens';

const RESET_MS = 60 * 60_000;

/** Sends the link that somebody asked for; those without an account get nothing. */
export async function sendPasswordReset(
  deps: Deps,
  request: Omit<ResetRequestRow, 'due_at'>,
): Promise<void> {
  const { connection, users, passwordResets, messages, config, clock } = deps;
  const token = randomBytes(32).toString('hex');
  await unitOfWork(connection, async (session) => {
    await passwordResets.removeRequest(request._id, session);
    const now = clock.now();
    const user = await users.findByEmail(request.email, session);
    if (!user) return;
    const { source = '' } = request;
    const from = { door: 'account' as const, emailKey: user.email_key, source };
    const counted = `reset:${user.email_key}`;
    if (!(await countMailBySource(deps, { counted, from }, session))) return;
    const expiresAt = new Date(now.getTime() + RESET_MS);
    await passwordResets.insert(
      { _id: digestToken(token), user_id: user._id, created_at: now, expires_at: expiresAt },
      session,
    );
    const hasEarlierToken = !isPasswordProven(user) && (await hasTokens(deps, user._id, session));
    const mail = writeLetter(
      resetMail(
        languageOfAccount(user),
        `${config.publicUrl}/reset-password?token=${token}`,
        hasEarlierToken,
      ),
    );
    await messages.enqueue(
      { channel: 'email', to: user.email, workspaceId: null, expiresAt, ...mail },
      session,
    );
  });
}
