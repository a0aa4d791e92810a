import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createLogger } from '@laurel/lifecycle';
import request from 'supertest';
import { createApp } from '../app';
import type { RpcClients } from '../rpc-clients';
import type { ServeDependencies } from '../serve';
import { readPageFolder } from './assets';
import { accountPlace, consolePlace, tillPlace } from './places';
import { createStaticPage } from './router';

const logger = createLogger('test', 'silent');
const SCRIPT = 'start();'.repeat(200);
const FRAME = `<!doctype html><html lang="en"><meta property="csp-nonce" content="__NONCE__"><script type="module" src="/account/assets/main-1a.js"></script></html>`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'page-'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), FRAME);
  writeFileSync(path.join(folder, 'sw.js'), 'listen()');
  writeFileSync(path.join(folder, 'assets/main-1a.js'), SCRIPT);
  writeFileSync(path.join(folder, 'assets/main-1a.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(path.join(folder, 'assets/main-1a.js.gz'), gzipSync(SCRIPT));
});
afterAll(() => rmSync(folder, { recursive: true }));

function site(place = accountPlace) {
  const page = createStaticPage(place, readPageFolder(folder), logger);
  const limits = { consume: async () => undefined };
  const dependencies = { logger, limits, rpc: {} as RpcClients } as unknown as ServeDependencies;
  return request(
    createApp(
      { routes: [], pages: page, settings: { trustProxy: '0', corsOrigins: '*' } },
      dependencies,
    ),
  );
}

describe('a page that was built', () => {
  test.each(accountPlace.addresses)(
    'stands at %s under a policy without exceptions',
    async (at) => {
      const { status, headers } = await site().get(at);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers['cache-control']).toBe('no-store');
      const policy = headers['content-security-policy']!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers['permissions-policy']).toContain('camera=()');
      // A token in the address must not travel on.
      expect(headers['referrer-policy']).toBe('no-referrer');
    },
  );

  test('is sent in the language of its visitor, with nothing of anybody in it', async () => {
    const { text } = await site()
      .get('/verify-email?token=secret')
      .set('Accept-Language', 'pl,en;q=0.5');
    expect(text).toContain('<html lang="pl">');
    expect(text).not.toContain('secret');
  });

  test('may use camera and WebAssembly where it is the till, and nowhere else', async () => {
    const { headers } = await site(tillPlace).get('/till/');
    expect(headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(headers['permissions-policy']).toContain('camera=(self)');
  });

  test('has a nonce of its own in each answer where its styles need one, and no other exception', async () => {
    const nonces = new Set<string>();
    for (const at of ['/console', '/console/customers/1?tab=data']) {
      const { status, headers, text } = await site(consolePlace).get(at);
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(
        headers['content-security-policy']!,
      )![1]!;
      expect([status, text.includes(`content="${nonce}"`)]).toEqual([200, true]);
      expect(headers['content-security-policy']).toContain("script-src 'self';");
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
  });

  test('never takes the place of a file that is gone, though every address below it is its own', async () => {
    const { status } = await site(consolePlace).get('/console/assets/main-2b.js');
    expect(status).toBe(404);
    expect((await site(consolePlace).get('/console/assets/main-1a.js')).status).toBe(200);
  });

  test('is read, not written', async () => {
    const { status, headers } = await site().post('/sign-in');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('the files of a page', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('are sent as the browser takes them: %s as %s', async (accepted, encoding) => {
    const { status, headers, text } = await site()
      .get('/account/assets/main-1a.js')
      .set('Accept-Encoding', accepted)
      .parse((response, done) => {
        const raw = response as unknown as NodeJS.ReadableStream;
        raw.resume().on('end', () => done(null, undefined));
      });
    expect([status, headers['content-encoding']]).toEqual([200, encoding]);
    expect(headers.vary).toContain('Accept-Encoding');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toContain('immutable');
    expect(text).toBeUndefined();
  });

  test('are kept for good only under a name that changes with them', async () => {
    const { headers } = await site().get('/account/sw.js');
    expect(headers['cache-control']).toBe('no-cache');
  });

  test.each([
    '/account/assets/main-2b.js',
    '/account/index.html',
    '/account/assets/main-1a.js.br',
    '/account/..%2Fpackage.json',
  ])('are only these: %s is none', async (at) => {
    expect((await site().get(at)).status).toBe(404);
  });
});
