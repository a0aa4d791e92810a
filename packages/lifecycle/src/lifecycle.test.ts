import { Writable } from 'node:stream';
import {
  createLogger,
  currentContext,
  Health,
  Lifecycle,
  runInContext,
  startHealthServer,
  systemContext,
} from './index';

function capturingLogger(): { logger: ReturnType<typeof createLogger>; lines: string[] } {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { logger: createLogger('ledger', 'info', sink), lines };
}

test('what was opened last is closed first, and one failing close does not keep the rest open', async () => {
  const closed: string[] = [];
  const lifecycle = new Lifecycle(capturingLogger().logger);
  lifecycle.onStop('store', () => void closed.push('store'));
  lifecycle.onStop('broker', () => {
    throw new Error('gone');
  });
  lifecycle.onStop('server', () => void closed.push('server'));
  await lifecycle.stop();
  expect(closed).toEqual(['server', 'store']);
});

test('a start that fails halfway closes what it had opened', async () => {
  const closed: string[] = [];
  const lifecycle = new Lifecycle(capturingLogger().logger);
  const failing = lifecycle.start(async () => {
    lifecycle.onStop('store', () => void closed.push('store'));
    throw new Error('no broker');
  });
  await expect(failing).rejects.toThrow('no broker');
  expect(closed).toEqual(['store']);
});

test('log lines carry the request id and neither secrets nor personal data', () => {
  const { logger, lines } = capturingLogger();
  runInContext(systemContext({ requestId: 'req-1' }), () => {
    logger.info(
      { body: { email: 'ann@example.com', password: 'hunter2hunter2' }, token: 'abc' },
      'seen',
    );
  });
  expect(lines[0]).toContain('"request_id":"req-1"');
  expect(lines[0]).not.toMatch(/ann@|hunter2|"abc"/);
});

test('a duplicate key is in the log without what the key was', () => {
  const { logger, lines } = capturingLogger();
  const email = 'ann@example.com';
  const said = `E11000 duplicate key error collection: laurel.users index: email dup key: { email: "${email}", at: { } }`;
  logger.error({ err: new Error('not written', { cause: new Error(said) }) }, 'an rpc failed');
  expect(lines[0]).toContain('laurel.users index: email dup key: [redacted]');
  expect(lines[0]).not.toContain(email);
});

test('a fault keeps its code in the log, a code that somebody typed does not', () => {
  const { logger, lines } = capturingLogger();
  const cause = Object.assign(new Error('dialled'), { code: 'ECONNREFUSED' });
  logger.warn({ err: Object.assign(new Error('no', { cause }), { code: 11_000 }) }, 'failed');
  expect(JSON.parse(lines[0]!).err).toMatchObject({
    code: 11_000,
    cause: { code: 'ECONNREFUSED' },
  });
  logger.info({ code: '123456', body: { code: 'ABC123' }, err: { code: '654321' } }, 'typed');
  expect(lines[1]).not.toMatch(/123456|ABC123|654321/);
  logger.warn({ err: new Error('of no kind') }, 'failed');
  expect(JSON.parse(lines[2]!).err).not.toHaveProperty('code');
});

test('a context holds for all that follows from it and nothing else', async () => {
  const seen = await runInContext(systemContext({ requestId: 'inner' }), async () => {
    await Promise.resolve();
    return currentContext().requestId;
  });
  expect(seen).toBe('inner');
  expect(currentContext().requestId).not.toBe('inner');
});

test('a service is ready once it has started, until it stops, whatever it depends on', async () => {
  const health = new Health('ledger');
  health.add('mongodb', async () => true);
  health.add('rabbitmq', async () => {
    throw new Error('refused');
  });
  const server = await startHealthServer(health, 0, '127.0.0.1');
  const base = `http://127.0.0.1:${server.port}`;
  const ask = async (path: string) => {
    const reply = await fetch(`${base}/health/${path}`);
    return [reply.status, await reply.json()];
  };
  expect(await ask('ready')).toEqual([503, { status: 'not ready', reason: 'starting' }]);
  expect((await ask('live'))[0]).toBe(200);
  health.started();
  expect(await ask('ready')).toEqual([200, { status: 'ready' }]);
  expect(await ask('dependencies')).toEqual([503, { status: 'not healthy', down: ['rabbitmq'] }]);
  health.add('rabbitmq', async () => true);
  expect(await ask('dependencies')).toEqual([200, { status: 'healthy', down: [] }]);
  health.drain();
  expect(await ask('ready')).toEqual([503, { status: 'not ready', reason: 'stopping' }]);
  expect(await ask('dependencies')).toEqual([503, { status: 'not healthy', down: ['stopping'] }]);
  expect((await ask('live'))[0]).toBe(200);
  const scraped = await (await fetch(`${base}/metrics`)).text();
  expect(scraped).toContain('rpc_server_duration_seconds');
  expect(scraped).toContain('dependency_up{service="ledger",dependency="rabbitmq"} 1');
  await server.stop();
  health.end();
});

test('one health port tells of every service of its process', async () => {
  const own = new Health('automations');
  own.started();
  const other = new Health('tiers');
  other.add('broker of tiers', async () => false);
  const server = await startHealthServer(own, 0, '127.0.0.1');
  const ask = async (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);
  try {
    expect(await (await ask('/health/ready')).json()).toMatchObject({ reason: 'starting' });
    other.started();
    expect((await ask('/health/ready')).status).toBe(200);
    expect(await (await ask('/health/dependencies')).json()).toEqual({
      status: 'not healthy',
      down: ['broker of tiers'],
    });
    const scraped = await (await ask('/metrics')).text();
    expect(scraped).toContain('dependency_up{service="tiers",dependency="broker of tiers"} 0');
    other.end();
    expect((await ask('/health/dependencies')).status).toBe(200);
  } finally {
    await server.stop();
    own.end();
  }
});

test('a clock that is set back keeps no old answer of what is down', async () => {
  const health = new Health('ledger');
  let isUp = false;
  health.add('rabbitmq', async () => isUp);
  health.started();
  expect(await health.dependencies()).toMatchObject({ down: ['rabbitmq'] });
  const later = performance.now() + 1_000;
  const spies = [
    jest.spyOn(performance, 'now').mockReturnValue(later),
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 90_000),
  ];
  try {
    isUp = true;
    expect(await health.dependencies()).toMatchObject({ healthy: true });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
});
