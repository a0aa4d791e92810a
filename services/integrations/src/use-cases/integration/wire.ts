import type { integrations as api } from '@laurel/rpc';
import { ingestUrl } from '../../domain/ingest-url';
import type { ImportJobRow } from '../../store/import-jobs';
import type { MessageRow } from '../../store/inbox-messages';
import type { IntegrationRow } from '../../store/integrations';
import type { OutboundJobRow } from '../../store/outbound-job-rows';

const iso = (date: Date | null | undefined): string | null => date?.toISOString() ?? null;

/** An integration as the API shows it: of its secrets only how they end and since when they are. */
export function toIntegrationReply(
  row: IntegrationRow,
  publicUrl: string,
  token?: string,
): api.Integration {
  const secrets = row.secrets.map(({ key, last4, rotated_at }) => [
    key,
    { last4, rotated_at: rotated_at.toISOString() },
  ]);
  return {
    id: row._id,
    workspace_id: row.workspace_id,
    provider: row.provider,
    enabled_inbound: row.enabled_inbound,
    enabled_outbound: row.enabled_outbound,
    inbox_id: row.inbox_id,
    inbox_ingest_url: row.inbox_id === null ? null : ingestUrl(publicUrl, row.inbox_id, token),
    config: row.config,
    secrets_meta: Object.fromEntries(secrets),
    last_synced_at: iso(row.last_synced_at),
    last_error: row.last_error,
    date_created: row.date_created.toISOString(),
    date_updated: row.date_updated.toISOString(),
  };
}

/** What became of a message, without what was sent. */
export function toInboxMessageReply(row: Omit<MessageRow, 'body' | 'headers'>): api.InboxMessage {
  return {
    id: row._id,
    status: row.status,
    attempts: row.attempts,
    last_error: row.last_error,
    next_attempt_at: row.status === 'pending' ? iso(row.due_at) : null,
    received_at: row.received_at.toISOString(),
    processed_at: iso(row.processed_at),
    client_id: row.client_id,
    outcome: row.outcome,
    refund_link: row.refund_link ?? null,
  };
}

export function toTransactionImportReply(row: ImportJobRow): api.TransactionImport {
  return {
    id: row._id,
    workspace_id: row.workspace_id,
    provider: row.provider,
    status: row.status,
    phase: row.phase,
    date_from: row.date_from,
    date_to: row.date_to,
    location_ids: row.location_ids,
    fetch_total: row.fetch_total,
    fetch_done: row.fetch_done,
    processed_count: row.processed_count,
    imported_count: row.imported_count,
    error_log: row.error_log,
    date_created: row.date_created.toISOString(),
    started_at: iso(row.started_at),
    finished_at: iso(row.finished_at),
  };
}

/** What an outside system hears, or is to hear, of one client. */
export function toOutboundJobReply(row: OutboundJobRow): api.OutboundJob {
  return {
    id: row.id,
    provider: row.provider,
    client_id: row.client_id,
    action: row.action,
    status: row.status,
    attempts: row.attempts,
    external_id: row.external_id,
    last_error: row.last_error,
    next_attempt_at: row.status === 'pending' ? iso(row.due_at) : null,
    date_updated: row.updated_at.toISOString(),
  };
}
