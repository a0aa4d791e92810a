import type { integrations as api } from '@laurel/rpc';

/** Unset fields of a reply arrive as absent; the API shows them as null. */
export const presentIntegration = ({ etag: _etag, ...integration }: api.Integration): object => ({
  ...integration,
  inbox_id: integration.inbox_id ?? null,
  inbox_ingest_url: integration.inbox_ingest_url ?? null,
  config: integration.config ?? {},
  secrets_meta: integration.secrets_meta ?? {},
  last_synced_at: integration.last_synced_at ?? null,
  last_error: integration.last_error ?? null,
});

/** A token only where one is new. */
export const presentSaved = ({ data, token, save_warning }: api.SavedIntegration): object => ({
  data: presentIntegration(data!),
  ...(token === undefined ? {} : { token }),
  ...(save_warning === undefined ? {} : { save_warning }),
});

export const presentProvisioned = (saved: api.SavedIntegration): object => ({
  ...presentSaved(saved),
  token: saved.token ?? null,
});

export const presentOutboundJob = (job: api.OutboundJob): object => ({
  ...job,
  external_id: job.external_id ?? null,
  last_error: job.last_error ?? null,
  next_attempt_at: job.next_attempt_at ?? null,
});

export const presentHealth = ({
  config,
  inbox,
  inbox_missing,
  outbound,
}: api.IntegrationHealth): object => ({
  config: config ?? {},
  inbox: inbox ? { ...inbox, last_failed: inbox.last_failed ?? null } : null,
  ...(inbox_missing ? { inbox_missing } : {}),
  ...(outbound
    ? {
        outbound: {
          ...outbound,
          last_failed: outbound.last_failed ? presentOutboundJob(outbound.last_failed) : null,
        },
      }
    : {}),
});

export const presentConnectionTest = ({
  ok,
  status,
  found,
  error,
  note,
}: api.ConnectionTest): object => ({
  ok,
  status: status ?? null,
  ...(found ? { locations: found.locations } : {}),
  ...(error === undefined ? {} : { error }),
  ...(note === undefined ? {} : { note }),
});

export const presentImport = (job: api.TransactionImport): object => ({
  ...job,
  fetch_total: job.fetch_total ?? null,
  started_at: job.started_at ?? null,
  finished_at: job.finished_at ?? null,
});

export const presentMessage = (message: api.InboxMessage): object => ({
  ...message,
  last_error: message.last_error ?? null,
  next_attempt_at: message.next_attempt_at ?? null,
  processed_at: message.processed_at ?? null,
  client_id: message.client_id ?? null,
  outcome: message.outcome ?? null,
  refund_link: message.refund_link ?? null,
});
