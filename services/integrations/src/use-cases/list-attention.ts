import type { common } from '@laurel/rpc';
import type { IntegrationDeps, WebhookDeps } from '../deps';
import type { IntegrationRow } from '../store/integrations';

/** What failed longer ago than that has been seen, or does not matter any more. */
const LOOK_BACK_MS = 14 * 86_400_000;
const IMPORTS_MAX = 5;

type Deps = Pick<WebhookDeps, 'webhooks'> &
  Pick<IntegrationDeps, 'clock' | 'importJobs' | 'integrations' | 'messages'>;

/** Webhooks without an answer, messages that could not be read, imports that broke off. */
export async function listAttention(
  deps: Deps,
  { workspace_id: workspaceId }: common.AttentionRequest,
): Promise<common.AttentionList> {
  const integrations = await deps.integrations.list(workspaceId);
  const lists = await Promise.all([
    webhooks(deps, workspaceId),
    ...integrations.map((integration) => ofProvider(deps, integration)),
  ]);
  return { items: lists.flat() };
}

async function webhooks(deps: Deps, workspaceId: string): Promise<common.Attention[]> {
  const rows = await deps.webhooks.troubled(workspaceId);
  return rows.map(({ _id, url, disabled_at, failing_since }) => ({
    kind: 'webhook_failing',
    severity: disabled_at ? 'error' : 'warning',
    count: 1,
    since: (failing_since ?? disabled_at)!.toISOString(),
    subject_type: 'webhook',
    subject_id: _id,
    subject_name: url,
  }));
}

async function ofProvider(
  { clock, importJobs, messages }: Deps,
  { workspace_id: workspaceId, provider, inbox_id: inboxId }: IntegrationRow,
): Promise<common.Attention[]> {
  const since = new Date(clock.now().getTime() - LOOK_BACK_MS);
  const [failed, last, jobs] = await Promise.all([
    inboxId === null ? 0 : messages.count(workspaceId, inboxId, 'failed'),
    inboxId === null ? null : messages.lastFailed(workspaceId, inboxId),
    importJobs.failedSince(workspaceId, provider, { since, limit: IMPORTS_MAX }),
  ]);
  const inbox: common.Attention[] =
    last === null
      ? []
      : [
          {
            kind: 'inbox_failed',
            severity: 'error',
            count: failed,
            since: last.received_at.toISOString(),
            subject_type: 'integration',
            subject_id: inboxId!,
            subject_name: provider,
          },
        ];
  const imports = jobs.map((job) => ({
    kind: 'import_failed',
    severity: 'error',
    count: 1,
    since: (job.finished_at ?? since).toISOString(),
    subject_type: 'sales_import',
    subject_id: job._id,
    subject_name: provider,
  }));
  return [...inbox, ...imports];
}
