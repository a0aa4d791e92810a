// The browser that drives the pages.
import { existsSync } from 'node:fs';
import { findOnPath } from './on-path.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * What CHROMIUM names, else Debian's, as `apt-get install chromium` puts it there.
 *
 * @returns {string | undefined} its file
 */
export function findBrowser() {
  const { CHROMIUM: named } = process.env;
  return named && existsSync(named) ? named : NAMES.map(findOnPath).find(Boolean);
}
