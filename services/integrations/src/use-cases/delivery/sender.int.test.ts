import type { ServerResponse } from 'node:http';
import { newId } from '@laurel/lifecycle';
import { until, workOffJob } from '@laurel/testing';
import { Webhook } from 'standardwebhooks';
import { webhookJobs } from '../../jobs';
import { Sink } from '../../testing/sink';
import { customEvent, Workbench } from '../../testing/workbench';
import { deleteWebhook } from '../webhook/delete-webhook';
import { replayWebhook } from '../webhook/replay-webhook';
import { rotateWebhookSecret } from '../webhook/rotate-webhook-secret';
import { getWebhookDelivery } from './get-webhook-delivery';
import { sending } from './metrics';
import { retryWebhookDelivery } from './retry-webhook-delivery';

let bench: Workbench;
const sinks: Sink[] = [];

async function openSink(behave?: Sink['behave']): Promise<Sink> {
  const sink = await Sink.open(behave);
  sinks.push(sink);
  return sink;
}

const answering =
  (status: number, headers: Record<string, string> = {}): Sink['behave'] =>
  (_, response) =>
    void response.writeHead(status, headers).end();

const delivered = (webhookId: string, count = 1) =>
  until(async () => {
    const rows = await bench.deliveries(webhookId);
    return rows.filter(({ status }) => status === 'delivered').length === count && rows;
  });

const detail = (webhookId: string, deliveryId: string, on = bench, workspaceId = on.workspaceId) =>
  getWebhookDelivery(on.parts, {
    workspace_id: workspaceId,
    webhook_id: webhookId,
    delivery_id: deliveryId,
  });

const numberOf = (data: { [key: string]: unknown }): number =>
  (data.metadata as { number: number }).number;

beforeAll(async () => {
  bench = await Workbench.open({ WEBHOOK_IN_FLIGHT_MAX: '48' });
});
afterAll(async () => {
  await bench.close();
  await Promise.all(sinks.map((sink) => sink.close()));
});

it('tells how long an event waited before it was first sent, and not of what is sent again', async () => {
  const told = async () => {
    const { values } = await sending.delay.get();
    const value = (end: string) =>
      values.find(({ metricName }) => metricName === `webhook_delay_seconds_${end}`)?.value ?? 0;
    return { count: value('count'), sum: value('sum') };
  };
  const before = await told();
  const sink = await openSink();
  const { id } = await bench.register(sink.url);
  const [event] = bench.customEvents(1);
  await bench.happen([{ ...event!, time: new Date(Date.now() - 60_000).toISOString() }]);
  const [sent] = await delivered(id);
  await retryWebhookDelivery(bench.parts, {
    workspace_id: bench.workspaceId,
    webhook_id: id,
    delivery_id: sent!._id,
  });
  await until(() => sink.received.length === 2);
  await delivered(id);
  const { count, sum } = await told();
  expect(count - before.count).toBe(1);
  expect(sum - before.sum).toBeGreaterThanOrEqual(60);
});

it('delivers an event, signed so that the standard library verifies it', async () => {
  const sink = await openSink();
  const { id, secret } = await bench.register(sink.url);
  const [event] = bench.customEvents(1);
  await bench.happen([event!]);
  const [delivery] = await delivered(id);
  const { body, headers } = sink.received[0]!;
  expect(new Webhook(secret).verify(body, headers)).toEqual({
    type: 'custom.visit',
    timestamp: event!.time,
    data: event!.data,
    workspace_id: bench.workspaceId,
  });
  expect(headers['webhook-id']).toBe(event!.id);
  expect(headers['content-type']).toBe('application/json');
  expect(delivery).toMatchObject({
    attempts: 1,
    response_status: 200,
    last_error: null,
    next_attempt_at: null,
    delivered_at: expect.any(Date),
  });
});

it('keeps the order of one client while clients go side by side', async () => {
  const sink = await openSink((_, response) => void setTimeout(() => response.end(), 5));
  await bench.register(sink.url);
  const clients = Array.from({ length: 8 }, () => newId());
  const perClient = clients.map((client) => bench.customEvents(12, client));
  const events = perClient[0]!.flatMap((_, index) => perClient.map((own) => own[index]!));
  await bench.happen(events.slice(0, 50));
  await bench.happen(events.slice(50));
  await until(() => sink.received.length >= events.length);
  for (const client of clients) {
    const numbers = sink.data.filter((each) => each.client_id === client).map(numberOf);
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, number) => number));
  }
  expect(sink.inFlightMost).toBeGreaterThan(1);
  expect(sink.inFlightMost).toBeLessThanOrEqual(8);
});

