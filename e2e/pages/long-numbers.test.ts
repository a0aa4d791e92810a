import type { Browser, Page } from 'playwright-core';
import { DESK, describeInBrowser, newVisitor, openBrowser } from '../support/browser';
import { expectStatus, newWalletType, PASSWORD, uniqueEmail } from '../support/factories';
import { newApp, newHolder } from '../support/mobile';
import { newCustomer, newPortal } from '../support/portal';

const BALANCE = 99_999_999_999.1234;
const WRITTEN = '99,999,999,999.1234';
const WHOLE = { lines: 1, isInside: true };

/** How many lines a text takes, and whether it ends within the box that it stands in. */
const SEEN = `(shown, around) => {
  const range = document.createRange();
  range.selectNodeContents(shown);
  const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
  const { right } = shown.closest(around).getBoundingClientRect();
  return { lines: lines.size, isInside: range.getBoundingClientRect().right <= right };
}`;
/** How many lines the words of each link of the navigation take. */
const LINES = `[...document.querySelectorAll('.navigation a')].map(({ lastChild }) => {
  const range = document.createRange();
  range.selectNodeContents(lastChild);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
})`;
async function seen(page: Page, shown: string, { text, box }: { text: string; box: string }) {
  await page.locator(shown, { hasText: text }).first().waitFor();
  return page.evaluate(`(${SEEN})(document.querySelector('${shown}'), '${box}')`);
}

describeInBrowser('a number that is as long as numbers get', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test.each([
    ['fr', 'Récompenses', undefined],
    ['de', 'Umsätze', DESK],
  ])('leaves the words of the portal’s navigation whole in %s', async (code, word, viewport) => {
    const shop = await newPortal();
    const customer = await newCustomer(shop);
    const guest = await newVisitor(browser, viewport ? { viewport } : {});
    const kept = { [`laurel.portal.${shop.slug}`]: customer.token, 'laurel.language': code };
    await guest.context.addInitScript(`Object.assign(localStorage, ${JSON.stringify(kept)})`);
    await guest.visit(`/portal/${shop.slug}`);
    await guest.page.locator('.navigation').getByText(word, { exact: true }).waitFor();
    expect(await guest.page.evaluate(LINES)).toEqual([1, 1, 1, 1, 1]);
    await guest.context.close();
  });

  test('is whole on a phone, in the portal, at the till and in the console', async () => {
    const shop = await newPortal();
    const units = { unit_singular_name: 'Golden Bean', unit_plural_name: 'Golden Beans' };
    await newWalletType(shop, { code: 'beans', name: 'Beans', ...units, is_default: true });
    await newApp(shop);
    const customer = await newCustomer(shop, { first_name: 'Wolf'.repeat(40) });
    const { pass } = await newHolder(shop, { clientId: customer.id });
    const earning = { client_id: customer.id, amount: BALANCE };
    expectStatus(await shop.post(':ws/loyalty/points/earn', earning), 201);

    const guest = await newVisitor(browser);
    const session = JSON.stringify([`laurel.portal.${shop.slug}`, customer.token]);
    await guest.context.addInitScript(`localStorage.setItem(...${session})`);
    await guest.visit(`/portal/${shop.slug}`);
    const balance = { text: WRITTEN, box: '.balance' };
    expect(await seen(guest.page, '.balance-number', balance)).toEqual(WHOLE);
    const greeting = { text: 'Wolf', box: 'body' };
    expect(await seen(guest.page, 'h1', greeting)).toMatchObject({ isInside: true });

    const email = uniqueEmail('staff');
    const { id } = await shop.laurel.staffUsers.create({ email });
    const { code } = await shop.laurel.staffUsers.sendPairingCode(id, { delivery_method: 'none' });
    const staff = await newVisitor(browser);
    await staff.visit(`/till/#pair=${encodeURIComponent(email)}:${code}`);
    await staff.page.getByLabel(/^Name, e-mail/).fill(pass.barcode_value);
    await staff.click(staff.page.getByRole('button', { name: 'Find' }));
    for (const digit of '123456789')
      await staff.click(staff.page.getByRole('button', { name: digit, exact: true }));
    const amount = { text: '123,456,789', box: 'main' };
    expect(await seen(staff.page, '.amount', amount)).toEqual(WHOLE);

    const owner = await newVisitor(browser);
    await owner.visit(`/console/customers/${customer.id}`);
    await owner.page.getByLabel('E-mail address').fill(shop.owner.email);
    await owner.page.locator('input[type=password]').fill(PASSWORD);
    await owner.click(owner.page.getByRole('button', { name: 'Sign in' }));
    const figure = { text: WRITTEN, box: '.figure' };
    expect(await seen(owner.page, '.figure b', figure)).toEqual(WHOLE);
    expect([...guest.complaints, ...staff.complaints, ...owner.complaints]).toEqual([]);
    for (const { context } of [guest, staff, owner]) await context.close();
  });
});
