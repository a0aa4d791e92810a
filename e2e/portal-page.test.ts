import { randomUUID } from 'node:crypto';
import { call, gateways } from './support/api';
import { newWorkspace } from './support/factories';
import { newPortal } from './support/portal';

describe('the page of a portal', () => {
  test('brings everything it is made of, in the colours of the workspace', async () => {
    const [gateway] = gateways();
    const workspace = await newPortal({ primary_color: '#AA0011', custom_css: '.card{padding:0}' });
    const page = await call('GET', `!/portal/${workspace.slug}`, { gateway });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).toContain('--accent:#aa0011');
    expect(page.text).toContain('.card{padding:0}');
    const waiting = [...page.text.matchAll(/(?:href|src)="(\/portal\/assets\/[^"]+)"/g)].map(
      (match) => match[1]!,
    );
    expect(waiting.length).toBeGreaterThan(5);
    const seen = new Set(waiting);
    for (const file of waiting) {
      const { status, text } = await call('GET', `!${file}`, { gateway });
      expect([file, status]).toEqual([file, 200]);
      for (const [, imported] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)) {
        const next = new URL(imported!, `http://page${file}`).pathname;
        if (!seen.has(next)) waiting.push(next);
        seen.add(next);
      }
    }
    expect([...seen].some((file) => file.endsWith('vendor/qr.js'))).toBe(true);
  });

  test('brings the links on privacy and terms that the shop set', async () => {
    const privacy_url = 'https://shop.example/privacy';
    const workspace = await newPortal({ privacy_url });
    const { text } = await call('GET', `!/portal/${workspace.slug}`);
    const given = JSON.parse(/id="portal">(.*)<\/script>/.exec(text)![1]!);
    expect(given).toMatchObject({ privacy_url, terms_url: null });
  });

  test('is given the zone of the shop, whose days it shows, and tells programs no more than before', async () => {
    const workspace = await newPortal();
    const timezone = 'America/New_York';
    await workspace.laurel.workspaces.updateSettings({ timezone });
    const { text } = await call('GET', `!/portal/${workspace.slug}`);
    expect(JSON.parse(/id="portal">(.*)<\/script>/.exec(text)![1]!)).toMatchObject({ timezone });
    const config = await call(
      'GET',
      `/public/loyalty/portal-config?workspace_slug=${workspace.slug}`,
    );
    expect([config.status, config.body.data.timezone]).toEqual([200, undefined]);
  });

  test('is not there without a workspace, nor while the portal is off', async () => {
    const off = await newWorkspace();
    for (const slug of [off.slug, `no-${randomUUID()}`]) {
      const { status, headers } = await call('GET', `!/portal/${slug}`);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    }
  });

  test.each([
    ['de', 'de'],
    ['nl', 'fr'],
  ])(
    'of a French shop that has it switched off is not there for a reader of %s in %s',
    async (wanted, language) => {
      const { slug } = await newWorkspace({ default_locale: 'fr' });
      const headers = { 'Accept-Language': wanted };
      const { status, text } = await call('GET', `!/portal/${slug}`, { headers });
      expect([status, /<html lang="(\w+)"/.exec(text)?.[1]]).toEqual([404, language]);
    },
  );
});
