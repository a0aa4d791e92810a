import { newId } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { blankEvent, type TrailEvent } from '../domain/trail-event';

/** What callers may say of an event that they report. */
interface Report {
  workspace_id: string;
  event_type: string;
  pass_id?: string;
  /** ISO 8601; now where they do not say. */
  event_timestamp?: string;
  source?: string;
}

/** An event that a caller reports about a client, or about a pass alone, to be completed by its details. */
export function reportedEvent(
  { clock }: Pick<Deps, 'clock'>,
  category: 'engagement' | 'custom',
  { clientId, report }: { clientId: string | null; report: Report },
): TrailEvent {
  return blankEvent(category, report.event_type, {
    id: newId(),
    workspaceId: report.workspace_id,
    clientId,
    passId: report.pass_id ?? null,
    clientName: null,
    timestamp:
      report.event_timestamp === undefined ? clock.now() : new Date(report.event_timestamp),
    source: report.source ?? 'api',
  });
}
