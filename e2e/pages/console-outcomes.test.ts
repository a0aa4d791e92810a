import { readFile } from 'node:fs/promises';
import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { DESK, describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { actionIn, campaignIn, rewardIn, settled } from '../support/campaigns';
import { newOwnerOfBeans } from '../support/console';
import {
  expectStatus,
  newClient,
  newMember,
  newWorkspace,
  type TestWorkspace,
} from '../support/factories';
import { newDevice } from '../support/mobile';

const JUST_NOW = /^(now|\d+ (second|minute)s? ago)$/;

/** What has ended is called what it came to, and who was there just now is said to have been. */
describeInBrowser('what the console says of', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  let owner: Visitor;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
    expectStatus(await shop.patch(':ws/settings', { timezone: 'Pacific/Auckland' }), 200);
    owner = await newOwnerOfBeans(browser, shop);
  });
  afterEach(async () => {
    await owner.page.unrouteAll();
    expect(owner.complaints.splice(0)).toEqual([]);
  });
  afterAll(() => browser?.close());

  const open = (address: string) => owner.page.goto(`/console${address}`);
  const button = (name: string) => owner.page.getByRole('button', { name, exact: true });
  const sheet = () => owner.page.getByRole('dialog', { name: 'Import' });
  const accessible = async () => {
    await owner.expectAccessible();
    await owner.page.setViewportSize(DESK);
  };
  const bring = async (text: string) => {
    await open('/customers');
    await button('Import').click();
    const file = { name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await sheet().getByLabel('CSV or NDJSON file').setInputFiles(file);
    await sheet()
      .getByText(/ was looked at/)
      .waitFor();
    await sheet().getByRole('button', { name: 'Import', exact: true }).click();
  };
  const idsOf = async (): Promise<string[]> =>
    (await shop.laurel.clients.listImportJobs({ limit: 10 })).data.map(({ id }) => id);

  describe('an import', () => {
    test('of which every line is in: that it is done', async () => {
      await bring('email\nann@example.com\nbo@example.com\n');
      await sheet().locator('.notice-good').getByText('Done: 2 new').waitFor();
      await sheet().getByRole('progressbar', { name: 'Progress of the import' }).waitFor();
      await accessible();
    });

    test('that left lines out: how many, which, and all of them in a file', async () => {
      const { page } = owner;
      const bad = Array.from({ length: 25 }, (_, at) => `nobody ${at}`);
      await bring(['email', 'cleo@example.com', ...bad, ''].join('\n'));
      const told = sheet().locator('.notice-warn').getByText('Not all of it is in.');
      await told.waitFor();
      expect(await told.textContent()).toContain('Lines not read: 25 of 26. 1 new, 0 updated.');
      expect(
        await sheet()
          .getByText(/^Line \d+: E-mail: /)
          .count(),
      ).toBe(20);
      await sheet().getByText('Listed here: 20 of 25 lines that were not read.').waitFor();
      await accessible();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        sheet().getByRole('button', { name: 'Save the list as a file (25)' }).click(),
      ]);
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
      expect(lines).toHaveLength(25);
      expect(lines.at(-1)).toMatch(/^Line 26: E-mail: /);
    });

    test('that failed: so, how far it came, and in the list of what needs somebody where its lines are', async () => {
      const { page } = owner;
      await bring(
        'email,first_name\ndora@example.com,Dora\neve@example.com,"Eve\nfay@example.com,Fay\n',
      );
      const told = sheet().getByRole('alert');
      await told.getByText('The import failed before its end.').waitFor();
      expect(await told.textContent()).toContain('Until then 1 new');
      expect(await sheet().getByText(/^Done/).count()).toBe(0);
      await accessible();
      await sheet().getByRole('button', { name: 'Close' }).last().click();

      await button('Import').click();
      const row = (state: string) =>
        sheet()
          .getByRole('row')
          .filter({ hasText: new RegExp(state) });
      await row('Failed').locator('.badge-bad').waitFor();
      await row('In part').locator('.badge-warn').waitFor();
      await row('Done').locator('.badge-good').waitFor();

      await open('/');
      await page.getByRole('link', { name: 'An import from a CSV file failed' }).click();
      await sheet().getByRole('alert').getByText('The import failed before its end.').waitFor();
      await sheet()
        .getByText(/^Line 2: /)
        .waitFor();
      await sheet().getByRole('button', { name: 'Close' }).last().click();
      await page.waitForURL(/customers$/);
      await sheet().waitFor({ state: 'detached' });
    });

    test('that was stopped: so, and not that it is done', async () => {
      await bring('email\ngus@example.com\n');
      await sheet().getByText('Done: 1 new').waitFor();
      const [id] = await idsOf();
      await owner.page.route(/\/client-import-jobs\/[^/?]+$/, async (route) => {
        const answer = await route.fetch();
        const { data } = await answer.json();
        const json = { data: { ...data, status: 'cancelled', errors: [] } };
        await route.fulfill({ response: answer, json });
      });
      await open(`/customers?import=${id}`);
      await sheet().locator('.notice-warn').getByText('The import was stopped').waitFor();
    });
  });

  test('a campaign that failed some, and one that failed all: that, in place of done', async () => {
    const { page } = owner;
    const people = await Promise.all(
      ['Uma', 'Ugo'].map(async (first_name) => (await newClient(shop, { first_name })).id),
    );
    const sent = async (usage_limit: number) => {
      const { id } = await campaignIn(shop, { manual_client_ids: people });
      await actionIn(shop, id, 'give_reward', {
        reward_ids: [await rewardIn(shop, { usage_limit })],
      });
      await open(`/campaigns/${id}`);
      expect(await page.getByLabel('Segment').locator('option:checked').textContent()).toBe(
        '2 chosen customers',
      );
      expectStatus(await shop.post(`/campaigns/${id}/execute-all`), 200);
      await settled(shop, id);
      await open(`/campaigns/${id}`);
      return page.locator('.lead .badge');
    };
    const some = await sent(1);
    await until(async () => (await some.textContent()) === 'done, with failures');
    await accessible();
    const none = await sent(0);
    await until(async () => (await none.textContent()) === 'failed');
    const all = await sent(2);
    await until(async () => (await all.textContent()) === 'done');
  });

  test('who stands at the counter: that they were there just now, and when by the clock of the shop', async () => {
    const { page } = owner;
    const device = await newDevice(shop);
    // As it is of who was paired long ago, and has used the phone since: so long before the page asks.
    let at = '';
    await page.route(/\/mobile-app-users\?/, async (route) => {
      const answer = await route.fetch();
      const { data, meta } = await answer.json();
      at ||= new Date(Date.now() - 5 * 60_000).toISOString();
      const seen = data.map((user: object) => ({ ...user, last_login: at }));
      await route.fulfill({ response: answer, json: { data: seen, meta } });
    });
    await open('/till');
    const told = page.getByRole('row').locator('time');
    await told.getByText('5 minutes ago').waitFor();
    const when = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Pacific/Auckland',
    }).format(new Date(at));
    expect(await told.getAttribute('datetime')).toBe(at);
    expect(await told.getAttribute('title')).toBe(when);
    await page.unrouteAll();
    await open('/till');
    const row = page.getByRole('row').filter({ has: page.locator('time') });
    await row.getByText(JUST_NOW).waitFor();
    // Suspended though their phone was used since the list was asked for: that is no other person.
    await page.route(/\/mobile-app-users\?/, async (route) => {
      const answer = await route.fetch();
      const { data, meta } = await answer.json();
      const before = data.map((user: object) => ({ ...user, last_login: at }));
      await route.fulfill({ response: answer, json: { data: before, meta } });
    });
    await open('/till');
    await page.getByRole('button', { name: /^Suspend/ }).click();
    await page.getByRole('button', { name: /^Let back in/ }).waitFor();
    const user = await shop.laurel.staffUsers.get(device.userId);
    expect(user.status).toBe('suspended');
  });

  test('the team: when each was there last, and never of who never was', async () => {
    const { page } = owner;
    const { user } = await newMember(shop);
    await open('/settings?tab=team');
    const row = (email: string) => page.getByRole('row').filter({ hasText: email });
    await row(user.email).getByText('never').waitFor();
    await row(shop.owner.email).getByText(JUST_NOW).waitFor();
    await accessible();
  });
});
