import { createSign, generateKeyPairSync } from 'node:crypto';
import { decode, verify } from 'jsonwebtoken';
import nock from 'nock';
import type { GooglePass } from '../../domain/wallet/google-pass';
import type { GoogleCredentials } from '../credentials/types';
import { createGoogleApi, GoogleAccountRefusal } from './api';
import { createGoogleCallbacks } from './callback';
import { saveLink } from './save-link';

const API = 'https://wallet.test';
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const credentials: GoogleCredentials = {
  issuerId: '33',
  email: 'laurel@example.iam.gserviceaccount.com',
  key: rsa.privateKey,
};
type Body = Record<string, string>;
const pass: GooglePass = {
  kind: 'loyalty',
  class: { id: '33.class', programName: 'Card' },
  object: { id: '33.object', classId: '33.class', state: 'ACTIVE' },
};
const api = () => createGoogleApi({ baseUrl: API, tokenUrl: `${API}/token` });

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

function expectToken(times = 1) {
  return nock(API)
    .post('/token', (body) => {
      const claims = verify(body.assertion, rsa.publicKey) as Record<string, unknown>;
      return (
        body.grant_type === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
        claims.iss === credentials.email &&
        claims.scope === 'https://www.googleapis.com/auth/wallet_object.issuer'
      );
    })
    .times(times)
    .reply(200, { access_token: 'a-token', expires_in: 3600 });
}
const signedIn = () => nock(API, { reqheaders: { authorization: 'Bearer a-token' } });

describe('a save link', () => {
  const options = { saveUrl: 'https://pay.test/save', origin: 'https://example.com' };
  const claimsOf = (link: string) => decode(link.split('/').at(-1)!) as Record<string, unknown>;

  test('carries the whole pass, signed by the service account', () => {
    const link = saveLink(credentials, pass, { ...options, known: false });
    expect(link).toMatch(/^https:\/\/pay\.test\/save\/eyJ/);
    expect(verify(link.split('/').at(-1)!, rsa.publicKey)).toMatchObject({
      iss: credentials.email,
      aud: 'google',
      typ: 'savetowallet',
      origins: ['https://example.com'],
      payload: { loyaltyClasses: [pass.class], loyaltyObjects: [pass.object] },
    });
  });

  test('names the pass only where Google has it', () => {
    const claims = claimsOf(saveLink(credentials, pass, { ...options, known: true }));
    expect(claims.payload).toEqual({
      loyaltyObjects: [{ id: '33.object', classId: '33.class' }],
    });
  });
});

describe('the Wallet API', () => {
  test('replaces class and object, and says whether anybody has the pass', async () => {
    expectToken();
    signedIn()
      .put('/walletobjects/v1/loyaltyClass/33.class', pass.class as Body)
      .reply(200, pass.class);
    signedIn()
      .put('/walletobjects/v1/loyaltyObject/33.object', pass.object as Body)
      .reply(200, { ...pass.object, hasUsers: true });
    expect(await api().put(credentials, pass)).toEqual({ hasUsers: true });
    expect(nock.isDone()).toBe(true);
  });

  test('creates what Google does not have', async () => {
    expectToken();
    for (const [kind, resource] of [
      ['loyaltyClass', pass.class],
      ['loyaltyObject', pass.object],
    ] as const) {
      signedIn().put(`/walletobjects/v1/${kind}/${resource.id}`).reply(404, {});
      signedIn()
        .post(`/walletobjects/v1/${kind}`, resource as Body)
        .reply(200, resource);
    }
    expect(await api().put(credentials, pass)).toEqual({ hasUsers: false });
    expect(nock.isDone()).toBe(true);
  });

  test('gives who claims the address of an account with another key none of its tokens', async () => {
    expectToken(1);
    const one = api();
    const message = { id: 'm', header: 'Card', body: 'Two for one' };
    signedIn().post('/walletobjects/v1/loyaltyObject/33.object/addMessage').reply(200, {});
    await one.notify(credentials, pass, message);
    const { privateKey: key } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    nock(API).post('/token').reply(400, { error: 'invalid_grant' });
    const stranger = { ...credentials, key };
    await expect(one.notify(stranger, pass, message)).rejects.toMatchObject({ status: 400 });
    expect(nock.isDone()).toBe(true);
  });

  test('asks for a token once, not for every call', async () => {
    expectToken(1);
    const one = api();
    signedIn().post('/walletobjects/v1/loyaltyObject/33.object/addMessage').times(2).reply(200, {});
    const message = { id: 'm', header: 'Card', body: 'Two for one' };
    await one.notify(credentials, pass, message);
    await one.notify(credentials, pass, message);
    expect(nock.isDone()).toBe(true);
  });

  test.each([400, 401])(
    'asks for no token of an account that Google answered %i for, until a minute has passed',
    async (status) => {
      const one = api();
      const message = { id: 'm', header: 'Card', body: 'Two for one' };
      const refused = nock(API).post('/token').reply(status, { error: 'invalid_grant' });
      for (let push = 0; push < 3; push += 1)
        await expect(one.notify(credentials, pass, message)).rejects.toBeInstanceOf(
          GoogleAccountRefusal,
        );
      expect(refused.isDone()).toBe(true);
      expectToken(1);
      const minuteLater = Date.now() + 60_001;
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => minuteLater);
      await one.signIn(credentials);
      clock.mockRestore();
      expect(nock.isDone()).toBe(true);
    },
  );

  test('asks again at once where Google was away, and takes no missing address of tokens for a missing card', async () => {
    const one = api();
    nock(API).post('/token').reply(503, 'later');
    await expect(one.signIn(credentials)).rejects.toMatchObject({ status: 503 });
    nock(API).post('/token').reply(404, 'no such page');
    const ended = one.end(credentials, { kind: 'loyalty', object: { id: '33.object' } });
    await expect(ended).rejects.toBeInstanceOf(GoogleAccountRefusal);
    expect(nock.isDone()).toBe(true);
  });

  test('shows a text as a notification', async () => {
    expectToken();
    signedIn()
      .post('/walletobjects/v1/loyaltyObject/33.object/addMessage', {
        message: { id: 'm', header: 'Card', body: 'Hello', messageType: 'TEXT_AND_NOTIFY' },
      })
      .reply(200, {});
    await api().notify(credentials, pass, { id: 'm', header: 'Card', body: 'Hello' });
    expect(nock.isDone()).toBe(true);
  });

  test('ends a pass with what is left of it, and takes one that Google does not know for ended', async () => {
    expectToken();
    signedIn()
      .put('/walletobjects/v1/loyaltyObject/33.object', { id: '33.object', state: 'EXPIRED' })
      .reply(404, {});
    const object = { id: '33.object', state: 'EXPIRED' };
    await api().end(credentials, { kind: 'loyalty', object });
    expect(nock.isDone()).toBe(true);
  });

  test('fails where Google fails', async () => {
    expectToken();
    signedIn().put('/walletobjects/v1/loyaltyClass/33.class').reply(503, 'later');
    await expect(api().put(credentials, pass)).rejects.toMatchObject({ status: 503 });
  });
});

