import { randomUUID } from 'node:crypto';
import { type Broker, connectBroker, createEvent } from '@laurel/events';
import { silentLogger, until } from '@laurel/testing';
import type { Caller } from './api';
import { expectStatus } from './factories';

let connecting: Promise<Broker> | undefined;

/** Events from outside need a pass: it is told on the broker, as the passes service would. */
async function passOf({ workspaceId }: Caller, clientId: string): Promise<string> {
  const url = process.env.RABBITMQ_URL;
  if (!url) throw new Error('RABBITMQ_URL is not set: run the end-to-end tests with npm test');
  connecting ??= connectBroker({ url, logger: silentLogger, service: 'e2e' });
  const broker = await connecting;
  const passId = randomUUID();
  const data = {
    pass_id: passId,
    client_id: clientId,
    pass_template_id: randomUUID(),
    project_id: randomUUID(),
  };
  const created = createEvent('passes.pass_created', { workspaceId, subject: passId, data });
  await until(async () => (await broker.publish([created]))[0] === 'confirmed');
  return passId;
}

/** A purchase on a pass of the client, or what `overrides` makes of it; returns the stored event. */
export async function buy(workspace: Caller, clientId: string, overrides: object = {}) {
  const purchase = {
    pass_id: await passOf(workspace, clientId),
    event_category: 'transaction',
    event_type: 'purchase',
    amount: 12.5,
    currency: 'EUR',
    ...overrides,
  };
  // The pass is known as soon as its event has arrived.
  return until(async () => {
    const reply = await workspace.post('/events', purchase);
    return reply.status === 404 ? null : expectStatus(reply, 200).body.data;
  });
}

export async function closePurchases(): Promise<void> {
  await (await connecting)?.close();
}
