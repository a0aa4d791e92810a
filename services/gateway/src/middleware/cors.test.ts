import { platform } from '@laurel/errors';
import { createLogger } from '@laurel/lifecycle';
import request from 'supertest';
import { enrollmentRoutes } from '../routes/enrollment/routes';
import { testApp } from '../testing/test-app';

const shop = 'https://shop.example';
const asked: string[] = [];
const app = (find: () => Promise<{ origins: string[] }>) =>
  testApp(enrollmentRoutes, {
    rpc: {
      passes: {
        GetAllowedOrigins: (door: { token_sha256: string }) => {
          asked.push(door.token_sha256);
          return find();
        },
      },
    },
    logger: createLogger('test', 'silent'),
  });

test('the address of an embedded form says to a reader from any page how it is sent, whatever its token', async () => {
  const unknown = () => Promise.reject(platform.recordNotFound());
  for (const find of [async () => ({ origins: [] }), unknown])
    for (const end of ['submit', 'submit/', 'SUBMIT']) {
      const path = `/service-api/embed/distribution/guess/${end}`;
      const { status, headers, body } = await request(app(find)).get(path).set('Origin', shop);
      expect([status, body]).toEqual([405, { success: false, error: expect.any(String) }]);
      expect(headers).toMatchObject({
        allow: 'POST, OPTIONS',
        'access-control-allow-origin': '*',
      });
    }
  expect(asked).toEqual([]);
});

test('a page hears when to come again where the origins of a form cannot be looked up', async () => {
  const away = platform.serviceUnavailable({ retryAfterSeconds: 2 });
  for (const fault of [new Error('a fault'), away]) {
    const path = '/service-api/embed/distribution/guess/config';
    const { status, headers } = await request(app(() => Promise.reject(fault)))
      .get(path)
      .set('Origin', shop);
    expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true]);
  }
});
