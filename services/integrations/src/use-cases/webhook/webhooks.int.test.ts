import { createEvent } from '@laurel/events';
import { newId, noteSandbox } from '@laurel/lifecycle';
import { removeWorkspace } from '@laurel/mongo';
import { createVault, resealAll } from '@laurel/secrets';
import { underOneKey, until, workOffJob } from '@laurel/testing';
import { webhookJobs } from '../../jobs';
import { Sink } from '../../testing/sink';
import { customEvent, secretsKey, Workbench } from '../../testing/workbench';
import { listWebhookDeliveries } from '../delivery/list-webhook-deliveries';
import { retryWebhookDelivery } from '../delivery/retry-webhook-delivery';
import { sweepLanes } from '../delivery/sweep-lanes';
import { createWebhook } from './create-webhook';
import { getWebhook, listWebhooks } from './read-webhooks';
import { replayWebhook } from './replay-webhook';
import { rotateWebhookSecret } from './rotate-webhook-secret';
import { testWebhook } from './test-webhook';
import { updateWebhook } from './update-webhook';

let bench: Workbench;
let sink: Sink;
let workspaceId: string;

beforeAll(async () => {
  bench = await Workbench.open({ WEBHOOK_TIMEOUT_SECONDS: '5' });
});
beforeEach(async () => {
  sink = await Sink.open();
  workspaceId = newId();
});
afterEach(() => sink.close());
afterAll(() => bench.close());

const register = (eventTypes = ['*']) => bench.register(sink.url, eventTypes, workspaceId);
const one = (id: string) => ({ workspace_id: workspaceId, id });
const happen = (...events: Parameters<Workbench['happen']>[0]) => bench.happen(events);
const visit = (time = new Date()) => customEvent({ workspaceId, clientId: newId(), time });
const anonymized = (clientId = newId()) =>
  createEvent('clients.anonymized', {
    workspaceId,
    subject: clientId,
    data: { client_id: clientId },
  });
/** A rule calls a webhook. */
const called = (webhook_id: string) =>
  createEvent('automations.webhook_called', {
    workspaceId,
    subject: newId(),
    data: {
      webhook_id,
      automation_rule_id: newId(),
      automation_execution_id: newId(),
      client_id: newId(),
      trigger_event_id: null,
      payload: { hello: 'world' },
    },
  });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const received = (count: number) => until(() => sink.received.length === count);
const allDelivered = (id: string, count: number) =>
  until(async () => {
    const rows = await bench.deliveries(id, workspaceId);
    return rows.length === count && rows.every(({ status }) => status === 'delivered') && rows;
  });

async function replay(id: string, from: Date, to: Date, eventTypes?: string[]): Promise<void> {
  await replayWebhook(bench.parts, {
    workspace_id: workspaceId,
    webhook_id: id,
    from_date: from.toISOString(),
    to_date: to.toISOString(),
    ...(eventTypes ? { event_types: eventTypes } : {}),
  });
  await workOffJob(webhookJobs(bench.parts), 'replay-webhooks');
}

it('makes one webhook under one key however often it is asked, and answers the repeat with its secret', async () => {
  const command = { workspace_id: workspaceId, url: sink.url, event_types: ['*'] };
  const create = underOneKey(() => createWebhook(bench.parts, command));
  const first = await create();
  expect(await create()).toEqual(first);
  const others = await Promise.all([create(), create()]);
  expect(others).toEqual([first, first]);
  const own = { workspace_id: workspaceId, limit: 10, offset: 0 };
  expect((await listWebhooks(bench.parts, own)).total).toBe(1);
  const kept = await bench.store.connection.collection('operations').find({}).toArray();
  expect(JSON.stringify(kept)).not.toContain(first.secret);
});

it('keeps a hundred webhooks of a workspace at most, however many are made at once', async () => {
  const command = { workspace_id: workspaceId, url: sink.url, event_types: ['*'], active: false };
  await Promise.all(Array.from({ length: 99 }, () => createWebhook(bench.parts, command)));
  const tries = Array.from({ length: 10 }, () =>
    underOneKey(() => createWebhook(bench.parts, command)),
  );
  const outcomes = await Promise.all(
    tries.map((last) =>
      last().then(
        (made) => ({ last, made }),
        ({ code }) => code,
      ),
    ),
  );
  const [hundredth, ...others] = outcomes.filter((one) => one !== 'CONFLICT');
  expect(others).toEqual([]);
  expect(await hundredth.last()).toEqual(hundredth.made);
});