describe('a callback', () => {
  const NOW = new Date('2026-11-21T12:00:00Z');
  const later = String(NOW.getTime() + 60_000);
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [root, intermediate, stranger] = [pair(), pair(), pair()];
  const keyValue = (key: ReturnType<typeof pair>) =>
    key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const signed = (parts: string[], key: ReturnType<typeof pair>) => {
    const bytes = parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(Buffer.byteLength(part));
      return [length, Buffer.from(part)];
    });
    return createSign('sha256').update(Buffer.concat(bytes)).sign(key.privateKey, 'base64');
  };

  function callbackOf({
    by = root,
    expires = later,
    issuer = '33',
    ends = NOW.getTime() + 1,
  } = {}) {
    const told = { objectId: '33.object', eventType: 'save', nonce: 'n', expTimeMillis: ends };
    const signedMessage = JSON.stringify(told);
    const signedKey = JSON.stringify({ keyValue: keyValue(intermediate), keyExpiration: expires });
    const protocolVersion = 'ECv2SigningOnly';
    const ofKey = signed(['GooglePayPasses', protocolVersion, signedKey], by);
    const message = ['GooglePayPasses', issuer, protocolVersion, signedMessage];
    const signature = signed(message, intermediate);
    const intermediateSigningKey = { signedKey, signatures: [ofKey] };
    return { signature, protocolVersion, signedMessage, intermediateSigningKey };
  }
  function read(callback: ReturnType<typeof callbackOf>) {
    nock('https://keys.test')
      .get('/keys')
      .reply(200, {
        keys: [
          {
            keyValue: keyValue(root),
            keyExpiration: later,
            protocolVersion: 'ECv2SigningOnly',
          },
        ],
      });
    return createGoogleCallbacks({ keysUrl: 'https://keys.test/keys' }).read(callback, NOW);
  }

  test('signed by Google is believed', async () => {
    expect(await read(callbackOf())).toMatchObject({
      objectId: '33.object',
      eventType: 'save',
      expiresAt: new Date(NOW.getTime() + 1),
    });
  });

  test.each([
    ['whose key a stranger signed', callbackOf({ by: stranger })],
    ['whose key has expired', callbackOf({ expires: String(NOW.getTime() - 1) })],
    ['meant for another issuer', callbackOf({ issuer: '44' })],
    ['with another message', { ...callbackOf(), signedMessage: '{"objectId":"33.other"}' }],
    ['with another protocol', { ...callbackOf(), protocolVersion: 'ECv1' }],
    ['that has expired itself', callbackOf({ ends: NOW.getTime() })],
    ['with no message', { ...callbackOf(), signedMessage: 'noise' }],
  ])('%s is refused', async (_case, callback) => {
    await expect(read(callback)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  test('is 503 while the keys cannot be had, and Google is asked once for all who call', async () => {
    const asked = nock('https://keys.test').get('/keys').times(2).reply(500);
    const callbacks = createGoogleCallbacks({ keysUrl: 'https://keys.test/keys' });
    const unavailable = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 30 };
    const answers = Array.from({ length: 5 }, () => callbacks.read(callbackOf(), NOW));
    for (const answer of answers) await expect(answer).rejects.toMatchObject(unavailable);
    await expect(callbacks.read(callbackOf(), NOW)).rejects.toMatchObject(unavailable);
    expect(asked.isDone()).toBe(false);
    nock.cleanAll();
  });

  test('that anybody can see to be wrong makes no request for keys', async () => {
    const asked = nock('https://keys.test').get('/keys').reply(200, { keys: [] });
    const callbacks = createGoogleCallbacks({ keysUrl: 'https://keys.test/keys' });
    for (const signedMessage of ['noise', 'null', '{}', '{"objectId":"33.object"}', '[]'])
      await expect(callbacks.read({ ...callbackOf(), signedMessage }, NOW)).rejects.toMatchObject({
        code: 'INVALID_TOKEN',
      });
    expect(asked.isDone()).toBe(false);
    nock.cleanAll();
  });
});