it('tries again after five seconds under the same webhook-id, and lets the client’s next event pass', async () => {
  let look: () => void = () => undefined;
  const looked = new Promise<void>((resolve) => {
    look = resolve;
  });
  const sink = await openSink(async (_, response, count) => {
    if (count > 2) await looked;
    response.writeHead(count === 1 ? 500 : 200).end();
  });
  const { id } = await bench.register(sink.url);
  const client = newId();
  const [first, second] = bench.customEvents(2, client);
  await bench.happen([first!, second!]);
  await delivered(id, 1);
  const waiting = (await bench.deliveries(id)).find(({ event_id }) => event_id === first!.id)!;
  look();
  expect(waiting).toMatchObject({
    status: 'pending',
    attempts: 1,
    response_status: 500,
    last_error: 'answered 500',
    reason: 'retry_scheduled',
  });
  const wait = waiting.next_attempt_at!.getTime() - sink.received[0]!.at;
  expect(wait).toBeGreaterThanOrEqual(4_900);
  expect(wait).toBeLessThan(15_000);
  await until(() => sink.received.length === 3);
  expect(sink.ids).toEqual([first!.id, second!.id, first!.id]);
  expect(sink.received[2]!.at - sink.received[0]!.at).toBeGreaterThanOrEqual(4_900);
  const rows = await delivered(id, 2);
  expect(rows.find(({ event_id }) => event_id === first!.id)).toMatchObject({
    attempts: 2,
    last_error: null,
  });
});

/** Makes all attempts of the one delivery that a webhook has. */
async function useUpAttempts(id: string): Promise<void> {
  for (let attempts = 1; attempts <= 8; attempts += 1) {
    await until(async () => (await bench.deliveries(id))[0]!.attempts >= attempts);
    await bench.makeDue(id);
  }
}

it('has failed after eight attempts', async () => {
  const sink = await openSink(answering(503));
  const { id } = await bench.register(sink.url);
  await bench.happen(bench.customEvents(1));
  await useUpAttempts(id);
  expect(await bench.deliveries(id)).toMatchObject([
    {
      status: 'failed',
      reason: 'retries_exhausted',
      attempts: 8,
      response_status: 503,
      next_attempt_at: null,
    },
  ]);
  expect(new Set(sink.ids).size).toBe(1);
  expect(sink.received).toHaveLength(8);
});

it('counts the attempts that were made, and none for an event that is kept no longer when its turn comes', async () => {
  const sink = await openSink(answering(500));
  const { id } = await bench.register(sink.url);
  const [event] = bench.customEvents(1);
  await bench.happen([event!]);
  await until(async () => (await bench.deliveries(id))[0]!.attempts === 1);
  const kept = bench.store.connection.collection<{ _id: string }>('webhook_events');
  await kept.updateOne({ _id: event!.id }, { $set: { expires_at: new Date(0) } });
  const [delivery] = await until(async () => {
    await bench.makeDue(id);
    const rows = await bench.deliveries(id);
    return rows[0]!.status === 'failed' && rows;
  });
  expect(delivery).toMatchObject({ reason: 'event_expired', attempts: 1, failures: 1 });
  expect((await detail(id, delivery!._id)).attempts).toHaveLength(1);
  expect(sink.received).toHaveLength(1);
});

it('gives an endpoint up that answers 410, says so once, and sends it nothing more', async () => {
  const sink = await openSink(answering(410));
  const { id } = await bench.register(sink.url);
  await bench.happen(bench.customEvents(1));
  const row = await until(async () => {
    const webhook = await bench.webhook(id);
    return webhook?.active === false && webhook;
  });
  expect(row).toMatchObject({ disabled_reason: 'gone', disabled_at: expect.any(Date) });
  const outbox = bench.store.connection.collection('outbox');
  const told = await outbox.find({ 'event.data.webhook_id': id }).toArray();
  expect(told).toMatchObject([
    { event: { type: 'integrations.webhook_disabled', data: { reason: 'gone', url: sink.url } } },
  ]);
  await until(async () => (await bench.deliveries(id))[0]?.status === 'failed');
  expect(await bench.deliveries(id)).toMatchObject([{ response_status: 410 }]);
  await bench.happen(bench.customEvents(1));
  expect(await bench.deliveries(id)).toHaveLength(1);
});

