import { until } from '@laurel/testing';
import type { Browser } from 'playwright-core';
import { describeInBrowser, newVisitor, openBrowser, type Visitor } from '../support/browser';
import {
  expectStatus,
  newWalletType,
  newWorkspace,
  PASSWORD,
  type TestWorkspace,
  uniqueEmail,
} from '../support/factories';
import { newApp, newHolder } from '../support/mobile';

const DESK = { width: 1280, height: 800 };

/** Some people click everything twice. */
describeInBrowser('the second click of two', () => {
  let browser: Browser;
  let shop: TestWorkspace;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([openBrowser(), newWorkspace()]);
  });
  afterAll(() => browser?.close());

  /** At the door of the console, for somebody who is not signed in. */
  async function atTheDoor(): Promise<Visitor> {
    const owner = await newVisitor(browser, { viewport: DESK });
    await owner.visit('/console/customers');
    await owner.page.getByLabel('E-mail address').fill(shop.owner.email);
    return owner;
  }
  /** A phone that is a till. */
  async function paired(): Promise<Visitor> {
    const email = uniqueEmail('staff');
    const users = ':ws/mobile-app-users';
    const { id } = expectStatus(await shop.post(users, { email }), 201).body.data;
    const path = `${users}/${id}/send-pairing-code`;
    const { code } = expectStatus(await shop.post(path, { delivery_method: 'none' }), 200).body;
    const staff = await newVisitor(browser);
    await staff.visit(`/till/#pair=${encodeURIComponent(email)}:${code}`);
    await staff.page.getByRole('button', { name: 'New customer' }).waitFor();
    return staff;
  }

  test('on “Sign in” after a wrong password falls on nothing that a vanished message moved there', async () => {
    const { page, context } = await atTheDoor();
    const password = page.locator('input[type=password]');
    await password.fill('not the password');
    const enter = page.getByRole('button', { name: 'Sign in' });
    await enter.click();
    await page.getByText('the password is wrong').waitFor();
    await password.fill(PASSWORD);
    await enter.dblclick();
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    expect(page.url()).toContain('/console/customers');
    await context.close();
  });

  test('on what opens a sheet leaves it open, and a click beside it loses nothing that is typed there', async () => {
    const { page, context } = await atTheDoor();
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    await page.goto('/console/campaigns');
    const sheet = page.getByRole('dialog', { name: 'New campaign' });
    const name = sheet.getByLabel('Name');
    // The last of them lies where the sheet leaves the page free.
    await page.getByRole('button', { name: 'New campaign' }).last().dblclick();
    await name.waitFor();
    // What is typed at once goes into the first field.
    const isInField = () => page.evaluate('document.activeElement.matches("[role=dialog] input")');
    await until(async () => (await isInField()) === true, { what: 'the focus in the field' });
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Bo');
    expect(await name.inputValue()).toBe('Bo');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (asked.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    // A click that comes at once is none to it.
    const beside = async () => {
      await page.mouse.click(300, 600);
      return asked.length > 0;
    };
    await until(beside, { what: 'the question' });
    expect(await name.inputValue()).toBe('Bo');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(asked).toEqual(['Leave without saving?', 'Leave without saving?']);
    await context.close();
  });

  test('at the till answers no question that the first one asked, and leaves no form that is being sent', async () => {
    await newWalletType(shop, { code: 'beans', name: 'Beans', is_default: true });
    await newApp(shop);
    const holder = await newHolder(shop, { person: { first_name: 'Frieda' } });
    const { page, context } = await paired();
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByLabel('First name').fill('Bo');
    await page.getByLabel('E-mail address').fill('bo@mail');
    const signUp = page.getByRole('button', { name: 'Sign up' });
    await signUp.click();
    await page.getByText('An e-mail address such as ada@example.com.').waitFor();
    await page.getByLabel('E-mail address').fill(uniqueEmail('bo'));
    await signUp.dblclick();
    await page.getByRole('heading', { name: 'Welcome, Bo' }).waitFor();
    await page.getByRole('button', { name: 'Serve this customer' }).click();
    await page.getByRole('button', { name: 'Back' }).click();

    await page.getByLabel(/^Name, e-mail/).fill(holder.pass.barcode_value);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('button', { name: '7', exact: true }).click();
    await page.getByRole('button', { name: /^Add 7/ }).dblclick();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).dblclick();
    await page.getByRole('button', { name: 'No, leave it' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    const wallets = await shop.get(`:ws/clients/${holder.client.id}/wallets`);
    expect(expectStatus(wallets, 200).body.data[0].wallet.active_balance).toBe(7);
    await context.close();
  });
});
