import type { Browser } from 'playwright-core';
import { describeInBrowser, newVisitor, openBrowser } from '../support/browser';
import { newWalletType } from '../support/factories';
import { newCustomer, newPortal } from '../support/portal';

describeInBrowser('a customer who is elsewhere', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('reads the days of the shop, and of when figures are that cannot be had anew', async () => {
    const shop = await newPortal();
    await shop.laurel.workspaces.updateSettings({ timezone: 'America/New_York' });
    const { id } = await newWalletType(shop);
    await shop.laurel.rewards.create({
      name: 'A coffee',
      cost_in_points: 0,
      wallet_type_id: id,
      purchasable: true,
      // As the console writes "until 31 May".
      availability_end: '2099-06-01T03:59:59.999Z',
    });
    const { token } = await newCustomer(shop);
    const guest = await newVisitor(browser, { timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
    await guest.context.addInitScript(
      `localStorage.setItem('laurel.portal.${shop.slug}', ${JSON.stringify(token)})`,
    );
    const { page } = guest;
    await guest.visit(`/portal/${shop.slug}`);
    await page.getByRole('button', { name: 'Details of A coffee' }).click();
    await page.getByText(/Available until (31 May|May 31,) 2099/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();

    const now = Date.now();
    await guest.context.setOffline(true);
    await page.clock.setFixedTime(now + 60_000);
    await page.evaluate("location.hash = '#/rewards'");
    const stale = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await stale.waitFor();
    await page.getByText('A coffee').first().waitFor();
    await guest.expectAccessible();
    await guest.context.setOffline(false);
    await stale.getByRole('button', { name: 'Try again' }).click();
    await stale.waitFor({ state: 'detached' });
    expect(guest.complaints.filter((said) => !said.includes('net::ERR'))).toEqual([]);
  });
});
