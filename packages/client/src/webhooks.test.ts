import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { verifyWebhook } from './webhooks';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const FORMER = `whsec_${Buffer.from('another secret of many characters').toString('base64')}`;
const NOW = Date.parse('2026-01-31T10:00:00Z');
const PAYLOAD = '{"type":"client.created"}';

function signedWith(secret: string, { id = 'msg_1', at = NOW / 1_000, payload = PAYLOAD } = {}) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${payload}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`,
  };
}
const verify = (headers: Record<string, string>, payload: string | Uint8Array = PAYLOAD) =>
  verifyWebhook(payload, headers, [SECRET, FORMER], { now: NOW });

test('what the platform signed is taken, with the present and the former secret', async () => {
  expect(await verify(signedWith(SECRET))).toEqual({ type: 'client.created' });
  expect(await verify(signedWith(FORMER), Buffer.from(PAYLOAD))).toEqual({
    type: 'client.created',
  });
  const headers = new Headers(signedWith(SECRET));
  expect(await verifyWebhook(PAYLOAD, headers, SECRET, { now: NOW })).toEqual({
    type: 'client.created',
  });
});

test('headers of a library that are not of this runtime are read as well', async () => {
  const signed = new Map(Object.entries(signedWith(SECRET)));
  const headers = { get: (name: string) => signed.get(name) ?? null };
  expect(await verifyWebhook(PAYLOAD, headers, SECRET, { now: NOW })).toEqual({
    type: 'client.created',
  });
});

test.each([
  ['another body', signedWith(SECRET, { payload: '{}' }), 'no signature fits'],
  [
    'another secret',
    signedWith(`whsec_${Buffer.from('a stranger').toString('base64')}`),
    'no signature fits',
  ],
  ['a time long ago', signedWith(SECRET, { at: NOW / 1_000 - 301 }), 'too far from now'],
  ['a time to come', signedWith(SECRET, { at: NOW / 1_000 + 301 }), 'too far from now'],
  ['no time at all', { ...signedWith(SECRET), 'webhook-timestamp': 'soon' }, 'too far from now'],
  ['no signature', { ...signedWith(SECRET), 'webhook-signature': '' }, 'is missing'],
  [
    'a signature that is no base64',
    { ...signedWith(SECRET), 'webhook-signature': 'v1,%%' },
    'no signature fits',
  ],
])('a webhook with %s is refused', async (_what, headers, complaint) => {
  await expect(verify(headers)).rejects.toThrow(complaint);
});

test('the guide names the types that do not say by themselves which data they bring, and no others', () => {
  const read = (file: string) => readFileSync(path.join(__dirname, file), 'utf8');
  const [, union = ''] = read('generated/types.ts').split('export type LaurelEvent =');
  const members = [...union.matchAll(/^ {2}\| \{ type: (.+?); timestamp/gm)];
  const types = members.flatMap(([, names = '']) => [...names.matchAll(/"([^"]+)"/g)]);
  const names = types.map(([, name]) => name);
  const ofTwoShapes = names.filter((name, at) => names.indexOf(name) < at);
  expect(ofTwoShapes.length).toBeGreaterThan(0);
  const [paragraph = ''] =
    /(?<=go by the same name: ).+?(?=\.( |$))/m.exec(read('../../../docs/guides/webhooks.md')) ??
    [];
  const told = [...paragraph.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(told.sort()).toEqual(ofTwoShapes.sort());
});