it('gives an endpoint up that has only failed for five days', async () => {
  const sink = await openSink(answering(500));
  const { id } = await bench.register(sink.url);
  await bench.happen(bench.customEvents(1));
  await until(async () => (await bench.deliveries(id))[0]!.attempts > 0);
  await until(async () => (await bench.webhook(id))?.failing_since);
  const sixDaysAgo = new Date(Date.now() - 6 * 86_400_000);
  const seen = await bench.parts.webhooks.get(bench.workspaceId, id);
  await bench.parts.webhooks.change(seen!, { failing_since: sixDaysAgo });
  await bench.parts.sender.changed({ workspaceId: bench.workspaceId, webhookId: id });
  await bench.makeDue(id);
  const row = await until(async () => {
    const webhook = await bench.webhook(id);
    return webhook?.active === false && webhook;
  });
  expect(row).toMatchObject({ disabled_reason: 'failing' });
  const outbox = bench.store.connection.collection('outbox');
  expect(await outbox.countDocuments({ 'event.data.webhook_id': id })).toBe(1);
});

it('gives an endpoint up by the first failure after days without an event, where a delivery before had failed to its end', async () => {
  const sink = await openSink(answering(500));
  const { id } = await bench.register(sink.url);
  await bench.happen(bench.customEvents(1));
  await useUpAttempts(id);
  const seen = await until(async () => {
    const webhook = await bench.webhook(id);
    return webhook?.exhausted_at !== undefined && webhook;
  });
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const weekly = { last_failed_at: daysAgo(6), exhausted_at: daysAgo(6) };
  await bench.parts.webhooks.change(seen, { failing_since: daysAgo(7), ...weekly });
  await bench.parts.sender.changed({ workspaceId: bench.workspaceId, webhookId: id });
  await bench.happen(bench.customEvents(1));
  const row = await until(async () => {
    const webhook = await bench.webhook(id);
    return webhook?.active === false && webhook;
  });
  expect(row).toMatchObject({ disabled_reason: 'failing' });
});

it('forgets earlier failures once the endpoint works again', async () => {
  let isWell = false;
  const sink = await openSink((_, response) => void response.writeHead(isWell ? 200 : 500).end());
  const { id } = await bench.register(sink.url);
  await bench.happen(bench.customEvents(1));
  await until(async () => (await bench.webhook(id))?.failing_since);
  await until(async () => (await bench.deliveries(id))[0]!.attempts > 0);
  isWell = true;
  await bench.makeDue(id);
  await delivered(id);
  await until(async () => (await bench.webhook(id))?.failing_since === null);
});

it('leaves an endpoint alone for as long as it asks to', async () => {
  const sink = await openSink(
    (_, response, count) =>
      void response.writeHead(count === 1 ? 429 : 200, { 'retry-after': '2' }).end(),
  );
  const { id } = await bench.register(sink.url);
  await bench.happen(bench.customEvents(1));
  await until(async () => (await bench.webhook(id))?.paused_until);
  await bench.happen(bench.customEvents(1));
  await delivered(id, 1);
  expect(sink.received[1]!.at - sink.received[0]!.at).toBeGreaterThanOrEqual(1_950);
  expect(sink.ids[1]).not.toBe(sink.ids[0]);
});

it.each([
  ['a redirect', answering(302, { location: 'http://127.0.0.1:1/' }), 'redirects are not followed'],
  ['a closed door', (_: unknown, response: { destroy(): void }) => response.destroy(), 'closed'],
])('counts %s as a failed attempt', async (_, behave, error) => {
  const sink = await openSink(behave as Sink['behave']);
  const { id } = await bench.register(sink.url);
  await bench.happen(bench.customEvents(1));
  const [row] = await until(async () => {
    const rows = await bench.deliveries(id);
    return rows[0]!.attempts > 0 && rows;
  });
  expect(row).toMatchObject({ status: 'pending', last_error: expect.stringContaining(error) });
});

it('takes an endless answer for its status and keeps its first 4 KB', async () => {
  const sink = await openSink((_, response) => {
    response.writeHead(200);
    const pour = setInterval(() => response.write(Buffer.alloc(8_192, 'x')), 1);
    response.on('close', () => clearInterval(pour));
  });
  const { id } = await bench.register(sink.url);
  await bench.happen(bench.customEvents(3));
  await delivered(id, 3);
  const [row] = await bench.deliveries(id);
  const { response } = await until(async () => {
    const shown = await detail(id, row!._id);
    return shown.attempts.length === 1 && shown;
  });
  expect(response).toBe('x'.repeat(4_096));
});

