import dns from 'node:dns';
import { platform, Refusal } from '@laurel/errors';
import {
  createLogger,
  currentContext,
  forgetSandbox,
  newId,
  runInBackground,
  runInContext,
  systemContext,
  workspaceClock,
} from '@laurel/lifecycle';
import {
  createRpcClient,
  type Handlers,
  type RpcClient,
  type RpcServer,
  type StoreFault,
  startRpcServer,
} from './index';

const logger = createLogger('test', 'silent');
const MINUTE_MS = 60_000;
type Table = Partial<Handlers<'identity'>>;

/** Serves the rpcs at hand of a real proto; the others answer as unexpected. */
function serveIdentity(
  table: Table,
  port = 0,
  storeFault?: (error: unknown) => StoreFault | null,
  more: { host?: string; connectionMsMax?: number; stopMsMax?: number } = {},
): Promise<RpcServer> {
  const handlers = new Proxy(table, {
    get: (known, method) =>
      known[method as keyof Table] ?? (() => Promise.reject(new Error('unexpected call'))),
  }) as Handlers<'identity'>;
  return startRpcServer({
    service: 'identity',
    handlers,
    logger,
    host: '127.0.0.1',
    port,
    storeFault,
    ...more,
  });
}

const opened: { stop?: () => Promise<void>; close?: () => void }[] = [];
async function connected(
  table: Table,
  storeFault?: (error: unknown) => StoreFault | null,
  callMsMax?: number,
): Promise<RpcClient<'identity'>> {
  const server = await serveIdentity(table, 0, storeFault);
  const target = `ipv4:127.0.0.1:${server.port}`;
  const client = createRpcClient('identity', callMsMax ? { target, callMsMax } : { target });
  opened.push(client, server);
  return client;
}

const hanging: (() => void)[] = [];
/** Answers nothing while its test runs. A server in this process waits for what it was asked, so that it ends with the test. */
const hang = () =>
  new Promise<never>((_, reject) => {
    hanging.push(() => reject(new Error('the test is over')));
  });

afterEach(async () => {
  for (const end of hanging.splice(0)) end();
  for (const { stop, close } of opened.splice(0)) {
    close?.();
    await stop?.();
  }
});

const user = {
  id: 'u1',
  email: 'ann@example.com',
  first_name: null,
  last_name: 'Lee',
  date_created: '2026-01-01T00:00:00.000Z',
  email_verified: false,
};

test('null, absent and empty are three different things on both sides of a call', async () => {
  const seen: object[] = [];
  const client = await connected({
    UpdateUser: async (request) => {
      seen.push(request);
      return user;
    },
  });
  const reply = await client.UpdateUser({
    user_id: 'u1',
    first_name: null,
    last_name: '',
    ip: '192.0.2.1',
  });
  expect(seen[0]).toMatchObject({ first_name: null, last_name: '' });
  expect(seen[0]).not.toHaveProperty('password');
  expect(reply.first_name).toBeNull();
});

test('a refusal comes back as the same refusal', async () => {
  const sent = platform.conflict({
    message: 'taken',
    field: 'slug',
    extensions: { tried: ['a'] },
    retryAfterSeconds: 4,
  });
  const client = await connected({ GetUser: () => Promise.reject(sent) });
  const received = await client.GetUser({ user_id: 'u1' }).catch((error: unknown) => error);
  expect(received).toBeInstanceOf(Refusal);
  expect(received).toEqual(sent);
});

test('a refusal that repeats whatever was sent leaves the connection to all other calls', async () => {
  const problems = Array.from({ length: 3_000 }, (_, index) => ({
    message: `key${index} ${'x'.repeat(2_000)} is not allowed`,
    field: `action_config.key${index}`,
    extensions: { reason: 'unknown' },
  }));
  const client = await connected({
    GetUser: async ({ user_id }) => {
      if (user_id === 'u1') return user;
      throw new Refusal({ code: 'INVALID_PAYLOAD', httpStatus: 400 }, problems);
    },
  });
  const refusal = await client.GetUser({ user_id: 'u2' }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'INVALID_PAYLOAD', httpStatus: 400 });
  const { problems: told } = refusal as Refusal;
  expect(told).toHaveLength(20);
  expect(told[0]).toMatchObject({ field: 'action_config.key0', extensions: { reason: 'unknown' } });
  await expect(client.GetUser({ user_id: 'u1' })).resolves.toEqual(user);
});

