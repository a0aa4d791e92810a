import type { Json } from '@laurel/errors';
import { withoutMissingKey } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { FieldDefinition } from '../domain/data-model';
import type { Segment } from '../domain/segments/filter';
import type { TrailEvent } from '../domain/trail-event';
import type { ExternalIdentity } from '../store/identities';
import type { ImportJob } from '../store/imports';
import { toEventData } from './trail-domain-event';
import type { Written } from './write-trail';

/** The event as callers read it. */
export function toEventReply(row: TrailEvent): api.Event {
  return { ...toEventData(row), client_name_snapshot: row.client_name_snapshot } as api.Event;
}

/** The event that was stored, now or under the same external_id before. */
export function toRecordingReply({ event, repeated }: Written): api.Event {
  return repeated ? { ...toEventReply(event), repeated } : toEventReply(event);
}

export function toSegmentReply({
  filters,
  date_created: createdAt,
  date_updated: _changedAt,
  revision: _revision,
  ...segment
}: Segment): api.Segment {
  return {
    ...withoutMissingKey(segment),
    filters: filters.map(({ filter_config: config, ...filter }) => ({
      ...filter,
      filter_config: config as unknown as Json,
    })),
    date_created: createdAt.toISOString(),
  };
}

export function toJobReply(job: ImportJob): api.ImportJob {
  return {
    id: job._id,
    status: job.status,
    mode: job.mode,
    total: job.total ?? job.processed,
    processed: job.processed,
    created: job.created,
    updated: job.updated,
    failed: job.failed,
    errors: job.errors,
    date_created: job.date_created.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    finished_at: job.finished_at?.toISOString() ?? null,
  };
}

export function toIdentityReply({
  provider,
  external_id,
  date_created,
}: Pick<ExternalIdentity, 'provider' | 'external_id' | 'date_created'>): api.ExternalIdentity {
  return { provider, external_id, date_created: date_created.toISOString() };
}

export function toFieldReply({ workspace_id: _workspace, ...field }: FieldDefinition): api.Field {
  return field;
}
