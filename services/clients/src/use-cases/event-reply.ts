import type { clients as api } from '@laurel/rpc';
import type { TrailEvent } from '../domain/trail-event';
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