test('a refusal with more extensions than fit keeps its sentence', async () => {
  const used_by = Array.from({ length: 5_000 }, (_, id) => ({ type: 'rule', id: String(id) }));
  const client = await connected({
    GetUser: () =>
      Promise.reject(platform.conflict({ message: 'it is in use', extensions: { used_by } })),
  });
  await expect(client.GetUser({ user_id: 'u1' })).rejects.toMatchObject({
    httpStatus: 409,
    problems: [{ message: 'it is in use' }],
  });
});

test('a fault of something that is away crosses as a refusal that says when to try again', async () => {
  const gone = new Error('connect ECONNREFUSED 10.0.0.7:27017');
  const client = await connected({ GetUser: () => Promise.reject(gone) }, (error) =>
    error === gone ? 'away' : null,
  );
  const received = await client.GetUser({ user_id: 'u1' }).catch((error: unknown) => error);
  expect(received).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  expect((received as Error).message).not.toContain('10.0.0.7');
});

test('a fault crosses without its message', async () => {
  const client = await connected({
    GetUser: () => Promise.reject(new Error('password is hunter2')),
  });
  const received = (await client
    .GetUser({ user_id: 'u1' })
    .catch((error: unknown) => error)) as Error;
  expect(received).not.toBeInstanceOf(Refusal);
  expect(JSON.stringify([received.message, String(received.cause)])).not.toContain('hunter2');
});

test('request, actor, operation and a shorter deadline travel with the call', async () => {
  let deadlineAt = 0;
  const answer = async () => {
    const { requestId, actor, operationId, ...context } = currentContext();
    deadlineAt = context.deadlineAt ?? 0;
    return { ...user, id: requestId, email: `${actor.type}:${actor.id}`, last_name: operationId };
  };
  const client = await connected({ GetUser: answer }, undefined, 60 * MINUTE_MS);
  const wanted = Date.now() + 30 * MINUTE_MS;
  const context = systemContext({
    requestId: 'r1',
    operationId: 'o1',
    actor: { type: 'user', id: 'u9' },
    deadlineAt: wanted,
  });
  const reply = await runInContext(context, () => client.GetUser({ user_id: 'u1' }));
  expect(reply).toMatchObject({ id: 'r1', email: 'user:u9', last_name: 'o1' });
  // What travels is the time that is left, so the way there adds to it.
  expect(Math.abs(deadlineAt - wanted)).toBeLessThan(5 * MINUTE_MS);
});

test('what is repeated by itself is not asked under a condition, so that no caller is refused for their own change', async () => {
  const asked: string[] = [];
  const client = await connected({
    GetUser: async () => {
      asked.push('GetUser');
      return user;
    },
    RevokeApiToken: async () => {
      asked.push('RevokeApiToken');
      return {};
    },
  });
  const revoke = () => client.RevokeApiToken({ user_id: 'u1' });
  await runInContext(systemContext({ ifMatch: '*' }), async () => {
    await expect(revoke()).rejects.toThrow(
      'identity.RevokeApiToken is declared IDEMPOTENT, and was asked under a condition',
    );
    await client.GetUser({ user_id: 'u1' });
  });
  await revoke();
  expect(asked).toEqual(['GetUser', 'RevokeApiToken']);
});

test('the condition of a call holds for what it asks, and for nothing that is asked of others on the way', async () => {
  const seen: unknown[] = [];
  const behind = await connected({
    GetUser: async () => {
      seen.push(currentContext().condition, currentContext().ifMatch);
      return user;
    },
  });
  const client = await connected({
    GetUser: () => {
      seen.push(currentContext().condition);
      return behind.GetUser({ user_id: 'u1' });
    },
  });
  const context = systemContext({ ifMatch: ['r-1'] });
  await runInContext(context, () => client.GetUser({ user_id: 'u1' }));
  expect(seen).toEqual([['r-1'], undefined, undefined]);
});

test('a call that outlives its deadline is answered as unavailable', async () => {
  const client = await connected({ GetUser: hang });
  const context = systemContext({ deadlineAt: Date.now() + 150 });
  await expect(
    runInContext(context, () => client.GetUser({ user_id: 'u1' })),
  ).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    httpStatus: 503,
  });
});

