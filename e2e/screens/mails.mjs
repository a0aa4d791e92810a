// The mails that a platform without a mail server writes to its outbox.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { LOCAL } from '../../deploy/local/lib/paths.mjs';

const OUTBOX = path.join(LOCAL, 'outbox');
const WAIT_MS = 250;
const TRIES = 80;

/**
 * The newest mail to an address, once it is there.
 *
 * @param {string} to
 * @param {RegExp} about what must stand in it
 * @param {number} [since] what is older, in epoch milliseconds, was about something else
 * @returns {Promise<{ text: string, html: string }>}
 */
export async function newestMail(to, about, since = 0) {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    for (const file of newestFirst(since)) {
      const mail = readFileSync(file, 'utf8');
      if (mail.includes(`To: ${to}\r\n`) && about.test(mail)) return partsOf(mail);
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  throw new Error(`no mail to ${to} that says ${about}`);
}

/** @param {number} since */
function newestFirst(since) {
  return readdirSync(OUTBOX)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => path.join(OUTBOX, name))
    .map((file) => ({ file, at: statSync(file).mtimeMs }))
    .filter(({ at }) => at >= since)
    .sort((one, other) => other.at - one.at)
    .map(({ file }) => file);
}

/** @param {string} mail */
function partsOf(mail) {
  const partOf = (/** @type {string} */ type) =>
    new RegExp(`Content-Type: ${type}[^]*?\r\n\r\n([^]*?)(\r\n--|$)`).exec(mail)?.[1] ?? '';
  return { text: partOf('text/plain'), html: partOf('text/html') };
}