it('answers the repeat of a replay as the first time, though the webhook is off by then', async () => {
  const { id } = await register();
  const range = { from_date: daysAgo(1).toISOString(), to_date: new Date().toISOString() };
  const ask = () =>
    replayWebhook(bench.parts, { ...range, workspace_id: workspaceId, webhook_id: id });
  const asked = underOneKey(ask);
  const first = await asked();
  await updateWebhook(bench.parts, { ...one(id), active: false } as never);
  expect(await asked()).toEqual(first);
  await expect(ask()).rejects.toMatchObject({ httpStatus: 409 });
});

describe('who gets what', () => {
  it('delivers only what a webhook asks for, and nothing of another workspace', async () => {
    const custom = await register(['custom.*']);
    const exact = await register(['client.anonymized']);
    const stranger = await bench.register(sink.url, ['*'], newId());
    const [first, second] = [visit(), anonymized()];
    await happen(first, second);
    await received(2);
    expect(await bench.deliveries(custom.id, workspaceId)).toMatchObject([{ event_id: first.id }]);
    expect(await bench.deliveries(exact.id, workspaceId)).toMatchObject([
      { event_id: second.id, event_type: 'client.anonymized' },
    ]);
    expect(await bench.deliveries(stranger.id, workspaceId)).toEqual([]);
  });

  it('calls exactly the webhook that a rule names, whatever its event_types say', async () => {
    const [named, other] = [await register(['client.created']), await register(['*'])];
    await happen(called(named.id));
    await received(1);
    expect(JSON.parse(sink.received[0]!.body)).toMatchObject({
      type: 'automation.webhook',
      data: { webhook_id: named.id, payload: { hello: 'world' } },
    });
    expect(await bench.deliveries(other.id, workspaceId)).toEqual([]);
  });

  it('carries nothing internal', async () => {
    await register();
    const data = { workspace_id: workspaceId, user_id: newId(), role: 'member' };
    const internal = createEvent('identity.member_added', { workspaceId, subject: newId(), data });
    await happen(internal, anonymized());
    await received(1);
    expect(JSON.parse(sink.received[0]!.body)).toMatchObject({ type: 'client.anonymized' });
  });

  it('makes nothing for an inactive webhook, and a fresh start when it is activated', async () => {
    const { id } = await register();
    await updateWebhook(bench.parts, { ...one(id), active: false });
    await happen(visit());
    expect(await bench.deliveries(id, workspaceId)).toEqual([]);
    const row = await bench.parts.webhooks.get(workspaceId, id);
    await bench.parts.webhooks.change(row!, {
      disabled_at: new Date(),
      disabled_reason: 'gone',
    });
    const active = await updateWebhook(bench.parts, { ...one(id), active: true });
    expect(active).toMatchObject({ active: true, disabled_at: null, disabled_reason: null });
    await happen(visit());
    await allDelivered(id, 1);
  });

  it('keeps what waits for a webhook that is switched off and sends it when it is back', async () => {
    sink.behave = (_, response) => void response.writeHead(500).end();
    const { id } = await register();
    await happen(visit());
    await until(async () => (await bench.deliveries(id, workspaceId))[0]!.attempts > 0);
    await updateWebhook(bench.parts, { ...one(id), active: false });
    const listed = { workspace_id: workspaceId, webhook_id: id, limit: 1 };
    const { data } = await listWebhookDeliveries(bench.parts, listed);
    expect(data).toMatchObject([{ status: 'pending', reason: 'webhook_inactive' }]);
    const tries = sink.received.length;
    sink.behave = (_, response) => void response.end();
    await bench.makeDue(id, workspaceId);
    await updateWebhook(bench.parts, { ...one(id), active: true });
    await allDelivered(id, 1);
    expect(sink.received).toHaveLength(tries + 1);
  });
});

