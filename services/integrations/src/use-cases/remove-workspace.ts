import type { IntegrationDeps, WebhookDeps } from '../deps';

/** Removes everything of a workspace; webhooks first, so that nothing new is made for it meanwhile. */
export async function removeWorkspace(
  deps: Omit<WebhookDeps, 'sender'>,
  workspaceId: string,
): Promise<void> {
  const { webhooks, replays, deliveries, attempts, events, lanes, erasures } = deps;
  const stores = [webhooks, replays, deliveries, attempts, events, lanes, erasures];
  for (const store of [...stores, deps.feeds, deps.feedEntries]) {
    await store.removeWorkspace(workspaceId);
  }
}

/** As `removeWorkspace`, of integrations: these go first, so that nothing works for the workspace any more. */
export async function removeIntegrations(
  {
    integrations,
    inboxes,
    importJobs,
    importRecords,
    messages,
    outboundJobs,
    backfills,
  }: Omit<IntegrationDeps, 'soon'>,
  workspaceId: string,
): Promise<void> {
  const rows = [inboxes, importJobs, importRecords, messages, outboundJobs, backfills];
  const stores = [integrations, ...rows];
  for (const store of stores) await store.removeWorkspace(workspaceId);
}
