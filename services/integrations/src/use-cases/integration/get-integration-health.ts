import { unitOfWork } from '@laurel/mongo';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import type { IntegrationRow } from '../../store/integrations';
import { openInbox } from '../inbox/save-inbox';
import { requireIntegration, requireProvider } from './require-integration';
import { toOutboundJobReply } from './wire';

const DAY_MS = 86_400_000;

/**
 * How an integration does. An inbox that is recorded and not there any more is reported once, and made anew where
 * receiving is on; its token is to be had by rotating it.
 */
export async function getIntegrationHealth(
  deps: IntegrationDeps,
  { workspace_id: workspaceId, provider }: api.ProviderRequest,
): Promise<api.IntegrationHealth> {
  requireProvider(provider);
  const row = await requireIntegration(deps, { workspaceId, provider });
  const told = await outboundHealth(deps, row);
  const base = { config: row.config, ...(told ? { outbound: told } : {}) };
  if (row.inbox_id === null) return base;
  if (!(await deps.inboxes.isThere(workspaceId, row.inbox_id))) {
    await replaceMissingInbox(deps, row);
    return { ...base, inbox_missing: true };
  }
  const inbox = await inboxHealth(deps, workspaceId, row.inbox_id).catch((error: unknown) => {
    deps.logger.warn({ err: error, workspace_id: workspaceId }, 'an inbox could not be counted');
    return undefined;
  });
  return { ...base, ...(inbox ? { inbox } : {}) };
}

/** Undefined where the provider sends nothing. */
async function outboundHealth(
  { outboundJobs, backfills }: IntegrationDeps,
  { workspace_id: workspaceId, provider }: IntegrationRow,
): Promise<api.OutboundHealth | undefined> {
  if (!requireProvider(provider).outbound) return undefined;
  const [pending, done, failed, last, isBackfilling] = await Promise.all([
    outboundJobs.count(workspaceId, { provider, status: 'pending' }),
    outboundJobs.count(workspaceId, { provider, status: 'done' }),
    outboundJobs.count(workspaceId, { provider, status: 'failed' }),
    outboundJobs.lastFailed(workspaceId, provider),
    backfills.isUnderWay(workspaceId, provider),
  ]);
  return {
    counts: { pending, done, failed },
    is_backfilling: isBackfilling,
    ...(last ? { last_failed: toOutboundJobReply(last) } : {}),
  };
}

async function inboxHealth(
  { messages, clock }: IntegrationDeps,
  workspaceId: string,
  inboxId: string,
): Promise<api.InboxHealth> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  const [pending, leased, processed, failed, recent, last] = await Promise.all([
    messages.count(workspaceId, inboxId, 'pending'),
    messages.count(workspaceId, inboxId, 'leased'),
    messages.count(workspaceId, inboxId, 'processed'),
    messages.count(workspaceId, inboxId, 'failed'),
    messages.countProcessedSince(workspaceId, inboxId, since),
    messages.lastFailed(workspaceId, inboxId),
  ]);
  return {
    counts: { pending, leased, processed, failed },
    processed_24h: recent,
    ...(last
      ? {
          last_failed: {
            id: last._id,
            received_at: last.received_at.toISOString(),
            last_error: last.last_error ?? '',
            attempts: last.attempts,
          },
        }
      : {}),
  };
}

/** Does nothing when somebody else was quicker. */
async function replaceMissingInbox(deps: IntegrationDeps, seen: IntegrationRow): Promise<void> {
  const { workspace_id: workspaceId, provider, inbox_id: missing } = seen;
  await unitOfWork(deps.connection, async (session) => {
    const row = await deps.integrations.get(workspaceId, provider, session);
    if (row?.inbox_id !== missing) return;
    const now = deps.clock.now();
    const opened = row.enabled_inbound ? await openInbox(deps, row, { now, session }) : null;
    const inboxId = opened?.inboxId ?? null;
    await deps.integrations.replace({ ...row, inbox_id: inboxId, date_updated: now }, session);
  });
}
