import { until } from '@laurel/testing';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, newVisitor, openBrowser, type Visitor } from '../support/browser';
import { uniqueEmail } from '../support/factories';
import { confirmationTo, tokenIn } from '../support/mails';

const DESK = { width: 1280, height: 900 };

/** What somebody does who has never seen Laurel, and has nothing but its pages and their mails. */
describeInBrowser('somebody who opens a shop', () => {
  let browser: Browser;
  let owner: Visitor;
  let staff: Visitor;
  const email = uniqueEmail('owner');
  const lisa = uniqueEmail('lisa');

  beforeAll(async () => {
    browser = await openBrowser();
    owner = await newVisitor(browser, { viewport: DESK });
    staff = await newVisitor(browser);
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    const said = [...owner.complaints, ...staff.complaints];
    // A browser says so of what it asks for without a network.
    expect(said.filter((one) => !one.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
  const go = async (name: string) => {
    await owner.page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await owner.page.getByRole('heading', { level: 1 }).waitFor();
  };
  const buy = async (digits: string) => {
    for (const digit of digits) await button(staff.page, new RegExp(`^${digit}$`)).click();
    await button(staff.page, /^Add .*\d\.\d\d/).click();
  };

  test('registers, confirms the address, and has a programme with a poster', async () => {
    const { page } = owner;
    await owner.visit('/register');
    await page.getByLabel('First name').fill('Olga');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('New password').fill('a long enough passphrase');
    await button(page, 'Create the account').click();
    await page.getByRole('heading', { name: 'What is your shop called?' }).waitFor();
    await owner.visit(`/verify-email?token=${tokenIn(await confirmationTo(email))}`);
    await button(page, 'Confirm my address').click();
    await page.getByText('your address is confirmed').waitFor();
    await button(page, 'Continue').click();
    await page.getByLabel('Name of the shop').fill('Bäckerei Grün');
    await button(page, 'Continue').click();
    await page.getByLabel('One is called').fill('Bean');
    await page.getByLabel('Several are called').fill('Beans');
    await button(page, 'Continue').click();
    await page.getByLabel('Reward', { exact: true }).fill('A free coffee');
    await page.getByLabel('Costs how many Beans?').fill('10');
    await button(page, 'Continue').click();
    await page.getByLabel('Colour').fill('#aa0011');
    await button(page, 'Make the card and the poster').click();
    await page.getByRole('img', { name: 'QR code of the sign-up form' }).waitFor();
    await page.getByRole('link', { name: 'Open the console' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });

  test('makes a rule, a card and a form of their own', async () => {
    const { page } = owner;
    await go('Rules');
    await button(page, 'New rule').click();
    await page.getByRole('link', { name: 'Double on quiet hours' }).click();
    await button(page, 'Save').click();
    await page.getByText('Everything is saved.').waitFor();
    await go('Cards');
    await button(page, 'New card').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Gold card');
    await button(page, 'Make the card').click();
    await page.getByRole('heading', { name: 'Gold card', level: 1 }).waitFor();
    await go('Cards');
    await page.getByRole('link', { name: 'Sign-up forms' }).click();
    await button(page, 'New form').click();
    await page.getByLabel('Name').fill('At the door');
    await page.getByLabel('Card that it gives out').selectOption({ label: 'Gold card' });
    await button(page, 'Make the form').click();
    await page.getByRole('heading', { name: 'At the door', level: 1 }).waitFor();
    await button(page, 'Print poster').waitFor();
  });

  test('makes a phone a till, signs a customer up there, and serves them with a network and without', async () => {
    const { page } = owner;
    await go('Till');
    await button(page, 'Add somebody').click();
    await page.getByLabel('First name').fill('Lisa');
    await page.getByLabel('E-mail or phone').fill(lisa);
    await button(page, 'Add, and pair a phone').click();
    const code = await page.getByText(/^\d{6}$/).textContent();
    const { page: till, context } = staff;
    await staff.visit('/till/');
    await till.getByLabel('Your e-mail address or phone number').fill(lisa);
    await till.getByLabel(/6 digits/).fill(code!);
    await button(till, 'Pair').click();
    await page.getByText('The phone is paired.').waitFor();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Close' }).last().click();
    await drawer.waitFor({ state: 'detached' });
    // What the phone can do was made with it.
    await page.getByRole('switch', { name: /Purchase/ }).waitFor();
    await till.locator('video').waitFor({ state: 'hidden' });
    await button(till, 'New customer').click();
    await till.getByLabel('First name').fill('Bo');
    await till.getByLabel('E-mail address').fill(uniqueEmail('bo'));
    await button(till, 'Sign up').click();
    await button(till, 'Serve this customer').click();
    await buy('1280');
    await till.getByRole('heading', { name: 'Done' }).waitFor();
    await till.getByText('+12.8').waitFor();

    await button(till, 'Next card').click();
    await till.getByLabel(/^Name, e-mail/).fill('Bo');
    await button(till, 'Find').click();
    await button(till, /^Bo/).click();
    await till.getByRole('heading', { name: 'Bo' }).waitFor();
    await context.setOffline(true);
    await buy('500');
    await till.getByRole('heading', { name: 'Kept' }).waitFor();
    await button(till, '1 waiting').waitFor();
    await context.setOffline(false);
    await button(till, '1 waiting').waitFor({ state: 'detached' });
  });

  test('corrects the balance of the customer, and reads what the week brought', async () => {
    const { page } = owner;
    await go('Customers');
    await page.getByRole('link', { name: 'Bo' }).click();
    const balance = page.getByRole('region', { name: 'Beans' });
    await until(
      async () => {
        if ((await balance.textContent())?.includes('17.8')) return true;
        // Rules pay for it later; the page asks no second time.
        await page.reload();
        return false;
      },
      { what: 'what was bought without a network' },
    );
    await button(page, 'Correct balance').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Amount').fill('2,2');
    await sheet.getByLabel('Reason').fill('Forgotten at the counter');
    await button(page, /^Book/).click();
    await balance.getByText('20', { exact: true }).waitFor();
    await go('Overview');
    await page.getByRole('region', { name: 'Owed today' }).getByText('20').waitFor();
    await page.getByRole('region', { name: 'New customers' }).getByText('1').waitFor();
    await page.getByRole('figure', { name: 'Customers' }).getByText('Figures').click();
    await page.getByRole('rowheader').first().waitFor();
  });
});
