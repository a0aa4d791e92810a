import type { Browser } from 'playwright-core';
import { describeInBrowser, newVisitor, openBrowser } from '../support/browser';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  PASSWORD,
} from '../support/factories';

describeInBrowser('customers who bring friends', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('are switched on where a rule for them is made, and found by name', async () => {
    const shop = await newWorkspace();
    await newWalletType(shop, { code: 'beans', name: 'Beans', is_default: true });
    const made = async (path: string, body: object) =>
      (await shop.post(path, body)).body.data.id as string;
    const project_id = await made(':ws/projects', { name: 'Shop' });
    const pass_template_id = await made(':ws/pass-templates', { name: 'Card', project_id });
    const form = { project_id, pass_template_id, name: 'Counter', delivery_mode: 'page' };
    const distribution_id = await made(':ws/distributions', form);
    const { id } = await newClient(shop, { loyalty_program_enabled: true });
    expectStatus(await shop.get(':ws/referral-program'), 404);

    const owner = await newVisitor(browser, { viewport: { width: 1280, height: 800 } });
    const { page } = owner;
    await owner.visit('/console/rules/new?example=referral');
    await page.getByLabel('E-mail address').fill(shop.owner.email);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    // The rule by itself would wait for what cannot happen.
    await page.getByText('Customers cannot bring friends yet').waitFor();
    await owner.expectAccessible();
    await page.setViewportSize({ width: 1280, height: 800 });
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('link', { name: 'Switch it on' }).click();
    await page.getByRole('switch', { name: 'Customers may bring friends' }).check({ force: true });
    await page.getByLabel('Days until an invitation runs out').fill('0');
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await page.getByText('At least 1.').waitFor();
    await page.getByLabel('Days until an invitation runs out').fill('30');
    await save.dblclick();
    await page.getByText('Everything is saved.').waitFor();
    const { data } = expectStatus(await shop.get(':ws/referral-program'), 200).body;
    expect(data).toMatchObject({
      enabled: true,
      completion_criteria: 'first_transaction',
      distribution_id,
      pending_expiry_days: 30,
      max_referrals_per_referrer: null,
    });
    const theirs = expectStatus(await shop.get(`:ws/clients/${id}/referral`), 200).body.data;
    expect(theirs).toEqual(
      expect.objectContaining({
        code: expect.any(String),
        share_url: expect.stringMatching(/^http/),
      }),
    );
    await page.getByRole('link', { name: /^Make a rule/ }).click();
    await page.getByRole('heading', { name: 'When' }).waitFor();
    await page.getByText('Customers cannot bring friends yet').waitFor({ state: 'hidden' });

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').fill('friends');
    await page.getByRole('button', { name: /^Friends/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'Customers may bring friends' }).waitFor();
    expect(owner.complaints).toEqual([]);
    await owner.context.close();
  });
});
