import type { EventOf } from '@laurel/events';
import { stableId } from '@laurel/lifecycle';
import type { PassDeps } from '../../deps';

/**
 * Writes a change of template into the trail of the client. The id of the entry comes of the event that brought it, so that
 * a redelivery writes nothing; it is another one, because the trail tells of the entry as an event with its id.
 */
export async function recordTemplateChange(
  { clients }: Pick<PassDeps, 'clients'>,
  event: EventOf<'passes.pass_updated'>,
): Promise<void> {
  const { pass_id, client_id, pass_template_id, previous_template_id, source } = event.data;
  if (previous_template_id === undefined) return;
  const entry = {
    id: stableId(`${event.id}:template_changed`),
    pass_id,
    ...(client_id === null ? {} : { client_id }),
    event_category: 'pass_lifecycle',
    event_type: 'template_changed',
    source: source ?? 'system',
    event_timestamp: event.time,
    field_name: 'pass_template_id',
    old_value: previous_template_id,
    new_value: pass_template_id,
  };
  await clients.RecordTrail({ workspace_id: event.workspaceid, entries: [entry] });
}
