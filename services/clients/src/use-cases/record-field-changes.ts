import { createEvent, erasedUnder } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { type Authorship, type Client, displayName, type FieldChange } from '../domain/client';
import { fieldChangeEvent, scrubbed, type TrailEvent } from '../domain/trail-event';
import { type InsertDeps, insertTrail } from './insert-trail';

/** A client as it is now, with what was changed about it, by whom and when. */
interface ChangedClient extends Authorship {
  client: Client;
  changes: readonly FieldChange[];
}

/** Writes one field_change event per change into the trail, and tells of each. */
export async function recordFieldChanges(
  deps: InsertDeps & Pick<Deps, 'outbox'>,
  changed: ChangedClient,
  session: Session,
): Promise<void> {
  const { rows, told } = fieldChangeRecords(changed);
  const { workspace_id: workspaceId } = changed.client;
  await insertTrail(deps, { workspaceId, session }, { rows });
  await deps.outbox.append(told, session);
}

/** The trail's rows and the domain events of changed fields. Of an erased client each leaves out what it may not keep. */
export function fieldChangeRecords({ client, changes, source, now }: ChangedClient) {
  const erased = client.status === 'anonymized';
  const whole = changes.map((change) =>
    fieldChangeEvent(change, {
      id: newId(),
      workspaceId: client.workspace_id,
      clientId: client.id,
      passId: null,
      clientName: displayName(client),
      timestamp: now,
      source,
    }),
  );
  return {
    rows: erased ? whole.map(scrubbed) : whole,
    told: whole.map((row) => toDomainEvent(row, erased)),
  };
}

function toDomainEvent(row: TrailEvent, erased: boolean) {
  const data = {
    client_id: row.client_id!,
    field_name: row.field_name!,
    old_value: row.old_value,
    new_value: row.new_value,
    source: row.source!,
    event_id: row.id,
  };
  return createEvent('clients.field_change', {
    workspaceId: row.workspace_id,
    subject: row.client_id!,
    id: row.id,
    data: erased ? erasedUnder('field_change', data) : data,
  });
}
