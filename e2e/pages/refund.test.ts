import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { describeInBrowser, newVisitor, openBrowser } from '../support/browser';
import { complaintsOfMore, newOwnerOfBeans } from '../support/console';
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

  test('is offered in the console as far as the platform knows it is not back yet, and what came too late for it is said', async () => {
    const shop = await newWorkspace();
    const owner = await newOwnerOfBeans(browser, shop);
    const { page } = owner;
    const { pass, client } = await newHolder(shop, { person: { first_name: 'Bo' } });
    const tell = async (event_type: string, amount: number, more: object) => {
      const event = { pass_id: pass.id, event_category: 'transaction', event_type, amount };
      const told = await shop.post('/events', { ...event, currency: 'EUR', ...more });
      return expectStatus(told, 200).body.data;
    };
    const sell = (order_id: string) =>
      tell('purchase', 30, { external_id: `R-${order_id}`, metadata: { order_id } });
    const giveBack = (amount: number, original_external_id: string) =>
      tell('refund', amount, { original_external_id });
    const sheet = page.getByRole('dialog', { name: 'Refund' });
    const open = async () => {
      await page.goto(`/console/customers/${client.id}?tab=visits`);
      // Newest first.
      await page
        .getByRole('table')
        .getByRole('button', { name: /^Refund/ })
        .first()
        .click();
    };

    await sell('O-1');
    expect(await giveBack(30, 'O-1')).toMatchObject({ refund_link: 'linked' });
    await open();
    await sheet.getByText('All of this purchase was refunded already.').waitFor();

    await sell('O-2');
    expect(await giveBack(300, 'R-O-2')).toMatchObject({ refund_link: 'exceeds' });
    await open();
    expect(await sheet.getByLabel('Amount').inputValue()).toBe('30');
    // Another till is quicker.
    expect(await giveBack(20, 'O-2')).toMatchObject({ refund_link: 'linked' });
    await sheet.getByRole('button', { name: 'Refund €30.00' }).click();
    await sheet
      .getByRole('alert')
      .getByText(/it is of more than was left of this purchase/)
      .waitFor();
    expect(await page.getByText('Refunded.').count()).toBe(0);
    await owner.expectAccessible();

    // Where rules cannot be asked: what was not linked gave nothing back of it.
    await page.route(/automations\/simulate/, (route) => route.abort());
    await sell('O-3');
    expect(await giveBack(300, 'R-O-3')).toMatchObject({ refund_link: 'exceeds' });
    expect(await giveBack(10, 'R-O-3')).toMatchObject({ refund_link: 'linked' });
    await open();
    expect(await sheet.getByLabel('Amount').inputValue()).toBe('20');
    await sheet.getByRole('button', { name: 'Refund €20.00' }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.getByText('Refunded.').waitFor();
    expect(complaintsOfMore(owner)).toEqual([]);
    await owner.context.close();
  });
});
