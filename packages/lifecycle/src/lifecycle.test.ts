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

test('a context holds for all that follows from it and nothing else', async () => {
  const seen = await runInContext(systemContext({ requestId: 'inner' }), async () => {
    await Promise.resolve();
    return currentContext().requestId;
  });
  expect(seen).toBe('inner');
  expect(currentContext().requestId).not.toBe('inner');
});

test('readiness names what is down, and a stopping service is not ready', async () => {
  const health = new Health();
  health.add('mongodb', async () => true);
  health.add('rabbitmq', async () => {
    throw new Error('refused');
  });
  expect(await health.readiness()).toEqual({ ready: false, down: ['rabbitmq'] });
  health.add('rabbitmq', async () => true);
  const server = await startHealthServer(health, 0, '127.0.0.1');
  const base = `http://127.0.0.1:${server.port}`;
  expect((await fetch(`${base}/health/ready`)).status).toBe(200);
  health.drain();
  expect((await fetch(`${base}/health/ready`)).status).toBe(503);
  expect((await fetch(`${base}/health/live`)).status).toBe(200);
  expect(await (await fetch(`${base}/metrics`)).text()).toContain('rpc_server_duration_seconds');
  await server.stop();
});
