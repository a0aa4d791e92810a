import type { WebhookDeps } from '../../deps';

const PAGE = 200;

/** Finds work of which no replica heard, e.g. because a process died between writing it and saying so. */
export async function sweepLanes({
  webhooks,
  deliveries,
  lanes,
  sender,
}: Pick<WebhookDeps, 'webhooks' | 'deliveries' | 'lanes' | 'sender'>): Promise<void> {
  for (let after = ''; ; ) {
    const page = await webhooks.activeAfter(after, PAGE);
    for (const { _id: webhookId, workspace_id: workspaceId } of page) {
      const nextAt = await deliveries.nextDueAt(workspaceId, webhookId);
      if (!nextAt || nextAt > new Date()) continue;
      const dueAt = await lanes.dueAt(webhookId);
      if (!dueAt || dueAt > nextAt) sender.poke([{ workspaceId, webhookId }]);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last._id;
  }
}
