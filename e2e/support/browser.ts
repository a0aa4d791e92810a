import AxeBuilder from '@axe-core/playwright';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { findBrowser } from '../../deploy/local/lib/find-browser.mjs';
import { gateways, newAddress } from './api';

/** As long as conditions are waited for, below the limit of a test. */
const PATIENCE_MS = 40_000;

const executablePath = findBrowser();

/** How long a page is busy at most before it goes on, and how late answers reach it: what a test reads too early is seen on a slow phone. */
const SLOW = {
  busyMsMax: Number(process.env.PAGE_BUSY_MS_MAX ?? 0),
  answerDelayMsMax: Number(process.env.PAGE_ANSWER_DELAY_MS_MAX ?? 0),
};

/** In the page. The browser's own throttling takes a second session of its protocol, which forgets with a reload that there is no network. */
const slowDown = ({ busyMsMax, answerDelayMsMax }: typeof SLOW) => {
  const ask = globalThis.fetch;
  globalThis.fetch = async (...asked) => {
    const answer = await ask(...asked);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * answerDelayMsMax));
    return answer;
  };
  if (busyMsMax === 0) return;
  setInterval(() => {
    const until = performance.now() + Math.random() * busyMsMax;
    while (performance.now() < until);
  }, busyMsMax);
};

/** Tests in a real browser. A machine without one skips them, by name and counted. */
export const describeInBrowser = executablePath
  ? describe
  : (name: string, tests: () => void) =>
      describe.skip(`${name} (skipped: no chromium on the PATH, and CHROMIUM names none)`, tests);

/** @param camera a film (.y4m) that the camera sees in place of the world */
export function openBrowser(camera?: string): Promise<Browser> {
  const args = camera
    ? [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${camera}`,
      ]
    : ['--use-fake-ui-for-media-stream'];
  // Containers run tests as root, for whom Chromium's sandbox does not work.
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
}

export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** What a page must not do: break its policy, throw, or log an error. Refusals that a test provokes are expected. */
  complaints: string[];
  /** Clicks so far; typing counts for nothing. */
  clicks: number;
  click(locator: Locator): Promise<void>;
  /** The path of a link in a mail, at the gateway that this visitor uses. */
  visit(path: string): Promise<void>;
  /** No rule of axe is broken on a phone in light, and every text can be read at a desk in the dark. */
  expectAccessible(): Promise<void>;
}

const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 900 };
/** Chromium says this of every answer that is no success; whether that was right, the test knows. */
const REFUSED = /Failed to load resource: the server responded with a status of 4/;

/** Somebody with a browser of their own, from an address of their own. */
export async function newVisitor(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visitor> {
  const [baseURL] = gateways();
  const context = await browser.newContext({
    baseURL: baseURL!,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: PHONE,
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'X-Forwarded-For': newAddress() },
    ...options,
  });
  if (SLOW.busyMsMax + SLOW.answerDelayMsMax > 0) await context.addInitScript(slowDown, SLOW);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (said) => {
    if (said.type() === 'error' && !REFUSED.test(said.text())) complaints.push(said.text());
  });
  const visitor: Visitor = {
    page,
    context,
    complaints,
    clicks: 0,
    async click(locator) {
      visitor.clicks += 1;
      await locator.click();
    },
    visit: async (path) => void (await page.goto(path)),
    async expectAccessible() {
      const broken: string[] = [];
      for (const [colorScheme, size] of [
        ['light', PHONE],
        ['dark', DESK],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        const axe = new AxeBuilder({ page })
          // What it loads beforehand it writes into a frame without an origin as an inline style; only a rule that is off looks at it.
          .options({ resultTypes: ['violations'], preload: false })
          // Results of several frames are put together in a tab of its own; those of one have nothing to be put together.
          .setLegacyMode(page.frames().length === 1);
        // Only colours differ in the dark.
        const { violations } = await (colorScheme === 'dark'
          ? axe.withRules(['color-contrast'])
          : axe
        ).analyze();
        broken.push(
          ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`),
        );
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(PHONE);
      expect(broken).toEqual([]);
    },
  };
  return visitor;
}