test('an rpc that needs longer is given its time, the others are not', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = async () => {
    await held;
    return user;
  };
  const server = await serveIdentity({ GetUser: slow, UpdateUser: slow });
  const target = `ipv4:127.0.0.1:${server.port}`;
  const patience = { GetUser: 10_000 };
  const client = createRpcClient('identity', { target, callMsMax: 100, patience });
  opened.push(client, server);
  const patient = client.GetUser({ user_id: 'u1' });
  await expect(client.UpdateUser({ user_id: 'u1', ip: '' })).rejects.toMatchObject({
    httpStatus: 503,
  });
  release();
  expect(await patient).toMatchObject({ id: 'u1' });
});

test('calls are spread over all addresses of a target', async () => {
  const servers = await Promise.all(
    ['a', 'b'].map((id) => serveIdentity({ GetUser: async () => ({ ...user, id }) })),
  );
  const target = `ipv4:${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  const client = createRpcClient('identity', { target });
  opened.push(client, ...servers);
  const answeredBy = new Set<string>();
  for (let call = 0; call < 200 && answeredBy.size < 2; call += 1)
    answeredBy.add((await client.GetUser({ user_id: 'u1' })).id);
  expect([...answeredBy].sort()).toEqual(['a', 'b']);
});

describe('a connection that has come to its end', () => {
  const LOOPBACKS = ['127.0.0.1', '127.0.0.2'];
  const serve = (host: string, port: number, table: Table) =>
    serveIdentity(table, port, undefined, { host, connectionMsMax: 50 });

  test('leads its caller to servers that were added since', async () => {
    const addresses = LOOPBACKS.slice(0, 1);
    const lookup = async () => addresses.map((address) => ({ address, family: 4 }));
    const looked = jest.spyOn(dns.promises, 'lookup').mockImplementation(lookup as never);
    try {
      const first = await serve(LOOPBACKS[0]!, 0, { GetUser: async () => user });
      const client = createRpcClient('identity', { target: `dns:///pods:${first.port}` });
      opened.push(client, first);
      expect((await client.GetUser({ user_id: 'u1' })).id).toBe('u1');
      const added = { GetUser: async () => ({ ...user, id: 'u2' }) };
      opened.push(await serve(LOOPBACKS[1]!, first.port, added));
      addresses.push(LOOPBACKS[1]!);
      let answeredBy = 'u1';
      while (answeredBy !== 'u2') answeredBy = (await client.GetUser({ user_id: 'u1' })).id;
    } finally {
      looked.mockRestore();
    }
  });

  test('costs no call its answer, and has none sent twice', async () => {
    const sent: string[] = [];
    const server = await serve(LOOPBACKS[0]!, 0, {
      UpdateUser: async ({ user_id }) => {
        sent.push(user_id);
        await new Promise((resolve) => setImmediate(resolve));
        return user;
      },
    });
    const client = createRpcClient('identity', { target: `ipv4:${LOOPBACKS[0]}:${server.port}` });
    opened.push(client, server);
    const end = performance.now() + 2_000;
    let calls = 0;
    const callers = Array.from({ length: 8 }, async () => {
      while (performance.now() < end) {
        calls += 1;
        await client.UpdateUser({ user_id: `u${calls}`, ip: '' });
      }
    });
    await Promise.all(callers);
    expect(sent).toHaveLength(calls);
    expect(new Set(sent).size).toBe(calls);
  });

  test('answers on it what is under way, however long that takes', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let call = (): void => undefined;
    const called = new Promise<void>((resolve) => {
      call = resolve;
    });
    const server = await serve(LOOPBACKS[0]!, 0, {
      UpdateUser: async () => {
        call();
        await answered;
        return user;
      },
      GetUser: async () => user,
    });
    const target = `ipv4:${LOOPBACKS[0]}:${server.port}`;
    const client = createRpcClient('identity', { target });
    opened.push(client, server);
    const slow = client.UpdateUser({ user_id: 'u1', ip: '' });
    await called;
    const end = performance.now() + 200;
    while (performance.now() < end) await client.GetUser({ user_id: 'u1' });
    answer();
    expect((await slow).id).toBe('u1');
  });
});

test('a read survives the restart of its server', async () => {
  const first = await serveIdentity({ GetUser: async () => user });
  const client = createRpcClient('identity', { target: `ipv4:127.0.0.1:${first.port}` });
  await client.GetUser({ user_id: 'u1' });
  await first.stop();
  const second = await serveIdentity({ GetUser: async () => ({ ...user, id: 'u2' }) }, first.port);
  opened.push(client, second);
  expect((await client.GetUser({ user_id: 'u1' })).id).toBe('u2');
});

