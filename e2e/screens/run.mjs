// npm run screens: every page at phone and desktop size, in light and dark, for a person to look at: .local/screens/.
//
//   npm start                                    in one terminal
//   npm run screens                              in another
//   npm run screens -- console/rules till        only what begins so
//   npm run screens -- --locale de-DE            in another language: en-GB, de-DE, fr-FR, es-ES, pl-PL
//   npm run screens -- --url URL                 a platform elsewhere
//   npm run screens -- --fresh                   another shop than the one that was made the first time
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { findBrowser } from '../../deploy/local/lib/find-browser.mjs';
import { helpIfAsked } from '../../deploy/local/lib/help.mjs';
import { LOCAL, MAIN_INSTANCE, shown } from '../../deploy/local/lib/paths.mjs';
import { explain, SetupError, say, step } from '../../deploy/local/lib/progress.mjs';
import { readState } from '../../deploy/local/lib/state.mjs';
import { PAGES, signIn } from './pages.mjs';
import { openShop, signedIn } from './shop.mjs';
import { pairingCode } from './till.mjs';

helpIfAsked();

const FOLDER = path.join(LOCAL, 'screens');
const SHOP = path.join(LOCAL, 'screens-shop.json');
const LOOKS = /** @type {const} */ ([
  ['phone', 'light', { width: 390, height: 844 }],
  ['phone', 'dark', { width: 390, height: 844 }],
  ['desk', 'light', { width: 1280, height: 900 }],
  ['desk', 'dark', { width: 1280, height: 900 }],
]);

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      locale: { type: 'string', default: 'en-GB' },
      fresh: { type: 'boolean', default: false },
    },
  });
  const baseUrl = values.url ?? readState(MAIN_INSTANCE.state)?.baseUrls[0];
  if (!baseUrl)
    throw new SetupError('Laurel is not running: start it with npm start, or give --url.');
  return { baseUrl, locale: values.locale, fresh: values.fresh, wanted: positionals };
}

function findChromium() {
  const found = findBrowser();
  if (!found) throw new SetupError('There is no chromium on the PATH, and CHROMIUM names no file.');
  return found;
}

async function main() {
  const { baseUrl, locale, fresh, wanted } = readArguments();
  const executablePath = findChromium();
  const pages = PAGES.filter(
    ({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
  );
  const shop = await step(
    'Opening a shop with a year behind it',
    () => shopOf(baseUrl, fresh),
    () => 'A shop with a year behind it is open',
  );
  if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
  });
  const problems = await photograph({
    browser,
    pages,
    shop,
    options: { baseURL: baseUrl, locale },
  });
  await browser.close();
  writeFileSync(path.join(FOLDER, 'index.html'), contactSheet(pages));
  say(`\n${pages.length} pages are in ${shown(FOLDER)}/index.html`);
  if (problems.length > 0) say(`\nWhat pages complained of:\n  ${problems.join('\n  ')}`);
}

/**
 * The shop of the last time, where the platform still knows it: making one takes a minute.
 *
 * @param {string} baseUrl
 * @param {boolean} fresh
 * @returns {Promise<import('./shop.mjs').Shop & { code: string }>}
 */
async function shopOf(baseUrl, fresh) {
  const kept = existsSync(SHOP) && !fresh ? JSON.parse(readFileSync(SHOP, 'utf8')) : null;
  const known = kept?.workspace && (await signedIn(baseUrl, kept).catch(() => null));
  const shop = known ? kept : await openShop(baseUrl);
  writeFileSync(SHOP, JSON.stringify(shop));
  const { in: at } = known ?? (await signedIn(baseUrl, shop));
  return { ...shop, code: await pairingCode(at(shop.workspace), shop) };
}

/**
 * @param {{ browser: import('playwright-core').Browser, pages: readonly import('./pages.mjs').Pictured[],
 *   shop: import('./shop.mjs').Shop & { code: string }, options: { baseURL: string, locale: string } }} what
 * @returns {Promise<string[]>} errors of scripts and breaches of their policy
 */
async function photograph({ browser, pages, shop, options }) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, import('playwright-core').Page>} */
  const open = new Map();
  for (const { name, as, arrive } of pages) {
    let page = open.get(as);
    if (!page) {
      const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
      page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on('pageerror', ({ message }) => problems.push(`${as}: ${message}`));
      open.set(as, page);
      await signIn(page, as, shop);
    }
    try {
      await arrive(page, shop);
      for (const [size, colorScheme, viewport] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await page.waitForTimeout(150);
        const file = path.join(FOLDER, fileOf(name, size, colorScheme));
        await page.screenshot({ path: file, fullPage: true });
        const width = await page.evaluate('document.documentElement.scrollWidth');
        if (Number(width) > viewport.width) problems.push(`${name} is ${width} wide on a ${size}`);
      }
      say(`✓ ${name}`);
    } catch (error) {
      problems.push(`${name}: ${/** @type {Error} */ (error).message.split('\n')[0]}`);
      await page.screenshot({ path: path.join(FOLDER, fileOf(name, 'failed', 'light')) });
    }
  }
  return problems;
}

/** @param {string} name @param {string} size @param {string} scheme */
const fileOf = (name, size, scheme) => `${name.replaceAll('/', '-')}.${size}.${scheme}.png`;

/** @param {readonly import('./pages.mjs').Pictured[]} pages */
function contactSheet(pages) {
  const rows = pages.map(({ name }) => {
    const pictures = LOOKS.map(([size, scheme]) => {
      const file = fileOf(name, size, scheme);
      return `<a href="${file}"><img loading="lazy" alt="${name}, ${size}, ${scheme}" src="${file}"></a>`;
    });
    return `<h2>${name}</h2><div>${pictures.join('')}</div>`;
  });
  const style =
    'body{font:16px system-ui;margin:2rem}div{display:flex;gap:1rem;align-items:start}img{height:360px;border:1px solid #999}';
  return `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${style}</style>${rows.join('')}`;
}

main().catch((error) => {
  explain(error);
  process.exitCode = 1;
});
