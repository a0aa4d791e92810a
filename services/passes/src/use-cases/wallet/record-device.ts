import type { EventOf } from '@laurel/events';
import { stableId } from '@laurel/lifecycle';
import type { WalletDeps } from '../../deps';

type DeviceEvent = EventOf<'passes.device_registered' | 'passes.device_unregistered'>;

/**
 * Writes into the trail that a pass is on a device, and that it was installed or uninstalled where it was the first or
 * the last one. Entries bear ids derived from the event, so that a redelivery writes nothing.
 */
export async function recordDevice(
  { clients }: Pick<WalletDeps, 'clients'>,
  event: DeviceEvent,
): Promise<void> {
  const { pass_id, client_id, wallet, device_count } = event.data;
  const entries = typesOf(event).map((event_type) => ({
    id: stableId(`${event.id}:${event_type}`),
    pass_id,
    ...(client_id === null ? {} : { client_id }),
    event_category: 'pass_lifecycle',
    event_type,
    source: wallet,
    event_timestamp: event.time,
    metadata: { platform: wallet, device_count },
  }));
  if (entries.length === 0) return;
  await clients.RecordTrail({ workspace_id: event.workspaceid, entries });
}

function typesOf({ type, data: { device_count: count } }: DeviceEvent): string[] {
  if (type === 'passes.device_unregistered') return count === 0 ? ['pass_uninstalled'] : [];
  return count === 1 ? ['pass_registered', 'pass_installed'] : ['pass_registered'];
}
