import { createSecretKey, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { secretKey, secretText, signatureHeader } from './signature';

const message = { id: 'msg_1', body: '{"type":"loyalty.points_earned","name":"Zoë ✓"}' };
const now = () => Math.floor(Date.now() / 1_000);

function headers(keys: Buffer[], timestamp = now()): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureHeader(
      keys.map((key) => createSecretKey(key)),
      { ...message, timestamp },
    ),
  };
}

it.each([24, 25, 32, 64])('signs with a key of %i bytes as the standard library does', (bytes) => {
  const key = randomBytes(bytes);
  const timestamp = now();
  const oracle = new Webhook(secretText(key));
  expect(signatureHeader([createSecretKey(key)], { ...message, timestamp })).toBe(
    oracle.sign(message.id, new Date(timestamp * 1_000), message.body),
  );
  expect(secretKey(secretText(key)).export()).toEqual(key);
});

it('lets receivers with the old and with the new secret verify while rotating', () => {
  const [fresh, old, stranger] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const sent = headers([fresh!, old!]);
  expect(sent['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
  for (const key of [fresh!, old!]) {
    expect(() => new Webhook(secretText(key)).verify(message.body, sent)).not.toThrow();
  }
  expect(() => new Webhook(secretText(stranger!)).verify(message.body, sent)).toThrow();
});

it('signs id, time and body: changing any of them is noticed', () => {
  const key = randomBytes(32);
  const verifier = new Webhook(secretText(key));
  const sent = headers([key]);
  expect(() => verifier.verify(`${message.body} `, sent)).toThrow();
  expect(() => verifier.verify(message.body, { ...sent, 'webhook-id': 'msg_2' })).toThrow();
  expect(() =>
    verifier.verify(message.body, { ...sent, 'webhook-timestamp': String(now() + 1) }),
  ).toThrow();
});
