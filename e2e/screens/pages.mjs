// What is photographed, and how one gets there.
import { newestMail } from './mails.mjs';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('./shop.mjs').Shop & { code: string }} Shop
 * @typedef {'nobody' | 'owner' | 'newcomer' | 'staff' | 'member'} Person
 * @typedef {{ name: string, as: Person, arrive: (page: Page, shop: Shop) => Promise<void> }} Pictured
 */

/** The first of those who were let in; see shop.mjs. */
const MEMBER = 'person-0@example.com';

/** Lets somebody in where their pages need it. @param {Page} page @param {Person} as @param {Shop} shop */
export async function signIn(page, as, shop) {
  if (as === 'owner') {
    await page.goto('/console');
    await page.locator('input[type=email]').fill(shop.email);
    await page.locator('input[type=password]').fill(shop.password);
    await page.locator('button[type=submit]').click();
    await page.locator('.side').waitFor({ state: 'attached' });
  }
  if (as === 'member') {
    await page.goto(`/portal/${shop.slug}`);
    await page.locator('input[type=email]').fill(MEMBER);
    const asked = Date.now();
    await page.locator('button[type=submit]').click();
    const { text } = await newestMail(MEMBER, /\b\d{6}\b/, asked);
    await page.locator('input[autocomplete=one-time-code]').fill(String(/\b\d{6}\b/.exec(text)));
    await page.locator('button[type=submit]').click();
    await page.locator('nav').first().waitFor();
  }
  if (as === 'staff') {
    await page.goto(`/till/#pair=${encodeURIComponent(shop.staff.email)}:${shop.code}`);
    await page.locator('input[name=wanted]').waitFor();
  }
}

