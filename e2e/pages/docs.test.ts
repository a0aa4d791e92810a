import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { call } from '../support/api';
import { describeInBrowser, newVisitor, openBrowser } from '../support/browser';

const BUILT = path.join(__dirname, '../../packages/docs-page/dist');
const PAGE_BYTES_MAX = 30 * 1_024;

/** Every page, by its address. */
const addresses = readdirSync(BUILT, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
  .map((name) => `/docs/${name.replace(/\.html$/, '')}`.replace(/\/index$/, ''))
  .sort();

test.each(addresses)('%s comes packed in at most 30 KB, and as Markdown', async (address) => {
  const page = await call('GET', `!${address}`, { headers: { 'Accept-Encoding': 'gzip' } });
  expect([page.status, page.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  expect(Number(page.headers.get('content-length'))).toBeLessThanOrEqual(PAGE_BYTES_MAX);
  const source = address === '/docs' ? '/docs/index.md' : `${address}.md`;
  const { status, text } = await call('GET', `!${source}`);
  expect([status, text.startsWith('# ')]).toEqual([200, true]);
});

test('what the search looks through comes in at most 60 KB', () => {
  const folder = path.join(BUILT, 'assets');
  const index = readdirSync(folder).find((name) => /^search-\w+\.json\.br$/.test(name))!;
  expect(statSync(path.join(folder, index)).size).toBeLessThanOrEqual(60 * 1_024);
});

test('llms.txt names every page', async () => {
  const { text } = await call('GET', '!/docs/llms.txt');
  for (const address of addresses.filter((one) => one !== '/docs'))
    expect(text).toContain(`(${address}.md)`);
});

test('Swagger UI stands at its own address, and nothing of it is on another page', async () => {
  expect((await call('GET', '!/docs/swagger')).text).toContain('swagger-ui-bundle.js');
  expect((await call('GET', '!/docs')).text).not.toContain('swagger-ui-bundle');
});

describeInBrowser('the documentation', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test.each(['/docs', '/docs/start', '/docs/errors', '/docs/commands', '/docs/api/points'])(
    '%s can be read by everybody, fits a small phone, and keeps its policy',
    async (address) => {
      const reader = await newVisitor(browser);
      await reader.visit(address);
      await reader.expectAccessible();
      for (const width of [320, 390]) {
        await reader.page.setViewportSize({ width, height: 800 });
        const wide = await reader.page.evaluate('document.documentElement.scrollWidth');
        expect([width, Number(wide) <= width]).toEqual([width, true]);
      }
      expect(reader.complaints).toEqual([]);
      await reader.context.close();
    },
  );

  test('is searched by keyboard, and fetches what it searches with the first key', async () => {
    const reader = await newVisitor(browser);
    const { page } = reader;
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(request.url()));
    await reader.visit('/docs');
    expect(fetched.filter((url) => url.includes('search'))).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.type('insufficient_balance');
    await page.getByRole('link', { name: 'Debit active points' }).first().waitFor();
    await reader.expectAccessible();
    expect(fetched.filter((url) => url.includes('search'))).toHaveLength(1);
    await page.getByRole('searchbox').fill('webhook secret');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/.*webhooks/);
    await page.getByRole('searchbox').fill('zebra');
    await page.getByText('Nothing found', { exact: false }).first().waitFor();
    await page.keyboard.press('Escape');
    expect(reader.complaints).toEqual([]);
    await reader.context.close();
  });

  test('gives each command to the clipboard', async () => {
    const reader = await newVisitor(browser, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await reader.visit('/docs/start');
    await reader.page.getByRole('button', { name: 'Copy' }).first().click();
    await reader.page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await reader.page.evaluate('navigator.clipboard.readText()')).toBe('npm start\n');
    expect(reader.complaints).toEqual([]);
    await reader.context.close();
  });
});
