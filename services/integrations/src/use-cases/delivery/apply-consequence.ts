import { createEvent } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import type { WebhookDeps } from '../../deps';
import type { WebhookRow } from '../../store/webhooks';
import { sending } from './metrics';
import type { Consequence } from './verdict';

type Deps = Pick<WebhookDeps, 'connection' | 'outbox' | 'webhooks'>;

/** Makes durable what an attempt means for its endpoint. */
export async function applyConsequence(
  deps: Deps,
  webhook: WebhookRow,
  consequence: Consequence,
): Promise<void> {
  const { _id: id, workspace_id: workspaceId } = webhook;
  const { webhooks } = deps;
  switch (consequence.kind) {
    case 'works':
      await webhooks.noteWorking(workspaceId, id);
      return;
    case 'failing':
      await webhooks.noteFailing(workspaceId, id, consequence.failing);
      return;
    case 'pause':
      await webhooks.noteFailing(workspaceId, id, consequence.failing);
      await webhooks.pause(workspaceId, id, consequence.until);
      return;
    case 'disable':
      await disable(deps, webhook, consequence.reason);
  }
}

/** Gives an endpoint up and says so, once; what waits for it is kept until it is activated again. */
async function disable(
  { connection, outbox, webhooks }: Deps,
  webhook: WebhookRow,
  reason: 'gone' | 'failing',
): Promise<void> {
  const { _id: id, workspace_id: workspaceId, url, failing_since } = webhook;
  const done = await unitOfWork(connection, async (session) => {
    const now = new Date();
    if (!(await webhooks.disable(webhook, { reason, now }, session))) return false;
    const event = createEvent('integrations.webhook_disabled', {
      workspaceId,
      subject: id,
      data: {
        webhook_id: id,
        workspace_id: workspaceId,
        url,
        reason,
        failing_since: failing_since?.toISOString() ?? null,
        disabled_at: now.toISOString(),
      },
    });
    await outbox.append([event], session);
    return true;
  });
  if (done) sending.disabled.inc({ reason });
}