test('a server that stops waits for what it was asked as long as it is given, and no longer', async () => {
  let begin = (): void => undefined;
  const called = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const table: Table = {
    UpdateUser: () => {
      begin();
      return hang();
    },
  };
  const server = await serveIdentity(table, 0, undefined, { stopMsMax: 200 });
  const client = createRpcClient('identity', { target: `ipv4:127.0.0.1:${server.port}` });
  opened.push(client);
  const asked = client.UpdateUser({ user_id: 'u1', ip: '' });
  const cut = expect(asked).rejects.toMatchObject({ httpStatus: 503 });
  await called;
  const since = performance.now();
  await server.stop();
  // The handler hangs on: it is the server that ends the call.
  await cut;
  const ms = performance.now() - since;
  expect([ms >= 190, ms < 5_000]).toEqual([true, true]);
  for (const end of hanging.splice(0)) end();
});

test('a command that finds no server connected waits for one and is sent once', async () => {
  const renamed: string[] = [];
  const table: Table = {
    UpdateUser: async ({ user_id }) => {
      renamed.push(user_id);
      return user;
    },
  };
  const server = await serveIdentity(table);
  const client = createRpcClient('identity', { target: `ipv4:127.0.0.1:${server.port}` });
  await client.UpdateUser({ user_id: 'before', ip: '' });
  await server.stop();
  const calls = ['first', 'second'].map((user_id) => client.UpdateUser({ user_id, ip: '' }));
  opened.push(client, await serveIdentity(table, server.port));
  await Promise.all(calls);
  expect(renamed.sort()).toEqual(['before', 'first', 'second']);
});

const inRequest = <T>(work: () => Promise<T>, msMax = 10_000) =>
  runInContext(systemContext({ deadlineAt: Date.now() + msMax }), work);
const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 };

/** As many failing calls as would open a breaker, and half as many again. */
async function failOften(call: () => Promise<unknown>): Promise<void> {
  const calls = Array.from({ length: 60 }, () => call().catch(() => undefined));
  await Promise.all(calls);
}

test('a service that cannot be reached is left alone for a while, by a 503 at once', async () => {
  const client = createRpcClient('identity', { target: 'ipv4:127.0.0.1:1', callMsMax: 300 });
  opened.push(client);
  const get = () => inRequest(() => client.GetUser({ user_id: 'u1' }));
  await failOften(get);
  let wasRefused = false;
  const refusal = get().catch((error: unknown) => {
    wasRefused = true;
    return error;
  });
  // Before anything could have been read from a socket.
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(wasRefused).toBe(true);
  expect(await refusal).toMatchObject(UNAVAILABLE);
});

test('a service that was left alone is asked again as soon as it is connected', async () => {
  const gone = await serveIdentity({});
  await gone.stop();
  const target = `ipv4:127.0.0.1:${gone.port}`;
  const client = createRpcClient('identity', { target, callMsMax: 300 });
  opened.push(client);
  const get = () => inRequest(() => client.GetUser({ user_id: 'u1' }));
  await failOften(get);
  await expect(get()).rejects.toMatchObject(UNAVAILABLE);
  opened.push(await serveIdentity({ GetUser: async () => user }, gone.port));
  await client.ready();
  expect(await get()).toMatchObject({ id: 'u1' });
});

test('a service whose store is away is left alone for a while', async () => {
  let calls = 0;
  const failing = () => {
    calls += 1;
    return Promise.reject(new Error('no store'));
  };
  const client = await connected({ GetUser: failing }, () => 'away');
  for (let call = 0; call < 60; call += 1)
    await client.GetUser({ user_id: 'u1' }).catch(() => undefined);
  expect(calls).toBeLessThan(60);
  await expect(client.GetUser({ user_id: 'u1' })).rejects.toMatchObject(UNAVAILABLE);
});

test('a service that is slow is not taken for one that is down', async () => {
  let slow = true;
  const client = await connected({
    GetUser: () => (slow ? hang() : Promise.resolve(user)),
  });
  await failOften(() => inRequest(() => client.GetUser({ user_id: 'u1' }), 300));
  slow = false;
  expect(await inRequest(() => client.GetUser({ user_id: 'u1' }))).toMatchObject({ id: 'u1' });
});

