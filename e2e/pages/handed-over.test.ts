import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { describeInBrowser, newVisitor, openBrowser } from '../support/browser';
import { expectStatus, newWalletType, uniqueEmail } from '../support/factories';
import { newApp, newHolder } from '../support/mobile';
import { newCustomer, newPortal } from '../support/portal';

describeInBrowser('what is redeemed in the portal', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('shows when that was and a code by which the till finds it, and is ready no longer once it is handed over', async () => {
    const shop = await newPortal();
    await newApp(shop);
    const { id: wallet_type_id } = await newWalletType(shop, { code: 'points' });
    const biscuit = { name: 'A biscuit', cost_in_points: 0, wallet_type_id, purchasable: true };
    expectStatus(await shop.post(':ws/rewards', biscuit), 200);
    const customer = await newCustomer(shop, { first_name: 'Frieda' });
    const { pass } = await newHolder(shop, { clientId: customer.id });
    const guest = await newVisitor(browser);
    const session = JSON.stringify([`laurel.portal.${shop.slug}`, customer.token]);
    await guest.context.addInitScript(`localStorage.setItem(...${session})`);
    await guest.visit(`/portal/${shop.slug}#/rewards`);
    await guest.click(guest.page.getByRole('button', { name: 'Redeem A biscuit' }));
    await guest.click(guest.page.getByRole('button', { name: 'Yes, redeem' }));
    const dialog = guest.page.getByRole('dialog');
    await dialog.getByText(/^Redeemed on .*\d:\d\d/).waitFor();
    const code = (await dialog.locator('.coupon-code').textContent())!;
    expect(code).toBe(pass.barcode_value);
    await guest.expectAccessible();
    // Later, from the list, too.
    await guest.click(dialog.getByRole('button', { name: 'Close' }).last());
    await guest.page.goto(`/portal/${shop.slug}#/history`);
    await guest.click(guest.page.getByRole('button', { name: 'Show code of A biscuit' }));
    await dialog.getByRole('img', { name: `QR code of your card ${code}` }).waitFor();
    await guest.expectAccessible();

    const email = uniqueEmail('staff');
    const { id } = expectStatus(await shop.post(':ws/mobile-app-users', { email }), 201).body.data;
    const path = `:ws/mobile-app-users/${id}/send-pairing-code`;
    const sent = expectStatus(await shop.post(path, { delivery_method: 'none' }), 200).body;
    const staff = await newVisitor(browser);
    await staff.visit(`/till/#pair=${encodeURIComponent(email)}:${sent.code}`);
    await staff.page.getByLabel(/^Name, e-mail/).fill(code);
    await staff.click(staff.page.getByRole('button', { name: 'Find' }));
    await staff.click(staff.page.getByRole('button', { name: '1 to hand over' }));
    await staff.click(staff.page.getByRole('button', { name: 'Hand over', exact: true }));
    await staff.page.getByText('Handed over.').waitFor();

    // The page was left open: what is good no longer is not shown once more.
    await guest.click(dialog.getByRole('button', { name: 'Close' }).last());
    await guest.page.getByText('Used on').waitFor();
    const showCode = guest.page.getByRole('button', { name: /^Show code/ });
    await showCode.waitFor({ state: 'hidden' });
    // The keyboard goes on there, and not at the top of the document.
    const at = () => guest.page.evaluate('document.activeElement.textContent');
    await until(async () => (await at()) === 'A biscuit');

    // What the till redeems for them is in their hands by then: the portal does not send them to the counter again.
    await staff.click(staff.page.getByRole('button', { name: /A biscuit/ }));
    await staff.click(staff.page.getByRole('button', { name: 'Redeem for 0' }));
    await staff.page.getByRole('heading', { name: 'Done' }).waitFor();
    await guest.page.reload();
    await guest.page.getByText('Used', { exact: true }).nth(1).waitFor();
    await showCode.waitFor({ state: 'hidden' });
    expect([...guest.complaints, ...staff.complaints]).toEqual([]);
    await guest.context.close();
    await staff.context.close();
  });
});
