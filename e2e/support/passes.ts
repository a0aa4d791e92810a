import { randomUUID } from 'node:crypto';
import { type Broker, connectBroker, createEvent } from '@laurel/events';
import { silentLogger, until } from '@laurel/testing';
import { newClient, type TestWorkspace } from './factories';

let connecting: Promise<Broker> | undefined;
const probes = new Map<string, string>();

/** A pass as the trail knows it: told on the broker, usable once the trail has heard of it. */
export async function newPass(owner: TestWorkspace, clientId: string | null): Promise<string> {
  const broker = await connected();
  const passId = randomUUID();
  const data = {
    pass_id: passId,
    client_id: clientId,
    pass_template_id: randomUUID(),
    project_id: randomUUID(),
  };
  const { workspaceId } = owner;
  const event = createEvent('passes.pass_created', { workspaceId, subject: passId, data });
  await until(async () => (await broker.publish([event]))[0] === 'confirmed');
  await until(async () => {
    const probe = { client_id: await ownClient(owner), event_type: 'scan', pass_id: passId };
    return (await owner.post(':ws/engagement', probe)).status === 201;
  });
  return passId;
}

/** Ends what `newPass` needed; for `afterAll`. */
export async function closePasses(): Promise<void> {
  await (await connecting)?.close();
  connecting = undefined;
}

function connected(): Promise<Broker> {
  const url = process.env.RABBITMQ_URL ?? '';
  connecting ??= connectBroker({ url, logger: silentLogger, service: 'e2e' });
  return connecting;
}

async function ownClient(owner: TestWorkspace): Promise<string> {
  const known = probes.get(owner.workspaceId);
  if (known) return known;
  const { id } = await newClient(owner);
  probes.set(owner.workspaceId, id);
  return id;
}
