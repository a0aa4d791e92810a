import { newId } from '@laurel/lifecycle';
import { until } from '@laurel/testing';
import { Webhook } from 'standardwebhooks';
import { Sink } from '../testing/sink';
import { Workbench } from '../testing/workbench';

let bench: Workbench;
const sinks: Sink[] = [];

async function openSink(behave?: Sink['behave']): Promise<Sink> {
  const sink = await Sink.open(behave);
  sinks.push(sink);
  return sink;
}

beforeAll(async () => {
  bench = await Workbench.open();
});
afterAll(async () => {
  await bench.close();
  await Promise.all(sinks.map((sink) => sink.close()));
});

it('delivers an event within a second, signed so that the standard library verifies it', async () => {
  const sink = await openSink();
  const { id, secret } = await bench.register(sink.url);
  const [event] = bench.customEvents(1);
  const committedAt = Date.now();
  await bench.happen([event!]);
  const [received] = await until(() => sink.received.length === 1 && sink.received);
  console.log('latency', received!.at - committedAt);
  const body = new Webhook(secret).verify(received!.body, received!.headers) as object;
  expect(body).toEqual({
    type: 'custom.visit',
    timestamp: event!.time,
    data: event!.data,
    workspace_id: bench.workspaceId,
  });
  expect(received!.headers['webhook-id']).toBe(event!.id);
  const [delivery] = await until(async () => {
    const rows = await bench.deliveries(id);
    return rows[0]?.status === 'delivered' && rows;
  });
  expect(delivery).toMatchObject({
    attempts: 1,
    response_status: 200,
    last_error: null,
    next_attempt_at: null,
    delivered_at: expect.any(Date),
  });
});

it('keeps the order of one client while clients go side by side', async () => {
  const workspaceId = newId();
  const sink = await openSink((_, response) => void setTimeout(() => response.end(), 5));
  await bench.register(sink.url, ['*'], workspaceId);
  const clients = Array.from({ length: 8 }, () => newId());
  const perClient = clients.map((client) => bench.customEvents(12, client, workspaceId));
  const events = perClient[0]!.flatMap((_, index) => perClient.map((own) => own[index]!));
  await bench.happen(events.slice(0, 50));
  await bench.happen(events.slice(50));
  await until(() => sink.received.length >= events.length);
  for (const client of clients) {
    const numbers = sink.data
      .filter((each) => each.client_id === client)
      .map((each) => (each.metadata as { number: number }).number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(numbers).toHaveLength(12);
  }
  expect(sink.inFlightMost).toBeGreaterThan(1);
  expect(sink.inFlightMost).toBeLessThanOrEqual(8);
});
