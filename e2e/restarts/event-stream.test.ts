import { Laurel, type StreamedEvent } from '@laurel/client';
import { until } from '@laurel/testing';
import { gateways } from '../support/api';
import { newClient, newWorkspace } from '../support/factories';
import { kill } from '../support/replicas';

jest.setTimeout(300_000);

const ROUND = 15;

test('a follower misses and repeats nothing, though the gateway and the keeper of the events die', async () => {
  const workspace = await newWorkspace();
  const { id: client_id } = await newClient(workspace);
  const at = (baseUrl: string) =>
    new Laurel({ baseUrl, token: workspace.token, workspace: workspace.workspaceId, retries: 12 });
  const till = at(gateways().at(-1)!);
  const told: string[] = [];
  const posted: string[] = [];
  const post = async () => {
    const visit = { client_id, event_type: 'visit', external_id: `visit ${posted.length}` };
    posted.push((await till.events.recordCustom(visit)).id);
  };

  const ending = new AbortController();
  const stream = at(gateways()[0]!).events.stream({}, { signal: ending.signal });
  const following = (async () => {
    for await (const { type, id } of stream as AsyncIterable<StreamedEvent>)
      if (type === 'custom.visit') told.push(id);
  })().catch((error: unknown) => error);
  // From its first event on it has a place in the feed.
  await until(async () => {
    await post();
    return told.length > 0;
  });
  // What was posted before may be behind it in the feed, or ahead of it.
  const before = posted.length;
  for (const service of ['integrations', 'gateway']) {
    const dying = kill(service);
    for (let round = 0; round < ROUND; round += 1) await post();
    await dying;
    for (let round = 0; round < ROUND; round += 1) await post();
  }
  const owed = posted.slice(before);
  await until(() => owed.every((id) => told.includes(id)), {
    withinMs: 60_000,
    what: 'every visit told',
  });
  expect(new Set(told).size).toBe(told.length);
  ending.abort();
  await following;
});
