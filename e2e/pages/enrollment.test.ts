import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { describeInBrowser, newVisitor, openBrowser } from '../support/browser';
import { newForm } from '../support/enrollment';

describeInBrowser('the sign-up page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('is dark for whoever has it dark, and can be read in light and in the dark', async () => {
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
});