describe('replay and retry', () => {
  it('sends the events of a time range again, each under its own id, and no others', async () => {
    const { id } = await register();
    const events = [4, 3, 2, 1].map((days) => visit(daysAgo(days)));
    await happen(...events);
    await allDelivered(id, 4);
    await replay(id, daysAgo(3.5), daysAgo(1.5));
    await received(6);
    expect(sink.ids.slice(4).sort()).toEqual([events[1]!.id, events[2]!.id].sort());
    const rows = await allDelivered(id, 4);
    expect(rows.map(({ attempts }) => attempts).sort()).toEqual([1, 1, 2, 2]);
  });

  it('reaches 34 days back and to events from before the webhook existed', async () => {
    await register(['client.created']);
    const old = visit(daysAgo(34));
    await happen(old);
    const { id } = await register();
    await replay(id, daysAgo(35), new Date());
    await allDelivered(id, 1);
    expect(sink.ids).toEqual([old.id]);
  });

  it('sends again what rules called it with, unless it names event types', async () => {
    const [{ id }, other] = [await register(['client.created']), await register(['custom.*'])];
    await happen(called(id), called(other.id));
    await allDelivered(id, 1);
    await allDelivered(other.id, 1);
    await replay(id, daysAgo(1), new Date());
    await received(3);
    await replay(id, daysAgo(1), new Date(), ['client.created']);
    const [again] = await allDelivered(id, 1);
    expect(again).toMatchObject({ event_type: 'automation.webhook', attempts: 2 });
    expect(sink.received).toHaveLength(3);
  });

  it('takes event types of its own', async () => {
    const { id } = await register(['custom.visit']);
    await happen(visit(), anonymized());
    await allDelivered(id, 1);
    await replay(id, daysAgo(1), new Date(), ['client.anonymized']);
    await allDelivered(id, 2);
    expect(sink.received).toHaveLength(2);
  });

  it('goes through more events than fit in one batch', async () => {
    const { id } = await register(['client.created']);
    await happen(...Array.from({ length: 300 }, () => visit(daysAgo(2))));
    await happen(
      ...Array.from({ length: 250 }, (_, index) => visit(new Date(daysAgo(1).getTime() + index))),
    );
    await replay(id, daysAgo(3), new Date(), ['custom.*']);
    await until(() => sink.received.length === 550);
    expect(new Set(sink.ids).size).toBe(550);
  });

  it('refuses a range that ends before it starts, unknown types and an inactive webhook', async () => {
    const { id } = await register();
    await expect(replay(id, new Date(), daysAgo(1))).rejects.toMatchObject({ httpStatus: 400 });
    await expect(replay(id, daysAgo(1), new Date(), ['nope'])).rejects.toMatchObject({
      httpStatus: 400,
    });
    await updateWebhook(bench.parts, { ...one(id), active: false });
    await expect(replay(id, daysAgo(1), new Date())).rejects.toMatchObject({ httpStatus: 409 });
  });

  it('retries one delivery from the start of the schedule, whatever became of it', async () => {
    const { id } = await register();
    await happen(visit());
    const [row] = await allDelivered(id, 1);
    const command = { workspace_id: workspaceId, webhook_id: id, delivery_id: row!._id };
    expect(await retryWebhookDelivery(bench.parts, command)).toMatchObject({ status: 'pending' });
    await received(2);
    const [again] = await allDelivered(id, 1);
    expect(again).toMatchObject({ attempts: 2 });
    expect(sink.ids[0]).toBe(sink.ids[1]);
    await expect(
      retryWebhookDelivery(bench.parts, { ...command, delivery_id: newId() }),
    ).rejects.toMatchObject({ httpStatus: 404 });
    await expect(
      retryWebhookDelivery(bench.parts, { ...command, workspace_id: newId() }),
    ).rejects.toMatchObject({ httpStatus: 404 });
  });
});

