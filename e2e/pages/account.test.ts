import type { Browser } from 'playwright-core';
import { describeInBrowser, newVisitor, openBrowser, type Visitor } from '../support/browser';
import { expectStatus, newWorkspace, uniqueEmail } from '../support/factories';
import { confirmationTo, mailTo, tokenIn } from '../support/mails';

const PASSWORD = 'a long enough passphrase';
/** From the mailed link to the printed poster (the figure). */
const CLICKS_MAX = 14;
/** From the sign-in page to a new password. */
const RESET_CLICKS_MAX = 3;

describeInBrowser('the account pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  async function register(visitor: Visitor, email: string): Promise<void> {
    const { page } = visitor;
    await visitor.visit('/register');
    await page.getByLabel('First name').fill('Olga');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('New password').fill(PASSWORD);
    await visitor.click(page.getByRole('button', { name: 'Create the account' }));
    await page.getByRole('heading', { name: 'What is your shop called?' }).waitFor();
  }

  test.each([
    ['open', 1],
    ['closed', 0],
    ['invited', 0],
  ])(
    'the console has a link to an account by whether registration is open: %s, %d',
    async (registration, links) => {
      const { page, visit, context } = await newVisitor(browser);
      const data = { registration, sso: [], bootstrap_pending: false };
      await page.route('**/auth/options', (route) => route.fulfill({ json: { data } }));
      const answered = page.waitForResponse('**/auth/options');
      await visit('/console');
      await answered;
      const register = page.getByRole('link', { name: 'Create an account' });
      if (links > 0) await register.waitFor();
      await page.getByRole('link', { name: 'Forgot your password?' }).waitFor();
      expect(await register.count()).toBe(links);
      await context.close();
    },
  );

  test('take an owner from the mailed link to a poster in few clicks, and on from where they left', async () => {
    const owner = await newVisitor(browser);
    const { page } = owner;
    const next = () => owner.click(page.getByRole('button', { name: 'Continue' }));
    const email = uniqueEmail('owner');
    await register(owner, email);
    await owner.expectAccessible();
    await page.getByLabel('Name of the shop').fill('Bäckerei Grün');
    await next();
    await page.getByLabel('One is called').fill('Bean');
    await page.getByLabel('Several are called').fill('Beans');
    await next();
    await page.getByLabel('Reward', { exact: true }).waitFor();

    // Closed half-way, opened again: the session is still there, and what was done is not asked again.
    await owner.visit('/welcome');
    await page.getByLabel('Reward', { exact: true }).fill('A free coffee');
    await page.getByLabel('Costs how many Beans?').fill('10');
    await next();
    await page.getByLabel('Colour').fill('#aa0011');
    await owner.click(page.getByRole('button', { name: 'Make the card and the poster' }));
    await page.getByRole('img', { name: 'QR code of the sign-up form' }).waitFor();
    await owner.expectAccessible();
    expect(owner.clicks + 1).toBeLessThanOrEqual(CLICKS_MAX);
    const form = await page.getByRole('link', { name: 'Open the form' }).getAttribute('href');
    await owner.visit(new URL(form!).pathname);
    await page.getByLabel('First name').waitFor();
    expect(owner.complaints).toEqual([]);
    await owner.context.close();
  });

  test('lead back to an earlier step of the first run, which is put right, and lose nothing that is typed', async () => {
    const owner = await newVisitor(browser);
    const { page, click } = owner;
    const next = () => click(page.getByRole('button', { name: 'Continue' }));
    const back = (step: string) => click(page.getByRole('button', { name: `Back to “${step}”` }));
    await register(owner, uniqueEmail('owner'));
    await page.getByLabel('Name of the shop').fill('Bean & Leaf');
    await page.getByLabel('Money').selectOption('PLN');
    await next();
    await page.getByLabel(/^How many for each PLN.1\.00 spent/).fill('2,5');
    await back('Shop');
    await page.getByLabel('Name of the shop').fill('Bean & Tea');
    await owner.expectAccessible();
    await next();
    await page.getByRole('heading', { name: 'What do customers collect?' }).waitFor();
    expect(await page.getByLabel(/^How many/).inputValue()).toBe('2,5');
    await next();
    await page.getByRole('heading', { name: 'What can they get for it?' }).waitFor();
    await page.getByLabel('Reward', { exact: true }).fill('A free tea');
    await back('Points');
    await page.getByLabel('Several are called').fill('leaves');
    await next();
    await page.getByRole('heading', { name: 'What can they get for it?' }).waitFor();
    // What was typed before the points had another name is there, asked for in that name.
    expect(await page.getByLabel('Reward', { exact: true }).inputValue()).toBe('A free tea');
    await page.getByLabel('Costs how many leaves?').waitFor();
    await next();
    await page.getByRole('heading', { name: 'What colour are you?' }).waitFor();
    // After a reload, too, the steps know what there is.
    await owner.visit('/welcome');
    await back('Reward');
    expect(await page.getByLabel('Reward', { exact: true }).inputValue()).toBe('A free tea');
    await back('Points');
    expect(await page.getByLabel(/^How many/).inputValue()).toBe('2.5');
    await back('Shop');
    expect(await page.getByLabel('Name of the shop').inputValue()).toBe('Bean & Tea');
    expect(await page.getByLabel('Money').inputValue()).toBe('PLN');
    // The rule is called by what the points are called now, as a name begins.
    await owner.visit('/console/rules');
    await page.getByRole('link', { name: 'Leaves for purchases' }).waitFor();
    expect(owner.complaints).toEqual([]);
    await owner.context.close();
  });

  test('confirm an address behind the mailed link by one button, and once', async () => {
    const email = uniqueEmail('owner');
    const owner = await newVisitor(browser);
    await register(owner, email);
    const token = tokenIn(await confirmationTo(email));
    // Elsewhere, as somebody who reads mails on another device.
    const reader = await newVisitor(browser);
    const { page } = reader;
    await reader.visit(`/verify-email?token=${token}`);
    const confirm = page.getByRole('button', { name: 'Confirm my address' });
    await confirm.waitFor();
    expect(page.url()).not.toContain(token);
    // Loaded again before anything was done, it still knows what it was opened for.
    await page.reload();
    await reader.expectAccessible();
    await reader.click(confirm);
    await page.getByText('your address is confirmed').waitFor();
    expect(reader.clicks).toBe(1);
    await reader.visit(`/verify-email?token=${token}`);
    await reader.click(confirm);
    await page.getByRole('alert').waitFor();
    // The page that asked for it asks no more once its owner comes back, and has lost nothing.
    await owner.page.getByLabel('Name of the shop').fill('Bean & Leaf');
    await owner.page.getByText('Please confirm your address').waitFor();
    await owner.page.evaluate('window.dispatchEvent(new Event("focus"))');
    await owner.page.getByText('Please confirm your address').waitFor({ state: 'detached' });
    expect(await owner.page.getByLabel('Name of the shop').inputValue()).toBe('Bean & Leaf');
    expect([...owner.complaints, ...reader.complaints]).toEqual([]);
    await Promise.all([owner.context.close(), reader.context.close()]);
  });

  test('give a forgotten password back by mail, and sign in with it in five languages', async () => {
    const email = uniqueEmail('owner');
    const first = await newVisitor(browser);
    await register(first, email);
    await first.context.close();
    const owner = await newVisitor(browser, { locale: 'de-DE' });
    const { page } = owner;
    await owner.visit('/sign-in');
    await owner.click(page.getByRole('link', { name: 'Passwort vergessen?' }));
    await page.getByLabel('E-Mail-Adresse').fill(email);
    await owner.click(page.getByRole('button', { name: 'Link schicken' }));
    await page.getByText('ist ein Link unterwegs').waitFor();
    const token = tokenIn(await mailTo(email));
    await owner.visit(`/reset-password?token=${token}`);
    await page.getByLabel('Neues Passwort').fill('1234567890');
    await owner.click(page.getByRole('button', { name: 'Passwort speichern' }));
    await page.getByText('gehört zu den häufigsten').waitFor();
    await owner.expectAccessible();
    await page.getByLabel('Neues Passwort').fill(`${PASSWORD} too`);
    await owner.click(page.getByRole('button', { name: 'Passwort speichern' }));
    await page.getByRole('link', { name: 'Anmelden' }).waitFor();
    // One of them was refused.
    expect(owner.clicks - 1).toBeLessThanOrEqual(RESET_CLICKS_MAX);
    await owner.click(page.getByRole('link', { name: 'Anmelden' }));
    await page.getByLabel('E-Mail-Adresse').fill(email);
    await page.getByLabel('Passwort', { exact: true }).fill(`${PASSWORD} too`);
    await owner.click(page.getByRole('button', { name: 'Anmelden' }));
    await page.getByRole('heading', { name: 'Wie heißt Ihr Laden?' }).waitFor();
    expect(owner.complaints).toEqual([]);
    await owner.context.close();
    for (const [locale, heading] of [
      ['fr-FR', 'Se connecter'],
      ['es-ES', 'Iniciar sesión'],
      ['pl-PL', 'Logowanie'],
    ] as const) {
      const other = await newVisitor(browser, { locale });
      await other.visit('/sign-in');
      await other.page.getByRole('heading', { name: heading }).waitFor();
      expect(await other.page.locator('html').getAttribute('lang')).toBe(locale);
      await other.context.close();
    }
  });

  test('let an invited newcomer in, and tell somebody else whom the invitation is for', async () => {
    const workspace = await newWorkspace();
    const email = uniqueEmail('invited');
    const body = { email, workspace_id: workspace.workspaceId, role: 'member' };
    expectStatus(await workspace.post('/invite', body), 200);
    const token = tokenIn(await mailTo(email));

    const other = await newVisitor(browser);
    await register(other, uniqueEmail('other'));
    await other.visit(`/invitation?token=${token}`);
    await other.page.getByText(`The invitation is for ${email}`).waitFor();
    await other.context.close();

    const guest = await newVisitor(browser);
    const { page } = guest;
    await guest.visit(`/invitation?token=${token}`);
    await page.getByLabel('New password').fill(PASSWORD);
    expect(page.url()).not.toContain(token);
    await guest.expectAccessible();
    await guest.click(page.getByRole('button', { name: 'Create the account' }));
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Invitation' }).waitFor();
    expect(guest.clicks).toBe(1);
    await guest.visit(`/invitation?token=${token}`);
    await page.getByText('This invitation was used').waitFor();
    expect(guest.complaints).toEqual([]);
    await guest.context.close();
  });

  test('keep a session over a reload, in two tabs, until one of them signs out', async () => {
    const owner = await newVisitor(browser);
    await register(owner, uniqueEmail('owner'));
    const second = await owner.context.newPage();
    await Promise.all([owner.page.reload(), second.goto('/welcome')]);
    const heading = { name: 'What is your shop called?' };
    await owner.page.getByRole('heading', heading).waitFor();
    await second.getByRole('heading', heading).waitFor();
    await second.getByRole('button', { name: 'Sign out' }).click();
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
    await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await owner.context.cookies()).toEqual([]);
    await owner.context.close();
  });
});
