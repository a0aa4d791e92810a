import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Written } from './write-trail';

type Named = Partial<Pick<api.NewEvent, 'external_id' | 'pass_id'>>;

/**
 * What was recorded under the external_id of each of these, of the same pass where one is named. What refuses an event
 * (its client was merged, its pass deleted) does not refuse the repeat of one that was recorded before that: its caller
 * may never have heard of it (part 3, section 1.3).
 */
export async function findRecorded(
  { events }: Pick<Deps, 'events'>,
  workspaceIds: readonly string[],
  asked: readonly Named[],
): Promise<(Written | undefined)[]> {
  const ids = [...new Set(asked.flatMap(({ external_id }) => external_id ?? []))];
  const found = await Promise.all(workspaceIds.map((own) => events.findByExternalIds(own, ids)));
  return asked.map(({ external_id, pass_id }) => {
    const named = found.flatMap((known) => known.get(external_id ?? '') ?? []);
    const event = named.find((row) => pass_id === undefined || row.pass_id === pass_id);
    return event && { event, repeated: true };
  });
}