it('shows of a delivery what it sent, what was answered and every attempt, the retry and the replay included', async () => {
  const sink = await openSink((_, response, count) => {
    response.writeHead(count === 1 ? 500 : 200).end(`answer ${count}`);
  });
  const workspaceId = newId();
  const { id } = await bench.register(sink.url, ['*'], workspaceId);
  const [event] = bench.customEvents(1, newId(), workspaceId);
  await bench.happen([event!]);
  await until(async () => (await bench.deliveries(id, workspaceId))[0]?.attempts === 1);
  const deliveryId = (await bench.deliveries(id, workspaceId))[0]!._id;
  const shown = () => detail(id, deliveryId, bench, workspaceId);
  expect(await shown()).toMatchObject({
    delivery: {
      id: deliveryId,
      attempts: 1,
      status: 'pending',
      response_status: 500,
      reason: 'retry_scheduled',
    },
    payload: {
      type: 'custom.visit',
      workspace_id: workspaceId,
      data: { metadata: { number: 0 } },
    },
    response: 'answer 1',
    attempts: [{ response_status: 500, response: 'answer 1', error: 'answered 500' }],
  });
  const request = { workspace_id: workspaceId, webhook_id: id };
  await retryWebhookDelivery(bench.parts, { ...request, delivery_id: deliveryId });
  // An attempt is on record a moment before what it made of the delivery.
  const isTaken = async (tries: number) => {
    const { attempts, delivery } = await shown();
    return attempts.length === tries && delivery?.status === 'delivered';
  };
  await until(() => isTaken(2));
  const [from_date, to_date] = [new Date(0).toISOString(), new Date().toISOString()];
  await replayWebhook(bench.parts, { ...request, from_date, to_date });
  await workOffJob(webhookJobs(bench.parts), 'replay-webhooks');
  await until(() => isTaken(3));
  const { attempts, delivery, response } = await shown();
  expect(delivery).toMatchObject({ status: 'delivered', reason: null });
  expect(attempts.map((each) => [each.response_status, each.response, each.error])).toEqual([
    [200, 'answer 3', null],
    [200, 'answer 2', null],
    [500, 'answer 1', 'answered 500'],
  ]);
  expect(response).toBe('answer 3');
  expect(Date.parse(attempts[0]!.at)).toBeGreaterThan(Date.parse(attempts[1]!.at));
  const elsewhere = { ...request, workspace_id: newId(), delivery_id: deliveryId };
  await expect(getWebhookDelivery(bench.parts, elsewhere)).rejects.toMatchObject({
    httpStatus: 404,
  });
});

it('sends in a replay what waits hours for another try, in the order in which it happened', async () => {
  let isDown = true;
  const sink = await openSink((_, response) =>
    isDown
      ? void response.writeHead(500, { 'retry-after': '7200' }).end()
      : void response.writeHead(200).end(),
  );
  const workspaceId = newId();
  const { id } = await bench.register(sink.url, ['*'], workspaceId);
  const events = bench.customEvents(3, newId(), workspaceId);
  await bench.happen(events);
  const soon = Date.now() + 3_600_000;
  await until(async () => {
    const rows = await bench.deliveries(id, workspaceId);
    return rows.every(({ next_attempt_at: at }) => at !== null && at.getTime() > soon);
  });
  isDown = false;
  const [from_date, to_date] = [new Date(0).toISOString(), new Date().toISOString()];
  await replayWebhook(bench.parts, {
    workspace_id: workspaceId,
    webhook_id: id,
    from_date,
    to_date,
  });
  await workOffJob(webhookJobs(bench.parts), 'replay-webhooks');
  await until(async () => {
    const rows = await bench.deliveries(id, workspaceId);
    return rows.every(({ status }) => status === 'delivered');
  });
  expect(sink.ids.slice(3)).toEqual(events.map((event) => event.id));
});

it('sends a delivery once more when it is retried before the sender knows its result noted', async () => {
  const own = await Workbench.open();
  const sink = await openSink();
  const { id } = await own.register(sink.url);
  const { deliveries } = own.parts;
  const { record } = deliveries;
  let note = (): void => undefined;
  const noted = new Promise<void>((resolve) => {
    note = resolve;
  });
  deliveries.record = async (results) => {
    await record(results);
    await noted;
  };
  await own.happen(own.customEvents(1));
  const row = await until(async () => {
    const [found] = await own.deliveries(id);
    return found?.status === 'delivered' && found;
  });
  const request = { workspace_id: own.workspaceId, webhook_id: id, delivery_id: row._id };
  await retryWebhookDelivery(own.parts, request);
  note();
  await until(async () => (await detail(id, row._id, own)).attempts.length === 2);
  await own.happen(own.customEvents(1));
  await until(async () => (await own.deliveries(id)).every(({ status }) => status === 'delivered'));
  expect(sink.received).toHaveLength(3);
  await own.close();
});

