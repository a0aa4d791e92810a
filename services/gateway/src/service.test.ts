import type { Environment } from '@laurel/config';
import { type RunningGateway, start } from './service';

const SERVICES = [
  'automations',
  'campaigns',
  'identity',
  'clients',
  'ledger',
  'integrations',
  'passes',
  'rewards',
  'tiers',
  'referrals',
];
/** Nothing listens there. */
const NOWHERE = '127.0.0.1:1';

let gateway: RunningGateway;
beforeAll(async () => {
  const environment: Environment = {
    PORT: '0',
    GATEWAY_HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    REDIS_URL: `redis://${NOWHERE}`,
    JWT_SECRET: 'a-secret-of-at-least-32-characters!',
    ...Object.fromEntries(
      SERVICES.map((name) => [`${name.toUpperCase()}_GRPC_TARGET`, `ipv4:${NOWHERE}`]),
    ),
  };
  gateway = await start(environment);
});
afterAll(() => gateway.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${gateway.port}${path}`, { headers });

describe('a gateway whose Redis and services are all away', () => {
  test('is live and ready: what can be answered without them is', async () => {
    expect((await get('/health/live')).status).toBe(200);
    expect((await get('/health/ready')).status).toBe(200);
    expect((await get('/openapi.json')).status).toBe(200);
  });

  test('names what is missing', async () => {
    const reply = await get('/health/dependencies');
    expect(reply.status).toBe(503);
    expect(((await reply.json()) as { down: string[] }).down.sort()).toEqual(
      [...SERVICES, 'redis'].sort(),
    );
  });

  test('opens no door, and says soon when to come back', async () => {
    const token = { Authorization: `Bearer ${'a'.repeat(64)}` };
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => get('/service-api/user/me', token)),
    );
    for (const reply of replies) {
      expect(reply.status).toBe(503);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const once = async (): Promise<number> => {
      const startedAt = performance.now();
      expect((await get('/service-api/user/me', token)).status).toBe(503);
      return performance.now() - startedAt;
    };
    let tookMs = await once();
    // A call that waits for an answer is given ten seconds, each time; a machine that stands still does so now and then.
    for (let more = 0; more < 3 && tookMs >= 9_000; more += 1) tookMs = await once();
    expect(tookMs).toBeLessThan(9_000);
  });
});
