import { Webhook } from 'standardwebhooks';
import { secretKey, signatureHeader } from '../../../domain/signature';
import { isGenuine } from './signature';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const now = new Date('2026-02-01T10:00:00Z');
const text = '{"type":"transaction.created"}';
const signed = (at = now, key = secret) => ({
  'webhook-id': 'm-1',
  'webhook-timestamp': String(at.getTime() / 1_000),
  'webhook-signature': new Webhook(key).sign('m-1', at, text),
});
const check = (
  headers: Record<string, string | undefined>,
  body = text,
  secrets = { webhook_secret: secret },
) =>
  isGenuine(
    { config: {}, secrets },
    { body: Buffer.from(body), headers: headers as Record<string, string>, now },
  );

test('a message signed by the standard library is genuine, also beside other signatures', () => {
  expect(check(signed())).toBe(true);
  const headers = signed();
  expect(
    check({ ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }),
  ).toBe(true);
});

test('anything else is not: another body, another key, an old message, no signature', () => {
  expect(check(signed(), `${text} `)).toBe(false);
  expect(check(signed(now, `whsec_${Buffer.alloc(32, 8).toString('base64')}`))).toBe(false);
  expect(check(signed(new Date(now.getTime() - 301_000)))).toBe(false);
  expect(check({ ...signed(), 'webhook-timestamp': 'soon' })).toBe(false);
  expect(check({})).toBe(false);
});

test('a message may be five minutes old, or ahead of the clock by as much', () => {
  for (const ms of [-300_000, 300_000])
    expect(check(signed(new Date(now.getTime() + ms)))).toBe(true);
  for (const ms of [-301_000, 301_000])
    expect(check(signed(new Date(now.getTime() + ms)))).toBe(false);
});

test('a message is no more genuine for a signature over what it does not say', () => {
  const over = (id: string, timestamp: number) =>
    signatureHeader([secretKey(secret)], { id, timestamp, body: text });
  const seconds = now.getTime() / 1_000;
  const { 'webhook-id': id, ...without } = signed();
  expect(check({ ...without, 'webhook-signature': over('undefined', seconds) })).toBe(false);
  expect(check({ 'webhook-id': id, 'webhook-timestamp': String(seconds) })).toBe(false);
  for (const [said, read] of [
    ['soon', Number.NaN],
    [`${seconds}.5`, seconds + 0.5],
  ] as const)
    expect(
      check({
        'webhook-id': id,
        'webhook-timestamp': said,
        'webhook-signature': over(id, read),
      }),
    ).toBe(false);
});

test('a secret in another form signs by its letters; without one, nothing is asked for', () => {
  const plain = `whsec_${Buffer.from('just some text').toString('base64')}`;
  expect(check(signed(now, plain), text, { webhook_secret: 'just some text' })).toBe(true);
  expect(isGenuine({ config: {}, secrets: {} }, { body: Buffer.from('x'), headers: {}, now })).toBe(
    true,
  );
});