it('lets go of what receivers answered about a person who is erased', async () => {
  const sink = await openSink((_, response) => void response.end('Ada!'));
  const [workspaceId, clientId] = [newId(), newId()];
  const { id } = await bench.register(sink.url, ['*'], workspaceId);
  await bench.happen(bench.customEvents(1, clientId, workspaceId));
  const [row] = await until(async () => {
    const rows = await bench.deliveries(id, workspaceId);
    return rows[0]?.status === 'delivered' && rows;
  });
  await until(async () => (await detail(id, row!._id, bench, workspaceId)).attempts.length === 1);
  await bench.erase(clientId, workspaceId);
  const rows = await bench.store.connection.collection('webhook_attempts').find({}).toArray();
  const own = rows.filter(({ webhook_id }) => webhook_id === id);
  expect(own).toHaveLength(1);
  expect(Number(own[0]!.expires_at)).toBeLessThanOrEqual(Date.now() + 3_600_000);
});

it('lets go of what receivers answered about a client merged into one who was erased, also of what they answer now', async () => {
  const sink = await openSink((_, response) => void response.end('Ada!'));
  const [workspaceId, source, target] = [newId(), newId(), newId()];
  const { id } = await bench.register(sink.url, ['*'], workspaceId);
  const attempts = () =>
    bench.store.connection.collection('webhook_attempts').find({ webhook_id: id }).toArray();
  await bench.happen(bench.customEvents(1, source, workspaceId));
  await until(async () => (await attempts()).length === 1);
  await bench.merge(source, target, workspaceId);
  await bench.erase(target, workspaceId);
  const [row] = await until(async () => {
    const rows = await bench.deliveries(id, workspaceId);
    return rows[0]?.status === 'delivered' && rows;
  });
  const request = { workspace_id: workspaceId, webhook_id: id, delivery_id: row!._id };
  await retryWebhookDelivery(bench.parts, request);
  await until(async () => (await attempts()).length === 2);
  await until(async () => (await bench.deliveries(id, workspaceId))[0]?.status === 'delivered');
  for (const { expires_at } of await attempts())
    expect(Number(expires_at)).toBeLessThanOrEqual(Date.now() + 3_600_000);
});

it('leaves nothing waiting for ever for an endpoint that answered 410', async () => {
  const sink = await openSink(answering(410));
  const workspaceId = newId();
  const { id } = await bench.register(sink.url, ['*'], workspaceId);
  await bench.happen(bench.customEvents(20, newId(), workspaceId));
  const rows = await until(async () => {
    const found = await bench.deliveries(id, workspaceId);
    return found.every(({ status }) => status === 'failed') && found;
  });
  expect(rows).toHaveLength(20);
  expect(rows.every(({ next_attempt_at }) => next_attempt_at === null)).toBe(true);
  expect(new Set(rows.map(({ reason }) => reason))).toEqual(new Set(['webhook_gone']));
  expect(rows.filter(({ attempts }) => attempts > 0)).toHaveLength(sink.received.length);
  expect(rows.filter(({ attempts }) => attempts === 0)[0]?.last_error).toContain('410');
});

it('lets no living receiver wait for dead ones, even if they are more than fit', async () => {
  const [dead, quick] = [await openSink(() => undefined), await openSink()];
  const deadHooks = await Promise.all(Array.from({ length: 20 }, () => bench.register(dead.url)));
  const { id } = await bench.register(quick.url);
  await bench.happen(Array.from({ length: 100 }, () => bench.customEvents(1)[0]!));
  await delivered(id, 100);
  // Not one of the dead has been given up on yet: the living did not wait for that.
  for (const hook of deadHooks) {
    const rows = await bench.deliveries(hook.id);
    expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  }
  // Each of them has one on its way, and no more than the share of one workspace hangs.
  await until(() => dead.inFlight >= deadHooks.length);
});

