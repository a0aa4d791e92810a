// Passes, without which nobody buys: told in the name of their service, which this platform does not have yet.
import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';

const EXCHANGE = 'loyalty.events';

/**
 * @param {string} workspaceId
 * @param {{ passId: string, clientId: string }} pass
 */
function passCreated(workspaceId, { passId, clientId }) {
  const id = randomUUID();
  return {
    specversion: '1.0',
    id,
    source: '/laurel/passes',
    type: 'passes.pass_created',
    subject: passId,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    dataversion: 1,
    workspaceid: workspaceId,
    correlationid: id,
    requestid: id,
    depth: 0,
    actortype: 'system',
    data: {
      pass_id: passId,
      client_id: clientId,
      pass_template_id: randomUUID(),
      project_id: randomUUID(),
    },
  };
}

/**
 * Tells everybody of new passes.
 *
 * @param {string} url of the broker
 * @param {Pick<import('./scene.mjs').Workspace, 'id' | 'referees' | 'shoppers'>[]} workspaces
 * @returns {Promise<string[]>} the ids of the events
 */
export async function tellOfPasses(url, workspaces) {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  const events = workspaces.flatMap(({ id, referees, shoppers }) =>
    [...referees, ...shoppers].map((pass) => passCreated(id, pass)),
  );
  for (const event of events)
    channel.publish(EXCHANGE, event.type, Buffer.from(JSON.stringify(event)), {
      persistent: true,
      contentType: 'application/cloudevents+json',
      messageId: event.id,
      type: event.type,
    });
  await channel.waitForConfirms();
  await connection.close();
  return events.map(({ id }) => id);
}
