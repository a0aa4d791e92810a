import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { describeInBrowser, newVisitor, openBrowser } from '../support/browser';
import { newWalletType } from '../support/factories';
import { newCustomer, newPortal } from '../support/portal';
import { unseenByKeyboard } from '../support/unseen';

describeInBrowser('a customer without a mouse', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('sees what the keyboard reaches in the portal, and stays at the switch that they turn', async () => {
    const shop = await newPortal();
    const { id } = await newWalletType(shop);
    for (const name of ['A coffee', 'A bun', 'A mug'])
      await shop.laurel.rewards.create({
        name,
        cost_in_points: 0,
        wallet_type_id: id,
        purchasable: true,
      });
    const { token } = await newCustomer(shop);
    const guest = await newVisitor(browser);
    await guest.context.addInitScript(
      `localStorage.setItem('laurel.portal.${shop.slug}', ${JSON.stringify(token)})`,
    );
    const { page } = guest;
    const unseen: string[] = [];
    for (const view of ['home', 'rewards', 'account']) {
      await guest.visit(`/portal/${shop.slug}#/${view}`);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      unseen.push(...(await unseenByKeyboard(page)));
    }
    expect(unseen).toEqual([]);
    const consent = page.getByRole('switch');
    await consent.focus();
    await page.keyboard.press('Space');
    await page.getByText('Saved').waitFor();
    const held = 'document.activeElement.getAttribute("role")';
    await until(async () => (await page.evaluate(held)) === 'switch');
    expect(guest.complaints).toEqual([]);
  });
});
