import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { call } from '../support/api';
import { describeInBrowser, newVisitor, openBrowser } from '../support/browser';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  PASSWORD,
} from '../support/factories';

jest.setTimeout(300_000);

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

  test.each([
    '/docs',
    '/docs/start',
    '/docs/errors',
    '/docs/commands',
    '/docs/client',
    '/docs/client/points',
    '/docs/api/points',
  ])('%s can be read by everybody, fits a small phone, and keeps its policy', async (address) => {
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
  });

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

  test('lets a reader try an operation: dry first, for real only after asking, with a token that is kept nowhere', async () => {
    const workspace = await newWorkspace();
    const { id: wallet_type_id } = await newWalletType(workspace, { is_default: true });
    const { id: client_id } = await newClient(workspace);
    const points = { client_id, amount: 50 };
    expectStatus(await workspace.post(':ws/loyalty/points/earn', points), 201);
    const coffee = { name: 'Coffee', cost_in_points: 10, wallet_type_id };
    const { id: reward_id } = expectStatus(await workspace.post(':ws/rewards', coffee), 200).body
      .data;
    const redemptions = async () =>
      expectStatus(await workspace.get(':ws/rewards/redemptions', { client_id }), 200).body.data;

    const reader = await newVisitor(browser);
    const { page } = reader;
    await reader.visit('/docs/api/rewards-and-redemptions');
    await page.getByRole('button', { name: 'Try it: Redeem a reward for a client' }).click();
    expect(await page.getByLabel('Body').inputValue()).toContain('"reward_id"');
    await page.getByLabel('Token').fill(workspace.token);
    await page.getByLabel('workspaceId').fill(workspace.workspaceId);
    await page.getByLabel('Body').fill(JSON.stringify({ client_id, reward_id }));
    expect(await page.getByLabel(/^dry_run/).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('form.try').getByText('"would_succeed": true').waitFor();
    await reader.expectAccessible();

    await page.getByLabel(/^dry_run/).uncheck();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('This is done for real').waitFor();
    expect(await redemptions()).toEqual([]);
    await page.getByRole('button', { name: 'Yes, send it' }).click();
    await page.locator('form.try').getByText('"redemption": {').waitFor();
    expect(await redemptions()).toHaveLength(1);

    await page.getByRole('button', { name: 'Try it: List redemptions, newest first' }).click();
    // The form comes a moment after the click; till then the last button is that of the operation before.
    const second = page.locator('form.try').nth(1);
    await second.getByRole('button', { name: 'Send' }).click();
    await second.getByText(/^200, \d+ ms/).waitFor();
    const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage])');
    expect(kept).not.toContain(workspace.token);
    expect(reader.complaints).toEqual([]);
    await reader.context.close();
  });

  test('asks a reader who is signed in to the console for no token, and offers their workspaces', async () => {
    const workspace = await newWorkspace();
    const reader = await newVisitor(browser);
    const { page } = reader;
    await reader.visit('/console');
    await page.locator('input[type=email]').fill(workspace.owner.email);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.locator('button[type=submit]').click();
    await page.locator('input[type=password]').waitFor({ state: 'detached' });
    await reader.visit('/docs/api/rewards-and-redemptions');
    await page.getByRole('button', { name: 'Try it: List rewards by sort_order' }).click();
    await page.getByLabel('workspaceId').waitFor();
    expect(await page.getByLabel('workspaceId').inputValue()).toBe(workspace.workspaceId);
    await page.getByLabel('Token').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('form.try').getByText('"data": []').waitFor();
    expect(reader.complaints).toEqual([]);
    await reader.context.close();
  });
});
