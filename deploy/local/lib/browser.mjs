// The browser that drives the pages in tests: Debian's, put there where there is none.
import { installForTests } from './debian.mjs';
import { findBrowser } from './find-browser.mjs';

/** A browser without a font draws no text. */
const PACKAGES = ['chromium', 'fonts-dejavu-core'];

/** Without a browser, and where none can be installed, tests of pages are skipped, by name. */
export async function installBrowser() {
  const isThere = process.env.CHROMIUM !== undefined || findBrowser();
  if (!isThere) await installForTests(PACKAGES, 'tests of pages are skipped');
}
