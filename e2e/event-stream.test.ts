import { randomUUID } from 'node:crypto';
import { isLaurelError, Laurel, type StreamedEvent } from '@laurel/client';
import { until } from '@laurel/testing';
import { call, gateways } from './support/api';
import {
  expectStatus,
  newClient,
  newMember,
  newUser,
  newWorkspace,
  signIn,
  type TestWorkspace,
} from './support/factories';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await newWorkspace();
});

const laurelAt = (gateway: string, token = workspace.token) =>
  new Laurel({ baseUrl: gateway, token, workspace: workspace.workspaceId });

/** Reads along until it is ended; what it has read so far is there at any time. */
function follow(gateway: string, { token = workspace.token, query = {} } = {}) {
  const events: StreamedEvent[] = [];
  const ending = new AbortController();
  const stream = laurelAt(gateway, token).events.stream(query, { signal: ending.signal });
  const over = (async () => {
    for await (const event of stream) events.push(event);
  })().catch((error: unknown) => error);
  return {
    events,
    ids: () => events.map(({ id }) => id),
    over,
    end: async () => {
      ending.abort();
      await over;
    },
  };
}

/** The cursor of now, from the first frame. */
async function cursorNow(): Promise<string> {
  const { frames, leave } = await openStream(workspace.token);
  const [, cursor] = /^id: (\S+)/m.exec(await frames())!;
  leave();
  return cursor!;
}

async function openStream(
  token: string,
  headers: Record<string, string> = {},
  gateway = gateways()[0]!,
) {
  const ending = new AbortController();
  const url = new URL(`/service-api/workspace/${workspace.workspaceId}/events/stream`, gateway);
  const response = await fetch(url, {
    headers: { Authorization: `Bearer ${token}`, ...headers },
    signal: ending.signal,
  });
  const reader = response.body!.getReader();
  return {
    response,
    frames: async () => new TextDecoder().decode((await reader.read()).value),
    leave: () => ending.abort(),
  };
}

async function visits(count: number): Promise<string[]> {
  const { id: client_id } = await newClient(workspace);
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const body = { client_id, event_type: 'visit', external_id: randomUUID() };
    ids.push(expectStatus(await workspace.post(':ws/custom-events', body), 201).body.data.id);
  }
  return ids;
}
const inFeed = (events: readonly StreamedEvent[]) =>
  events.filter(({ type }) => type === 'custom.visit').map(({ id }) => id);

test('two who follow at two gateways hear the same, each once and in the same order', async () => {
  const cursor = await cursorNow();
  const [one, other] = [gateways()[0]!, gateways().at(-1)!].map((gateway) =>
    follow(gateway, { query: { cursor } }),
  ) as [ReturnType<typeof follow>, ReturnType<typeof follow>];
  const ids = await visits(20);
  // What else happens is in the feed too, between the visits and after them.
  await until(
    () =>
      inFeed(one.events).length >= 20 &&
      inFeed(other.events).length >= 20 &&
      one.ids().length === other.ids().length,
  );
  expect(new Set(inFeed(one.events))).toEqual(new Set(ids));
  expect(one.ids()).toEqual(other.ids());
  expect(new Set(one.ids()).size).toBe(one.ids().length);
  await Promise.all([one.end(), other.end()]);
});

test('a follower who was away goes on at another gateway, and has missed and repeated nothing', async () => {
  const cursor = await cursorNow();
  const first = follow(gateways()[0]!, { query: { cursor } });
  const before = await visits(3);
  await until(() => inFeed(first.events).length >= 3);
  await first.end();
  const meanwhile = await visits(3);
  const at = first.events.at(-1)!.cursor;
  const second = follow(gateways().at(-1)!, { query: { cursor: at } });
  const after = await visits(3);
  await until(() => inFeed([...first.events, ...second.events]).length >= 9);
  await second.end();
  const all = [...first.events, ...second.events];
  expect(inFeed(all).sort()).toEqual([...before, ...meanwhile, ...after].sort());
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('an event is what a webhook brings, and only what is asked for comes', async () => {
  const cursor = await cursorNow();
  const query = { cursor, event_types: ['client.created'] };
  const following = follow(gateways()[0]!, { query });
  await visits(1);
  await until(() => following.events.length > 0);
  await following.end();
  expect(following.events).toHaveLength(1);
  expect(following.events[0]).toMatchObject({
    type: 'client.created',
    workspace_id: workspace.workspaceId,
    data: { client_id: expect.any(String) },
    timestamp: expect.any(String),
  });
});

test('goes on where Last-Event-ID says, as browsers do', async () => {
  const cursor = await cursorNow();
  const [id] = await visits(1);
  const { response, frames, leave } = await openStream(workspace.token, {
    'Last-Event-ID': cursor,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store');
  let text = '';
  await until(async () => {
    text += await frames();
    return text.includes(id!);
  });
  leave();
});

test('says that it is there when nothing happens', async () => {
  const { frames, leave } = await openStream(workspace.token);
  const first = await frames();
  const again = await frames();
  expect(first).toMatch(/^retry: 1000\nid: \S+\n\n$/);
  expect(again).toMatch(/^id: \S+\n\n$/);
  leave();
});

test('ends when its credential is taken away, and tells nothing that happened after that', async () => {
  const { email, token } = workspace.owner;
  const other = await signIn(email);
  const following = follow(gateways()[0]!, { token: other.token });
  await until(async () => {
    await newClient(workspace);
    return following.events.length > 0;
  });
  const body = { refresh_token: other.refreshToken };
  expectStatus(await call('POST', '!/auth/logout', { body, gateway: gateways().at(-1)! }), 200);
  const late = await visits(1);
  const error = await following.over;
  expect(isLaurelError(error) && error.status).toBe(401);
  expect(following.ids()).not.toContain(late[0]);
  expect(token).not.toBe(other.token);
});

test('ends for a member who is removed', async () => {
  const member = await newMember(workspace);
  const following = follow(gateways()[0]!, { token: member.token });
  expectStatus(await workspace.del(`:ws/members/${member.user.id}`), 200);
  const error = await following.over;
  expect(isLaurelError(error) && error.status).toBe(403);
});

test('no follower sees the workspace of another, and none opens any number of streams', async () => {
  const stranger = await newUser();
  const refused = await openStream(stranger.token);
  expect(refused.response.status).toBe(403);
  const streams = await Promise.all(
    Array.from({ length: 12 }, () => openStream(workspace.token, {}, gateways()[0]!)),
  );
  const statuses = streams.map(({ response }) => response.status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  for (const { leave } of streams) leave();
});

test('a cursor that no feed gave out is refused before anything is sent', async () => {
  const unknown = Buffer.from('["another feed",1]').toString('base64url');
  for (const cursor of ['nonsense', unknown]) {
    const { body } = expectStatus(await workspace.get(':ws/events/stream', { cursor }), 400);
    expect(body.errors[0].extensions.field).toBe('cursor');
  }
});