describe('what is kept', () => {
  it('lists deliveries newest first, page by page, by status and type', async () => {
    const { id } = await register();
    for (let count = 0; count < 5; count += 1) await happen(visit());
    await happen(anonymized());
    await allDelivered(id, 6);
    const query = { workspace_id: workspaceId, webhook_id: id, limit: 4 };
    const first = await listWebhookDeliveries(bench.parts, query);
    const second = await listWebhookDeliveries(bench.parts, {
      ...query,
      cursor: first.next_cursor!,
    });
    const ids = [...first.data, ...second.data].map((row) => row.id);
    expect([first.data.length, second.data.length, second.next_cursor]).toEqual([4, 2, null]);
    expect(ids).toEqual([...ids].sort().reverse());
    const some = await listWebhookDeliveries(bench.parts, {
      ...query,
      event_type: 'client.anonymized',
    });
    expect(some.data).toHaveLength(1);
    const none = await listWebhookDeliveries(bench.parts, { ...query, status: 'failed' });
    expect(none.data).toEqual([]);
  });

  it('shows a secret once and stores only its ciphertext', async () => {
    const { id, secret } = await register();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const stored = await bench.webhook(id);
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6));
    expect(JSON.stringify(await getWebhook(bench.parts, one(id)))).not.toContain('whsec_');
    expect(
      JSON.stringify(
        await listWebhooks(bench.parts, { workspace_id: workspaceId, limit: 10, offset: 0 }),
      ),
    ).not.toContain('secret');
  });

  it('encrypts anew with a new key, so that the old one may go', async () => {
    const { id } = await register();
    await rotateWebhookSecret(bench.parts, one(id));
    const newKey = Buffer.alloc(32, 7).toString('base64');
    const rotated = createVault(newKey, secretsKey);
    await resealAll(rotated, bench.parts.webhooks.sealed);
    const { secrets } = (await bench.webhook(id))!;
    const onlyNew = createVault(newKey);
    expect(secrets).toHaveLength(2);
    for (const { sealed } of secrets) {
      expect(onlyNew.open(sealed, `webhook ${workspaceId} ${id}`).toString()).toMatch(/^whsec_/);
    }
    await resealAll(createVault(secretsKey, newKey), bench.parts.webhooks.sealed);
  });

  it('lets go of a person who was erased: what is kept says no more of them, and replays do not bring them back', async () => {
    const { id } = await register();
    const clientId = newId();
    const before = customEvent({ workspaceId, clientId, time: daysAgo(1) });
    await happen(before);
    await allDelivered(id, 1);
    await bench.erase(clientId, workspaceId);
    const answers = await bench.store.connection
      .collection('webhook_attempts')
      .distinct('response', { workspace_id: workspaceId });
    expect(answers).toEqual([null]);
    const late = customEvent({ workspaceId, clientId, time: daysAgo(2) });
    await happen(late);
    const rows = await bench.store.connection
      .collection('webhook_events')
      .find({ workspace_id: workspaceId })
      .toArray();
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect((row.expires_at as Date).getTime()).toBeLessThan(Date.now() + 3_700_000);
      expect(JSON.parse(row.body)).toMatchObject({
        type: 'custom.visit',
        data: { client_id: clientId, event_type: 'visit', metadata: {} },
      });
      expect(row.body).not.toContain('number');
    }
  });

  it('lets go of a client who was merged into one that is erased, in whatever order it is heard of', async () => {
    await register();
    const [source, target, other] = [newId(), newId(), newId()];
    const about = (clientId: string) => customEvent({ workspaceId, clientId, time: daysAgo(1) });
    await happen(about(source));
    await bench.merge(source, target, workspaceId);
    await bench.erase(target, workspaceId);
    await happen(about(source));
    // The merge is heard of when its target is erased already.
    await happen(about(other));
    await bench.merge(other, target, workspaceId);
    const rows = await bench.store.connection
      .collection('webhook_events')
      .find({ workspace_id: workspaceId })
      .toArray();
    expect(rows.map(({ subject }) => subject)).toEqual([target, target, target]);
    for (const { expires_at } of rows)
      expect(Number(expires_at)).toBeLessThan(Date.now() + 3_700_000);
  });

  it('keeps that a client is gone for as long as other events', async () => {
    await register();
    const clientId = newId();
    await bench.erase(clientId, workspaceId);
    const data = { client_id: clientId };
    await happen(createEvent('clients.anonymized', { workspaceId, subject: clientId, data }));
    const events = bench.store.connection.collection('webhook_events');
    const row = await events.findOne({ workspace_id: workspaceId, subject: clientId });
    expect(Number(row?.expires_at)).toBeGreaterThan(Date.now() + 86_400_000);
  });

  it('removes everything of a deleted workspace', async () => {
    await register();
    await happen(visit());
    await received(1);
    await removeWorkspace(bench.parts, workspaceId);
    for (const collection of [
      'webhooks',
      'webhook_events',
      'webhook_deliveries',
      'webhook_lanes',
      'webhook_replays',
    ]) {
      await until(
        async () => {
          const left = bench.store.connection.collection(collection);
          return (await left.countDocuments({ workspace_id: workspaceId })) === 0;
        },
        { what: `${collection} to be empty` },
      );
    }
  });

  it('finds work of which no replica heard', async () => {
    const { id } = await register();
    await bench.happen([visit()], { ...bench.parts, sender: { poke: () => undefined } } as never);
    expect(await bench.deliveries(id, workspaceId)).toMatchObject([{ status: 'pending' }]);
    await sweepLanes(bench.parts);
    await allDelivered(id, 1);
  });
});

