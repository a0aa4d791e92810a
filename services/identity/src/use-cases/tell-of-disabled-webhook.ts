import type { Once, WebhookDisabled } from '@laurel/events';
import { writeLetter } from '@laurel/mail';
import type { Deps } from '../deps';
import { TO_ONE_ADDRESS } from '../domain/mail-limits';
import { webhookDisabledMail } from '../domain/mails';
import { writerOf } from './writer-of';

/** Mails the admins of a workspace that one of its webhooks was switched off (part 3, section 14). */
export async function tellOfDisabledWebhook(
  deps: Deps,
  { workspace_id, url, reason }: WebhookDisabled,
  once: Once,
): Promise<void> {
  const { workspaces, members, users, messages, mailCounts, clock } = deps;
  const [workspace, rows] = await Promise.all([
    workspaces.find(workspace_id),
    members.list(workspace_id),
  ]);
  if (!workspace) return;
  const isAdmin = (row: (typeof rows)[number]) => row.role === 'admin' && row.status === 'active';
  const admins = await users.findMany(rows.filter(isAdmin).map((row) => row.user_id));
  const mail = writeLetter(webhookDisabledMail(writerOf(deps, workspace), { url, reason }));
  await once(async (session) => {
    for (const { email, email_key } of admins) {
      // The owner of the receiver decides how often it is switched off.
      const counted = `webhook notice:${email_key}`;
      if (await mailCounts.take(counted, TO_ONE_ADDRESS, { now: clock.now(), session })) continue;
      const message = { channel: 'email' as const, to: email, workspaceId: workspace_id };
      await messages.enqueue({ ...message, ...mail }, session);
    }
  });
}
