import type { Event, EventsRecordBody } from '@laurel/client';
import type { Caller } from './api';
import { newPass } from './passes';

/** A purchase on a pass of the client, or what `overrides` makes of it; returns the stored event. */
export async function buy(
  workspace: Caller,
  clientId: string,
  overrides: Partial<EventsRecordBody> = {},
): Promise<Event> {
  return workspace.laurel.events.record({
    pass_id: await newPass(workspace, clientId),
    event_category: 'transaction',
    event_type: 'purchase',
    amount: 12.5,
    currency: 'EUR',
    ...overrides,
  });
}
