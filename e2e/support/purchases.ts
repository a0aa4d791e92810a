import type { Caller } from './api';
import { expectStatus } from './factories';
import { newPass } from './passes';

/** A purchase on a pass of the client, or what `overrides` makes of it; returns the stored event. */
export async function buy(workspace: Caller, clientId: string, overrides: object = {}) {
  const purchase = {
    pass_id: await newPass(workspace, clientId),
    event_category: 'transaction',
    event_type: 'purchase',
    amount: 12.5,
    currency: 'EUR',
    ...overrides,
  };
  return expectStatus(await workspace.post('/events', purchase), 200).body.data;
}