test('deadlines that passed while this process was busy close no door', async () => {
  const client = await connected({ GetUser: async () => user });
  await failOften(() => inRequest(() => client.GetUser({ user_id: 'u1' }), -1_000));
  expect(await inRequest(() => client.GetUser({ user_id: 'u1' }))).toMatchObject({ id: 'u1' });
});

test('one rpc that fails does not close the door on the others', async () => {
  const client = await connected({
    GetUser: () => Promise.reject(new Error('broken')),
    UpdateUser: async () => user,
  });
  await failOften(() => inRequest(() => client.GetUser({ user_id: 'u1' })));
  expect(
    await inRequest(() => client.UpdateUser({ user_id: 'u1', ip: '127.0.0.1' })),
  ).toMatchObject({ id: 'u1' });
});

test('background work that cannot reach a service leaves requests their way to it', async () => {
  let fault: StoreFault | null = 'away';
  const failing = () => (fault === null ? Promise.resolve(user) : Promise.reject(new Error('no')));
  const client = await connected({ GetUser: failing }, () => fault);
  const inBackground = () => runInBackground('test', () => client.GetUser({ user_id: 'u1' }));
  for (let call = 0; call < 40; call += 1) await inBackground().catch(() => undefined);
  fault = null;
  await expect(inBackground()).rejects.toMatchObject(UNAVAILABLE);
  expect(await inRequest(() => client.GetUser({ user_id: 'u1' }))).toMatchObject({ id: 'u1' });
});

test('that a call is background work travels on with it', async () => {
  const client = await connected({
    GetUser: async () => ({ ...user, id: String(currentContext().background ?? false) }),
  });
  const ask = async () => (await client.GetUser({ user_id: 'u1' })).id;
  expect([await inRequest(ask), await runInBackground('test', ask)]).toEqual(['false', 'true']);
});

test('a conflict in the store is 409 to who waits, and a reason to try again in the background', async () => {
  const client = await connected(
    { GetUser: () => Promise.reject(new Error('x')) },
    () => 'conflict',
  );
  const ask = () => client.GetUser({ user_id: 'u1' });
  await expect(inRequest(ask)).rejects.toMatchObject({ code: 'CONFLICT', retryAfterSeconds: 1 });
  await expect(runInBackground('test', ask)).rejects.toMatchObject({ httpStatus: 503 });
});

test('while one call tries whether a service is back, the others are refused as unavailable', async () => {
  const client = createRpcClient('identity', { target: 'ipv4:127.0.0.1:1', callMsMax: 300 });
  opened.push(client);
  const codes = new Set<string>();
  // Longer than the breaker stays open, so that it is half open at some time in between.
  for (const endsAt = Date.now() + 3_000; Date.now() < endsAt; ) {
    const calls = Array.from({ length: 25 }, () => client.GetUser({ user_id: 'u1' }));
    for (const outcome of await Promise.allSettled(calls)) {
      if (outcome.status === 'rejected') codes.add((outcome.reason as Refusal).code);
    }
    // The breaker counts with timers: let them run.
    await new Promise((next) => {
      setImmediate(next);
    });
  }
  expect([...codes]).toEqual(['SERVICE_UNAVAILABLE']);
});

test('refusals do not count against a service', async () => {
  const client = await connected({ GetUser: () => Promise.reject(platform.recordNotFound()) });
  for (let call = 0; call < 60; call += 1) {
    await expect(client.GetUser({ user_id: 'u1' })).rejects.toMatchObject({
      code: 'RECORD_NOT_FOUND',
    });
  }
});

test('a service answers for a sandbox by the clock that its caller knows of', async () => {
  const yearMs = 365 * 86_400_000;
  const asked: number[] = [];
  const client = await connected({
    GetUser: async () => {
      asked.push(workspaceClock.now().getTime() - Date.now());
      throw platform.recordNotFound();
    },
  });
  const sandbox = newId();
  for (const context of [
    { workspaceId: newId() },
    { workspaceId: sandbox, sandboxAheadMs: yearMs },
    // One that knows less does not take it back.
    { workspaceId: sandbox, sandboxAheadMs: 0 },
  ]) {
    const ask = () => client.GetUser({ user_id: 'u1' });
    await expect(runInContext(systemContext(context), ask)).rejects.toThrow();
  }
  forgetSandbox(sandbox);
  const isAhead = asked.map((ms) => ms > yearMs - 60_000);
  expect(isAhead).toEqual([false, true, true]);
});
