import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { describeInBrowser, newVisitor, openBrowser } from '../support/browser';
import { expectStatus, newWalletType, newWorkspace, PASSWORD } from '../support/factories';
import { newHolder } from '../support/mobile';

describeInBrowser('a purchase that is brought back', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('is refunded in the console, in parts, once, and never beyond what was paid', async () => {
    const shop = await newWorkspace();
    await newWalletType(shop, { code: 'beans', name: 'Beans', is_default: true });
    const rule = {
      name: 'One for each',
      trigger_type: 'transaction',
      active: true,
      effects: [
        {
          type: 'earn_points',
          wallet_type_code: 'beans',
          amount_type: 'expression',
          amount_expression: 'event.amount',
        },
      ],
    };
    expectStatus(await shop.post(':ws/automations', rule), 201);
    const { pass, client } = await newHolder(shop, { person: { first_name: 'Bo' } });
    const sale = { event_category: 'transaction', event_type: 'purchase', pass_id: pass.id };
    expectStatus(await shop.post('/events', { ...sale, amount: 20, currency: 'EUR' }), 200);
    const balance = async () =>
      (await shop.get(`:ws/clients/${client.id}/wallets`)).body.data[0].wallet.active_balance;
    await until(async () => (await balance()) === 20, { what: 'the points' });

    const owner = await newVisitor(browser, { viewport: { width: 1280, height: 800 } });
    const { page } = owner;
    await owner.visit(`/console/customers/${client.id}?tab=visits`);
    await page.getByLabel('E-mail address').fill(shop.owner.email);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const offer = page.getByRole('table').getByRole('button', { name: /^Refund/ });
    const sheet = page.getByRole('dialog', { name: 'Refund' });
    await offer.click();
    await sheet.getByText(/^The purchase of €20\.00/).waitFor();
    await owner.expectAccessible();
    await page.setViewportSize({ width: 1280, height: 800 });
    const amount = sheet.getByLabel('Amount');
    expect(await amount.inputValue()).toBe('20');
    await amount.fill('21');
    await sheet.getByText('At most 20.').waitFor();
    expect(await sheet.getByRole('button', { name: 'Refund' }).isDisabled()).toBe(true);
    await amount.fill('5');
    await sheet.getByRole('button', { name: 'Refund €5.00' }).dblclick();
    await sheet.waitFor({ state: 'detached' });
    await until(async () => (await balance()) === 15, { what: 'what the refund takes back' });

    await offer.click();
    await sheet.getByRole('button', { name: 'Refund €15.00' }).click();
    await sheet.waitFor({ state: 'detached' });
    await until(async () => (await balance()) === 0, { what: 'what the refund takes back' });
    await page.getByRole('link', { name: 'Statement' }).click();
    await page.getByRole('button', { name: /^Why/ }).last().click();
    // Which rule, for which purchase.
    await page.getByText(/^One for each · Purchase · €20\.00 · /).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Visits' }).click();
    await offer.click();
    await sheet.getByText('All of this purchase was refunded already.').waitFor();
    expect(owner.complaints).toEqual([]);
    await owner.context.close();
  });
});
