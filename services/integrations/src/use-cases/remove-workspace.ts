import type { WebhookDeps } from './deps';

/** Removes everything of a workspace; webhooks first, so that nothing new is made for it meanwhile. */
export async function removeWorkspace(
  { webhooks, replays, deliveries, events, lanes, erasures }: Omit<WebhookDeps, 'sender'>,
  workspaceId: string,
): Promise<void> {
  for (const store of [webhooks, replays, deliveries, events, lanes, erasures]) {
    await store.removeWorkspace(workspaceId);
  }
}