describe('endpoints', () => {
  it.each([
    [{ url: 'http://example.com/' }, 'url'],
    [{ url: 'https://10.0.0.1/' }, 'url'],
    [{ url: 'https://user:pass@example.com/' }, 'url'],
    [{ event_types: [] }, 'event_types'],
    [{ event_types: ['*', 'identity.member_added'] }, 'event_types.1'],
    [{ event_types: ['*', 'client.created'] }, 'event_types'],
    [{ url: 'https://hooks.example/a#b' }, 'url'],
  ])('refuses %j', async (part, field) => {
    const command = {
      workspace_id: workspaceId,
      url: 'https://example.com/',
      event_types: ['*'],
      ...part,
    };
    const refusal = { code: 'INVALID_PAYLOAD', problems: [expect.objectContaining({ field })] };
    await expect(createWebhook(bench.parts, command)).rejects.toMatchObject(refusal);
    const { id } = await register();
    await expect(updateWebhook(bench.parts, { ...one(id), ...part })).rejects.toMatchObject(
      refusal,
    );
  });

  it('does not know those of another workspace', async () => {
    const { id } = await register();
    const foreign = { workspace_id: newId(), id };
    for (const attempt of [getWebhook, updateWebhook, rotateWebhookSecret, testWebhook]) {
      await expect(attempt(bench.parts, foreign)).rejects.toMatchObject({ httpStatus: 404 });
    }
  });

  it('tests no endpoint from a sandbox, out of which nothing is sent', async () => {
    noteSandbox(workspaceId, 0);
    const { id } = await register();
    expect(await testWebhook(bench.parts, one(id))).toEqual({
      status_code: null,
      duration_ms: 0,
      error: 'not sent: a sandbox sends no webhooks',
    });
    expect(sink.received).toEqual([]);
  });

  it('tests none that came with a clone before it is switched on: it has no secret to sign with', async () => {
    const { id } = await register();
    const rows = bench.store.connection.collection<{ _id: string }>('webhooks');
    await rows.updateOne({ _id: id }, { $set: { active: false, secrets: [] } });
    await expect(testWebhook(bench.parts, one(id))).rejects.toMatchObject({ httpStatus: 409 });
    expect(sink.received).toEqual([]);
    await updateWebhook(bench.parts, { ...one(id), active: true });
    expect(await testWebhook(bench.parts, one(id))).toMatchObject({ status_code: 200 });
    expect(sink.received[0]!.headers['webhook-signature']).toMatch(/^v1,/);
  });

  it('takes one that took a test for one that works, and one that is given up for what it is', async () => {
    const { id } = await register();
    const fail = async (more: object = {}) => {
      const seen = await bench.parts.webhooks.get(workspaceId, id);
      const failing_since = new Date(Date.now() - 4 * 86_400_000);
      await bench.parts.webhooks.change(seen!, { failing_since, ...more });
    };
    await fail();
    sink.behave = (_, response) => void response.writeHead(500).end();
    await testWebhook(bench.parts, one(id));
    expect((await getWebhook(bench.parts, one(id))).failing_since).not.toBeNull();
    sink.behave = (_, response) => void response.writeHead(204).end();
    await testWebhook(bench.parts, one(id));
    expect((await getWebhook(bench.parts, one(id))).failing_since).toBeNull();
    await fail({ active: false, disabled_at: new Date(), disabled_reason: 'failing' });
    await testWebhook(bench.parts, one(id));
    expect(await getWebhook(bench.parts, one(id))).toMatchObject({
      active: false,
      failing_since: expect.any(String),
    });
  });

  it('tests an endpoint and tells what came of it', async () => {
    const { id } = await register();
    expect(await testWebhook(bench.parts, one(id))).toEqual({
      status_code: 200,
      duration_ms: expect.any(Number),
      error: null,
    });
    expect(JSON.parse(sink.received[0]!.body)).toMatchObject({
      type: 'webhook.test',
      workspace_id: workspaceId,
    });
    sink.behave = (_, response) => void response.writeHead(418).end();
    expect(await testWebhook(bench.parts, one(id))).toMatchObject({
      status_code: 418,
      error: 'answered 418',
    });
    sink.behave = () => undefined;
    expect(await testWebhook(bench.parts, one(id))).toMatchObject({
      status_code: null,
      // It must not learn which ports of this machine answer how.
      error: 'no answer came from this address',
    });
  });
});
