import type { Browser } from 'playwright-core';
import { describeInBrowser, openBrowser, type Visitor } from '../support/browser';
import { newOwnerOfBeans } from '../support/console';
import { expectStatus, newClient, newWorkspace, type TestWorkspace } from '../support/factories';

/** What is wrong is said at its field, in words for people, and what was typed stays. */
describeInBrowser('what is typed wrongly in the console', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  let owner: Visitor;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
    owner = await newOwnerOfBeans(browser, shop);
  });
  afterEach(() => expect(owner.complaints.splice(0)).toEqual([]));
  afterAll(() => browser?.close());

  const open = (address: string) => owner.page.goto(`/console${address}`);
  const button = (name: string) => owner.page.getByRole('button', { name, exact: true });
  const ADDRESS = 'A web address such as https://example.com.';

  test('is called a web address where the platform speaks to programs of schemes', async () => {
    const { page } = owner;
    await open('/settings?tab=brand');
    const notice = page.getByLabel('Address of your privacy notice');
    await notice.fill('shop.example/privacy');
    await button('Save').click();
    await page.getByText(ADDRESS).waitFor();
    expect(await notice.inputValue()).toBe('shop.example/privacy');
    await button('Take changes back').click();

    await open('/connections');
    await button('New webhook').click();
    const sheet = page.getByRole('dialog', { name: 'New webhook' });
    await sheet.getByLabel('Address').fill('shop.example');
    await sheet.getByLabel('transaction.purchase').check();
    await sheet.getByRole('button', { name: 'Add' }).click();
    await sheet.getByText(ADDRESS).waitFor();
    await sheet.getByText(/must be/).waitFor({ state: 'hidden' });
  });

  test('is named among many codes, none of which is lost', async () => {
    const { page } = owner;
    const made = await shop.post(':ws/rewards', { name: 'A bun', cost_in_points: 10 });
    await open(`/rewards/${made.body.data.id}?tab=codes`);
    await button('Import codes').click();
    const sheet = page.getByRole('dialog', { name: 'Import codes' });
    const codes = sheet.getByLabel('One code on each line');
    await codes.fill('BUN-1\n\nBUN 2\nB3\nBUN-4');
    await sheet.getByRole('button', { name: 'Import codes (4)' }).click();
    await sheet.getByText('no spaces. Not: BUN 2, B3').waitFor();
    expect(await codes.inputValue()).toContain('BUN-4');
  });

  test('is no way to reach somebody at the till: a code for a phone needs an address or a number', async () => {
    const { page } = owner;
    await open('/till');
    await button('Add somebody').first().click();
    const sheet = page.getByRole('dialog', { name: 'Add somebody' });
    await sheet.getByLabel('First name').fill('Kim');
    const contact = sheet.getByLabel('E-mail or phone');
    await contact.fill('kim');
    await sheet.getByRole('button', { name: 'Add, and pair a phone' }).click();
    await sheet.getByText(/^An e-mail address such as .* phone number/).waitFor();
    const users = await shop.get(':ws/mobile-app-users');
    expect(expectStatus(users, 200).body.data).toEqual([]);
    await contact.fill('+49 (30) 123-456');
    await sheet.getByRole('button', { name: 'Add, and pair a phone' }).click();
    await page.getByRole('dialog', { name: 'A phone for Kim' }).waitFor();
  });

  test('is counted for nothing: a segment tells no number while one of its values is none', async () => {
    const { page } = owner;
    await newClient(shop, { loyalty_program_enabled: true });
    await open('/segments/new');
    const value = page.getByLabel(/^Value/);
    const people = page.getByRole('complementary');
    await value.fill('abc');
    await people.getByText('One of the values cannot be read').waitFor();
    await people.getByText(/\d customer/).waitFor({ state: 'hidden' });
    await value.fill('60');
    await people.getByText(/\d customer/).waitFor();
  });
});
