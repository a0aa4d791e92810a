import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { describeInBrowser, newVisitor, openBrowser } from '../support/browser';
import { newOwnerAtDesk } from '../support/console';
import { newForm } from '../support/enrollment';
import { expectStatus } from '../support/factories';

/** An empty page of another site, on which a form is to stand. */
async function otherSite(): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { origin: `http://127.0.0.1:${port}`, close };
}

describeInBrowser('the sign-up page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('is dark for visitors who have it dark, and can be read in light and in the dark', async () => {
    const { id } = await newForm();
    const guest = await newVisitor(browser);
    const { page } = guest;
    await guest.visit(`/d/${id}`);
    await page.getByLabel('First name').waitFor();
    await guest.expectAccessible();
    /** How light what the form stands on is, from 0 to 255. */
    const lightness = (colorScheme: 'light' | 'dark') =>
      page.emulateMedia({ colorScheme }).then(async () => {
        const picture = await page.getByLabel('First name').screenshot();
        const { channels } = await sharp(picture).stats();
        return Math.max(...channels.slice(0, 3).map(({ mean }) => mean));
      });
    expect(await lightness('light')).toBeGreaterThan(200);
    expect(await lightness('dark')).toBeLessThan(80);
    expect(guest.complaints).toEqual([]);
    await guest.context.close();
  });

  test('speaks the visitor’s language, and another that they choose, with what they typed', async () => {
    const { id } = await newForm({
      form_fields_config: [
        { name: 'phone', label: 'Phone', type: 'phone', required: false },
        { name: 'last_name', label: 'Family', type: 'text', required: false },
      ],
    });
    const guest = await newVisitor(browser, { locale: 'pl-PL' });
    const { page } = guest;
    await guest.visit(`/d/${id}`);
    await page.getByLabel('Imię').fill('Bo');
    await page.getByLabel('Telefon').waitFor();
    await page.getByLabel('Family').waitFor();
    await page.getByLabel('Język').selectOption('fr');
    expect(await page.getByLabel('Prénom').inputValue()).toBe('Bo');
    expect(await page.getAttribute('html', 'lang')).toBe('fr');
    await guest.expectAccessible();
    await guest.visit(`/d/${id}`);
    await page.getByLabel('Prénom').waitFor();
    expect(guest.complaints).toEqual([]);
    await guest.context.close();
  });

  test('stands on a page of the shop by the code of the console, and nowhere else', async () => {
    const { workspace, id } = await newForm();
    const site = await otherSite();
    const owner = await newOwnerAtDesk(browser, workspace);
    const { page, click } = owner;
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const brand = { name: 'What customers call it' };
    expectStatus(await workspace.put(':ws/brand', brand), 200);
    await owner.visit(`/console/forms/${id}`);
    await page.frameLocator('iframe').getByLabel('First name').waitFor();
    // The poster says what the form behind its code says.
    await page.frameLocator('iframe').getByText(`Join ${brand.name}`).waitFor();
    await page.locator('.poster-name', { hasText: brand.name }).waitFor();
    await page.getByText('Name your pages').waitFor();
    // There is a token already, which the new one ends.
    page.on('dialog', (dialog) => void dialog.accept());
    await click(button('Make a new code'));
    const code = page.getByLabel('Code for your page');
    await code.waitFor();
    const snippet = await code.inputValue();

    const guest = await newVisitor(browser);
    const embed = async () => {
      await guest.page.goto(site.origin);
      await guest.page.setContent(`<h1>Shop</h1>${snippet}`);
    };
    await embed();
    await guest.page.getByText('This form cannot be used here').waitFor();

    // What stands in the bar of a browser is taken for the page that it is of.
    await page.getByLabel('Pages that may embed it').fill(`${site.origin}/join?x=1`);
    await click(button('Save'));
    await page.getByText('Everything is saved').waitFor();
    await embed();
    await guest.page.getByLabel('First name').waitFor();
    // Before axe, which styles the page in the frame: that refuses it.
    expect(owner.complaints).toEqual([]);
    await owner.expectAccessible();
    await guest.context.close();
    await owner.context.close();
    await site.close();
  });
});
