import { platform } from '@laurel/errors';
import { createLogger } from '@laurel/lifecycle';
import type { identity } from '@laurel/rpc';
import request from 'supertest';
import { createApp } from '../app';
import { createAdmission } from '../middleware/admission';
import type { RateLimits } from '../middleware/rate-limit';
import { createPlainPages } from '../plain-page/router';
import type { RpcClients } from '../rpc-clients';
import type { ServeDependencies } from '../serve';
import { createPortalPage } from './router';

const config: identity.PublicPortalConfig = {
  workspace_id: '018f3c5e-7b1a-7c3d-9e2f-0123456789ab',
  workspace_name: 'Corner Coffee',
  workspace_slug: 'cafe',
  is_enabled: true,
  logo_url: null,
  primary_color: '#1F6F54',
  background_color: '#F6F7F4',
  welcome_title: null,
  welcome_subtitle: null,
  show_tier: true,
  show_rewards: true,
  show_redemption_history: true,
  show_referral: true,
  cta_label: null,
  custom_css: null,
  privacy_url: null,
  terms_url: null,
};
const assets = {
  version: 'abc123',
  files: new Map([
    ['main.js', Buffer.from('start()')],
    ['words/en.js', Buffer.from('en')],
    ['words/pl.js', Buffer.from('pl')],
    ['vendor/qr.js', Buffer.from('qr')],
    ['base.css', Buffer.from('a{}')],
  ]),
};
const logger = createLogger('test', 'silent');
const admission = createAdmission({ runningMax: 8, waitingMax: 8, waitMsMax: 100, callerMax: 8 });
afterAll(() => admission.stop());

function site(
  find: (slug: string) => Promise<Partial<identity.PublicPortalConfig>>,
  locale = 'en',
  place: Partial<identity.Portal> = {},
) {
  const rpc = {
    identity: {
      FindPortal: async ({ slug }: identity.SlugRequest) => ({
        config: { ...config, ...(await find(slug)) },
        default_locale: locale,
        ...place,
      }),
    },
  } as unknown as RpcClients;
  const limits: RateLimits = { consume: async () => undefined };
  const page = createPlainPages(logger);
  const portal = createPortalPage({ rpc, admission, limits, logger, requestMsMax: 1_000, assets });
  page.use(portal);
  const dependencies = { logger, rpc } as unknown as ServeDependencies;
  return request(
    createApp(
      { routes: [], pages: page, settings: { trustProxy: '0', corsOrigins: '*' } },
      dependencies,
    ),
  );
}