it('sends to one webhook while all that another workspace’s may have in flight hangs at the same host', async () => {
  const narrow = await Workbench.open({
    WEBHOOK_CONCURRENCY: '2',
    WEBHOOK_TIMEOUT_SECONDS: '30',
  });
  const hung: ServerResponse[] = [];
  const sink = await openSink((_, response) => {
    if (response.req.url === '/hook') response.end();
    else hung.push(response);
  });
  const other = newId();
  await narrow.register(`${sink.url}/hangs`, ['*'], other);
  const { id } = await narrow.register(sink.url);
  await narrow.happen(
    Array.from({ length: 4 }, () => customEvent({ workspaceId: other, clientId: newId() })),
  );
  await until(() => hung.length === 2);
  await narrow.happen(narrow.customEvents(1));
  const [row] = await until(async () => {
    const rows = await narrow.deliveries(id);
    return rows[0]?.status === 'delivered' && rows;
  });
  expect(row).toMatchObject({ attempts: 1, last_error: null });
  expect(hung).toHaveLength(2);
  sink.behave = (_, response) => void response.end();
  for (const response of hung) response.end();
  await narrow.close();
});

it('gives up on a receiver that does not answer in time', async () => {
  const hasty = await Workbench.open({ WEBHOOK_TIMEOUT_SECONDS: '1' });
  const sink = await openSink(() => undefined);
  const { id } = await hasty.register(sink.url);
  await hasty.happen(hasty.customEvents(1));
  const [row] = await until(async () => {
    const rows = await hasty.deliveries(id);
    return rows[0]!.attempts > 0 && rows;
  });
  expect(row).toMatchObject({ status: 'pending', last_error: 'no answer within 1000 ms' });
  await hasty.close();
});

it('sends each delivery once though two senders share the work', async () => {
  const sink = await openSink();
  const other = bench.startReplica();
  const workspaceId = newId();
  const hooks = await Promise.all(
    Array.from({ length: 6 }, () => bench.register(sink.url, ['*'], workspaceId)),
  );
  const events = Array.from({ length: 60 }, () => customEvent({ workspaceId, clientId: newId() }));
  await Promise.all(
    [0, 1, 2, 3, 4, 5].map((part) =>
      bench.happen(events.slice(part * 10, part * 10 + 10), part % 2 ? other : bench.parts),
    ),
  );
  for (const { id } of hooks) {
    await until(async () => {
      const rows = await bench.deliveries(id, workspaceId);
      return rows.length === 60 && rows.every(({ status }) => status === 'delivered');
    });
  }
  expect(sink.received).toHaveLength(hooks.length * events.length);
});

it('lets every receiver verify while secrets are rotated under load', async () => {
  const sink = await openSink();
  const { id, secret } = await bench.register(sink.url);
  const secrets = [secret];
  const events = Array.from({ length: 150 }, () => bench.customEvents(1)[0]!);
  const load = (async () => {
    for (let start = 0; start < events.length; start += 10) {
      await bench.happen(events.slice(start, start + 10));
    }
  })();
  for (let times = 0; times < 3; times += 1) {
    const rotated = await rotateWebhookSecret(bench.parts, { workspace_id: bench.workspaceId, id });
    secrets.push(rotated.secret);
  }
  await load;
  await bench.happen(bench.customEvents(1));
  await delivered(id, 151);
  for (const { body, headers } of sink.received) {
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
  }
  const { body, headers } = sink.received.at(-1)!;
  for (const each of secrets) expect(() => new Webhook(each).verify(body, headers)).not.toThrow();
});

it('goes on where a sender that died left off', async () => {
  const sink = await openSink();
  const { id } = await bench.register(sink.url);
  const webhooks = { workspaceId: bench.workspaceId, webhookId: id };
  const lease = { owner: 'the dead', leaseMs: 600_000 };
  await bench.parts.lanes.take(webhooks.workspaceId, id, lease);
  await bench.happen(bench.customEvents(2));
  expect(sink.received).toHaveLength(0);
  const lanes = bench.store.connection.collection<{ _id: string }>('webhook_lanes');
  await lanes.updateOne({ _id: id }, { $set: { lease_until: new Date(0) } });
  await delivered(id, 2);
});

it('removes what is left of a deleted webhook', async () => {
  const sink = await openSink(answering(500));
  const { id } = await bench.register(sink.url);
  await bench.happen(bench.customEvents(5));
  await until(() => sink.received.length > 0);
  await deleteWebhook(bench.parts, { workspace_id: bench.workspaceId, id });
  await until(async () => (await bench.deliveries(id)).length === 0);
});
