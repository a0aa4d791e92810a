import type { TrailEvent } from '../domain/trail-event';

/** An event as it is stored; what only some have is absent rather than null, for the partial indexes. */
export interface EventDocument extends Omit<TrailEvent, 'id' | 'external_id' | 'orphaned_at'> {
  _id: string;
  external_id?: string;
  orphaned_at?: Date;
}

export function toDocument({ id, external_id, orphaned_at, ...event }: TrailEvent): EventDocument {
  const document: EventDocument = { _id: id, ...event };
  if (external_id !== null) document.external_id = external_id;
  if (orphaned_at !== null) document.orphaned_at = orphaned_at;
  return document;
}

export function fromDocument({
  _id,
  external_id,
  orphaned_at,
  ...event
}: EventDocument): TrailEvent {
  return {
    ...event,
    id: _id,
    // Events from before refunds were linked have neither.
    original_external_id: event.original_external_id ?? null,
    refund_link: event.refund_link ?? null,
    external_id: external_id ?? null,
    orphaned_at: orphaned_at ?? null,
  };
}