/** @param {Page} page */
async function settle(page) {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/** @param {string} name @param {Person} as @param {string | ((shop: Shop) => string)} address @returns {Pictured} */
const at = (name, as, address) => ({
  name,
  as,
  async arrive(page, shop) {
    await page.context().setOffline(false);
    await page.goto(typeof address === 'string' ? address : address(shop));
    await settle(page);
  },
});

/** The same, and something done there. @param {Pictured} before @param {string} name @param {(page: Page, shop: Shop) => Promise<void>} act @returns {Pictured} */
const then = (before, name, act) => ({
  name,
  as: before.as,
  async arrive(page, shop) {
    await before.arrive(page, shop);
    await act(page, shop);
    await settle(page);
  },
});

/** @param {string} rest */
const consoleAt = (rest, name = rest) => at(`console${name}`, 'owner', `/console${rest}`);
/** @param {string} place @param {string} id */
const one = (place, id, more = '', name = '') =>
  at(`console/${place}/one${name}`, 'owner', ({ ids }) => `/console/${place}/${ids[id]}${more}`);

const till = at('till/scan', 'staff', '/till/');
const atCustomer = then(till, 'till/customer', async (page, { barcode }) => {
  await find(page, barcode);
  await page.locator('.balances').waitFor();
});
const atEntry = then(atCustomer, 'till/entry', (page) =>
  page.locator('.actions button').first().click(),
);

/** Looks for what somebody would type. */
const find = async (/** @type {Page} */ page, /** @type {string} */ wanted) => {
  await page.locator('input[name=wanted]').fill(wanted);
  await page.locator('search button').click();
};
/** No network, until the next page is gone to. @type {Pictured} */
const offline = {
  name: 'till/offline',
  as: 'staff',
  async arrive(page, shop) {
    await till.arrive(page, shop);
    await page.context().setOffline(true);
    // As a hand scanner does: what is typed is searched for, which needs the network.
    await page.keyboard.type(shop.barcode);
    await page.keyboard.press('Enter');
    await page.locator('.pad').waitFor();
  },
};

const signUp = then(till, 'till/sign-up', (page) => page.locator('.pair button').first().click());

/** @param {string} name @param {string} rest */
const portal = (name, rest) =>
  at(`portal/${name}`, 'member', ({ slug }) => `/portal/${slug}${rest}`);

/** A mail as a mail program draws it. @param {string} name @param {(shop: Shop) => string} to @param {RegExp} about @returns {Pictured} */
const mail = (name, to, about) => ({
  name: `mail/${name}`,
  as: 'nobody',
  async arrive(page, shop) {
    await page.goto('about:blank');
    await page.setContent((await newestMail(to(shop), about)).html);
  },
});

/** @type {readonly Pictured[]} */
export const PAGES = [
  at('account/sign-in', 'nobody', '/sign-in'),
  at('account/register', 'nobody', '/register'),
  at('account/forgot-password', 'nobody', '/forgot-password'),
  at('account/reset-password', 'nobody', '/reset-password?token=none'),
  at('account/verify-email', 'nobody', '/verify-email?token=none'),
  at('account/invitation', 'nobody', '/invitation?token=none'),
  at('account/no-such-page', 'nobody', '/no-such-page'),
  at('account/welcome', 'owner', '/welcome'),
  consoleAt('', '/overview'),
  consoleAt('/customers'),
  consoleAt('/customers?q=nobody', '/customers/none'),
  then(consoleAt('/customers'), 'console/customers-import', async (page) => {
    await page.getByRole('button', { name: 'Import' }).click();
    const csv = 'Vorname;E-Mail;Notiz\nBo;bo@example.com;x\nCy;cy@example.com;\nDi;nowhere;\n';
    const file = { name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('Line 3').waitFor();
  }),
  one('customers', 'customer'),
  one('customers', 'customer', '?tab=rewards', '-rewards'),
  one('customers', 'customer', '?tab=visits', '-visits'),
  one('customers', 'customer', '?tab=cards', '-cards'),
  one('customers', 'customer', '?tab=data', '-data'),
  one('customers', 'customer', '?tab=privacy', '-privacy'),
  consoleAt('/rewards'),
  one('rewards', 'reward'),
  consoleAt('/rewards/new'),
  consoleAt('/rules'),
  consoleAt('/rules?tab=runs', '/rules/runs'),
  one('rules', 'rule'),
  consoleAt('/rules/new'),
  consoleAt('/tiers'),
  consoleAt('/segments'),
  one('segments', 'segment'),
  consoleAt('/segments/new'),
  consoleAt('/campaigns'),
  one('campaigns', 'campaign'),
  one('campaigns', 'draft', '', '-draft'),
  consoleAt('/cards'),
  one('cards', 'card'),
  consoleAt('/forms'),
  one('forms', 'form'),
  consoleAt('/till'),
  consoleAt('/connections'),
  consoleAt('/connections?tab=webhooks', '/connections/webhooks'),
  one('connections/webhooks', 'webhook'),
  then(one('connections/webhooks', 'webhook'), 'console/connections/webhooks/delivery', (page) =>
    page.locator('table .text-button').first().click(),
  ),
  consoleAt('/connections?tab=integrations', '/connections/systems'),
  consoleAt('/connections/integrations/webhook_inbox', '/connections/systems-json'),
  consoleAt('/connections/integrations/pos', '/connections/systems-pos'),
  consoleAt('/connections?tab=token', '/connections/token'),
  consoleAt('/settings'),
  consoleAt('/settings?tab=currencies', '/settings/currencies'),
  consoleAt('/settings?tab=fields', '/settings/fields'),
  consoleAt('/settings?tab=brand', '/settings/brand'),
  consoleAt('/settings?tab=mails', '/settings/mails'),
  consoleAt('/settings?tab=mails&mail=portal_code&language=de', '/settings/mails-code'),
  consoleAt('/settings?tab=portal', '/settings/portal'),
  consoleAt('/settings?tab=wallets', '/settings/wallets'),
  consoleAt('/settings?tab=team', '/settings/team'),
  consoleAt('/settings?tab=audit', '/settings/audit'),
  at('till/pair', 'nobody', '/till/'),
  till,
  atCustomer,
  atEntry,
  then(atCustomer, 'till/done', async (page) => {
    for (const digit of '1280')
      await page.getByRole('button', { name: digit, exact: true }).click();
    await page.locator('form:has(.pad) > .button').click();
    await page.locator('.verdict').waitFor();
    await page.locator('.change').waitFor();
  }),
  then(atCustomer, 'till/undo', async (page) => {
    for (const digit of '9900')
      await page.getByRole('button', { name: digit, exact: true }).click();
    await page.locator('form:has(.pad) > .button').click();
    await page.locator('.verdict').waitFor();
    await page.locator('.screen > .button-quiet').click();
  }),
  then(till, 'till/recent', async (page) => {
    await page.locator('.pair button').last().click();
    await page.locator('.list .card').first().waitFor();
  }),
  then(till, 'till/coupon', async (page, { ids }) => {
    await find(page, String(ids.coupon));
    await page.locator('h1').filter({ hasText: 'coffee' }).waitFor();
  }),
  offline,
  then(offline, 'till/kept', async (page) => {
    for (const digit of '350') await page.getByRole('button', { name: digit, exact: true }).click();
    await page.locator('form > .button').click();
    await page.locator('.verdict').waitFor();
  }),
  signUp,
  then(signUp, 'till/signed-up', async (page) => {
    await page.locator('input[name=first_name]').fill('Bo');
    await page.locator('form > .button').click();
    await page.locator('.verdict').waitFor();
  }),
  at('form/page', 'nobody', ({ form }) => new URL(form).pathname),
  at('form/none', 'nobody', '/d/none'),
  at('portal/none', 'nobody', '/portal/none'),
  at('portal/sign-in', 'nobody', ({ slug }) => `/portal/${slug}`),
  portal('home', ''),
  portal('rewards', '#/rewards'),
  portal('history', '#/history'),
  portal('account', '#/account'),
  mail('portal-code', () => MEMBER, /\b\d{6}\b/),
  mail('verification', ({ email }) => email, /verify-email/),
];