describe('the page of a portal', () => {
  test('lets in its own files and one style element, and is kept in no cache', async () => {
    const { status, headers, text } = await site(async () => ({})).get('/portal/Cafe');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['cache-control']).toBe('no-store');
    const policy = headers['content-security-policy']!;
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)![1]!;
    expect(text).toContain(`<style nonce="${nonce}">`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<script(?![^>]*(src=|type="application\/json"))/);
  });

  test('has another nonce each time', async () => {
    const app = site(async () => ({}));
    const nonces = await Promise.all(
      [1, 2].map(async () => /nonce="([^"]+)"/.exec((await app.get('/portal/cafe')).text)![1]),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('takes nothing of what a shop writes for more than words', async () => {
    const evil = '"></title></script><script>alert(1)</script><!--';
    const { text } = await site(async () => ({
      workspace_name: evil,
      welcome_title: evil,
      cta_label: evil,
      custom_css: 'a{content:"</style><script>alert(1)</script>"}',
    })).get('/portal/cafe');
    // Within the style element nothing but its own end means anything.
    const outside = text.replace(/<style[\s\S]*?<\/style>/, '');
    expect(outside).not.toContain('<script>alert');
    expect(outside).not.toContain('<!--');
    expect(text.match(/<\/style/g)).toHaveLength(1);
    const given = /id="portal">(.*)<\/script>/.exec(text)![1]!;
    expect(JSON.parse(given)).toMatchObject({ workspace_name: evil, welcome_title: evil });
  });

  test.each([
    ['pl_PL', 'pl'],
    ['it-IT', 'en'],
  ])('is announced in the language it will be in: %s as %s', async (locale, language) => {
    const { text } = await site(async () => ({}), locale).get('/portal/cafe');
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`modulepreload" href="/portal/assets/abc123/words/${language}.js"`);
    expect(text.match(/modulepreload/g)).toHaveLength(2);
  });

  test('is 404 where there is no portal, and says no more than that', async () => {
    const nowhere = site(() =>
      Promise.reject(platform.recordNotFound({ message: 'portal not enabled' })),
    );
    const { status, headers, text } = await nowhere.get('/portal/cafe');
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('no customer portal');
    expect(headers['content-security-policy']).not.toContain('unsafe');
  });

  test.each([
    ['de-DE,de;q=0.9,en;q=0.5', 'de', 'Hier gibt es kein Kundenportal'],
    ['it, pl;q=0.8', 'pl', 'Nie ma tu portalu klienta'],
    ['it', 'en', 'There is no customer portal here'],
  ])('that is missing says so to a visitor who reads %s', async (accepted, language, sentence) => {
    const nowhere = site(() => Promise.reject(platform.recordNotFound()));
    for (const path of ['/portal/cafe', '/portal', '/portal/']) {
      const { status, text } = await nowhere.get(path).set('Accept-Language', accepted);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain(sentence);
    }
  });

  test('that is switched off says so in its shop’s language to a reader of none of ours', async () => {
    const off = platform.recordNotFound({ extensions: { locale: 'fr-FR' } });
    const closed = site(() => Promise.reject(off));
    const { status, text } = await closed.get('/portal/cafe').set('Accept-Language', 'nl');
    expect(status).toBe(404);
    expect(text).toContain('<html lang="fr">');
  });

  test.each([
    ['pl,en;q=0.8', 'pl', 'pl'],
    ['nl, de;q=0.5', 'de', 'de'],
    ['fr-CH', 'fr', 'fr-FR'],
    ['nl', 'fr', 'fr-FR'],
    ['*', 'fr', 'fr-FR'],
  ])('speaks to a visitor who reads %s in %s', async (accepted, language, locale) => {
    const page = site(async () => ({}), 'fr-FR').get('/portal/cafe');
    const { text } = await page.set('Accept-Language', accepted);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`"locale":"${locale}"`);
  });

  test('is given the zone whose days it shows, where the platform names it', async () => {
    const given = async (place: Partial<identity.Portal>) => {
      const { text } = await site(async () => ({}), 'en', place).get('/portal/cafe');
      return JSON.parse(/id="portal">(.*)<\/script>/.exec(text)![1]!).timezone;
    };
    expect(await given({ timezone: 'America/New_York' })).toBe('America/New_York');
    expect(await given({})).toBeUndefined();
  });

  test('says in the language of the workspace, under its name, that it needs a script', async () => {
    const { text } = await site(async () => ({}), 'fr-FR').get('/portal/cafe');
    const [, said] = /<noscript>(.*)<\/noscript>/.exec(text)!;
    expect(said).toContain('Corner Coffee');
    expect(said).toContain('JavaScript. Veuillez');
  });

  test('asks for patience while a part of the platform is away, and tells nothing of a fault', async () => {
    const away = site(() => Promise.reject(platform.serviceUnavailable({ retryAfterSeconds: 3 })));
    const { status, headers } = await away.get('/portal/cafe');
    expect([status, headers['retry-after']]).toEqual([503, '3']);
    const broken = await site(() => Promise.reject(new Error('secret detail'))).get('/portal/cafe');
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain('secret');
  });

  test('is read, not written', async () => {
    const { status, headers } = await site(async () => ({})).post('/portal/cafe');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('the root of the platform', () => {
  const app = site(async () => ({}));

  test('greets a person in their language, and says where to go', async () => {
    const { status, headers, text } = await app
      .get('/')
      .set('Accept', 'text/html,*/*;q=0.8')
      .set('Accept-Language', 'es');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<html lang="es">');
    expect(text).toContain('href="/docs"');
    expect(text).toContain('<a href="/sign-in">Para comercios: iniciar sesión</a>');
  });

  test('tells a program that there is no such route', async () => {
    const { status, body } = await app.get('/').set('Accept', '*/*');
    expect([status, body.errors[0].message]).toEqual([404, 'there is no route /']);
  });
});

describe('the files of the page', () => {
  const app = site(async () => ({}));

  test('are kept for good under the version they belong to', async () => {
    const { status, headers, text } = await app.get('/portal/assets/abc123/words/pl.js');
    expect([status, text]).toEqual([200, 'pl']);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toContain('immutable');
    expect((await app.get('/portal/assets/abc123/base.css')).headers['content-type']).toBe(
      'text/css; charset=utf-8',
    );
  });

  test('are not kept when a page of another version asks', async () => {
    const { status, headers } = await app.get('/portal/assets/other/main.js');
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
  });

  test.each(['/portal/assets/abc123/none.js', '/portal/assets/abc123/..%2Fpackage.json'])(
    'are only these: %s is none',
    async (path) => {
      expect((await app.get(path)).status).toBe(404);
    },
  );
});
