// Where mails and texts arrive: the platform writes mails into a folder, and hands texts to a provider of ours, which is at times
// down and then asked again.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { serveStatuses } from '../lib/listen.mjs';
import { someAtOnce } from './at-once.mjs';

/** @typedef {import('./checker/world.mjs').Letter} Letter */
/** @typedef {import('./scene.mjs').Make} Make */
/** @typedef {Awaited<ReturnType<typeof openTexts>>} Texts */
/** @typedef {{ id: string, phone: string }} Texted a member of staff, and where their texts go */

const MAIL = '.eml';
/** The first time that it hears of every third text, it takes none. */
const REFUSED_EVERY = 3;
const STAFF = 12;

export async function openTexts() {
  /** @type {Map<string, Letter>} */
  const texts = new Map();
  /** @type {Map<string, number>} */
  const tries = new Map();
  let heard = 0;

  const { url, close } = await serveStatuses(({ headers }, body) => {
    const { id, to, text } = JSON.parse(body);
    const isNew = !tries.has(id);
    tries.set(id, (tries.get(id) ?? 0) + 1);
    if (isNew && ++heard % REFUSED_EVERY === 0) return 503;
    const before = texts.get(id);
    const isSame = headers['idempotency-key'] === id && (!before || before.text === text);
    texts.set(id, {
      id,
      channel: 'sms',
      to,
      text,
      isAltered: !isSame || before?.isAltered === true,
    });
    return 204;
  });

  return {
    settings: { SMS_WEBHOOK_URL: `${url}/texts` },
    /** @returns {Letter[]} */
    arrived: () => [...texts.values()],
    close,
  };
}

/** Mails as they stand in the folder, each under its id. @param {string} folder @returns {Letter[]} */
export const mailsIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(MAIL))
    .map((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const to = /^To: (.*?)\r?$/m.exec(text)?.[1] ?? '';
      return { id: path.basename(name, MAIL), channel: 'email', to, text, isAltered: false };
    });

/** Staff who are sent their codes by text. @param {Make} make @param {{ path: string, index: number }} workspace @returns {Promise<Texted[]>} */
export async function makeTexted(make, { path: ofWorkspace, index }) {
  const phones = Array.from(
    { length: STAFF },
    (_, number) => `+4915100${index}${String(number).padStart(5, '0')}`,
  );
  return someAtOnce(phones, async (phone) => {
    const { data } = await make(`${ofWorkspace}/mobile-app-users`, { phone });
    return { id: data.id, phone };
  });
}
