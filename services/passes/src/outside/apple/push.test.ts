import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer, type Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { makeLocalApple } from '../credentials/make-local';
import type { AppleCredentials } from '../credentials/types';
import { type ApplePush, createApplePush } from './push';

interface Received {
  path: string;
  topic: string;
  body: string;
  certificate: string | undefined;
}

let credentials: AppleCredentials;
let apple: Http2SecureServer;
let push: ApplePush;
let received: Received[];
let connections: number;
let baseUrl: string;
let sessions: Http2Session[];
/** Sessions on which the stand-in of Apple answers nothing any more. */
const silenced = new Set<Http2Session | undefined>();
/** What the stand-in of Apple answers to a device token. */
const answers = new Map<string, { status: number; body?: object }>();

beforeAll(async () => {
  credentials = await makeLocalApple(new Date());
});

beforeEach(async () => {
  received = [];
  connections = 0;
  sessions = [];
  silenced.clear();
  answers.clear();
  const { certificate: cert, key, issuer: ca } = credentials;
  apple = createSecureServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true });
  apple.on('session', (session) => {
    connections += 1;
    session.on('error', () => undefined);
    sessions.push(session);
  });
  apple.on('stream', async (stream, headers) => {
    stream.on('error', () => undefined);
    if (silenced.has(stream.session)) return;
    let body = '';
    stream.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    await once(stream, 'end');
    const path = String(headers[':path']);
    const socket = stream.session?.socket as unknown as {
      getPeerCertificate(): { subject: { CN: string } };
    };
    const certificate = socket.getPeerCertificate().subject.CN;
    received.push({ path, topic: String(headers['apns-topic']), body, certificate });
    const { status, body: answer } = answers.get(path.split('/').at(-1)!) ?? { status: 200 };
    stream.respond({ ':status': status });
    stream.end(answer ? JSON.stringify(answer) : '');
  });
  apple.listen(0, '127.0.0.1');
  await once(apple, 'listening');
  baseUrl = `https://127.0.0.1:${(apple.address() as AddressInfo).port}`;
  push = createApplePush({ baseUrl, ca });
});

afterEach(async () => {
  await push.close();
  apple.close();
});

const send = (pushToken: string) =>
  push.send(credentials, { pushToken, topic: 'pass.com.example' });

test('a push is an empty message on the topic of the pass, under its certificate', async () => {
  expect(await send('device-1')).toBe('sent');
  expect(received).toEqual([
    {
      path: '/3/device/device-1',
      topic: 'pass.com.example',
      body: '{}',
      certificate: 'Laurel local pass certificate (not trusted by phones)',
    },
  ]);
});

test('many pushes share a connection', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, index) => send(`device-${index}`)));
  expect(received).toHaveLength(40);
  expect(connections).toBe(1);
});

test.each([
  [410, { reason: 'Unregistered' }],
  [400, { reason: 'BadDeviceToken' }],
])('a device that Apple answers %i for is gone', async (status, body) => {
  answers.set('device-1', { status, body });
  expect(await send('device-1')).toBe('gone');
});

test.each([
  [429, { reason: 'TooManyRequests' }],
  [503, { reason: 'ServiceUnavailable' }],
  [403, { reason: 'BadCertificate' }],
])('an answer of %i is a failure that may pass', async (status, body) => {
  answers.set('device-1', { status, body });
  await expect(send('device-1')).rejects.toThrow(String(status));
});

test('a connection that Apple closed is opened again', async () => {
  await send('device-1');
  await push.close();
  expect(await send('device-2')).toBe('sent');
  expect(connections).toBe(2);
});

test('a connection on which Apple has gone silent is left, and the next push goes by a new one', async () => {
  const patient = createApplePush({ baseUrl, ca: credentials.issuer, timeoutMs: 3_000 });
  const sendBy = (pushToken: string) =>
    patient.send(credentials, { pushToken, topic: 'pass.com.example' });
  expect(await sendBy('device-1')).toBe('sent');
  silenced.add(sessions[0]);
  const unanswered = await Promise.allSettled([sendBy('device-2'), sendBy('device-3')]);
  for (const outcome of unanswered)
    expect(outcome).toMatchObject({ reason: { message: 'Apple does not answer' } });
  expect(await sendBy('device-4')).toBe('sent');
  expect(connections).toBe(2);
  await patient.close();
});

test('Apple being away is a failure, not a crash', async () => {
  const nobody = createApplePush({ baseUrl: 'https://127.0.0.1:1' });
  const sending = nobody.send(credentials, { pushToken: 'a', topic: 'b' });
  await expect(sending).rejects.toThrow('ECONNREFUSED');
});
