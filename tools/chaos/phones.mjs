// Phones with cards on them: they know what they were pushed to fetch, and nothing else.
import { setTimeout as pause } from 'node:timers/promises';
import { unzipSync } from 'fflate';
import { startApple } from '../lib/apple.mjs';
import { someAtOnce } from './at-once.mjs';
import { isOpen } from './client.mjs';

/** @typedef {import('./http.mjs').Http} Http */
/** @typedef {import('./checker/world.mjs').Phone} Phone */
/** @typedef {{ passId: string, clientId: string, link: string, googleLink: string }} Card `link` is where its .pkpass is fetched, `googleLink` saves it to Google Wallet */
/** @typedef {Awaited<ReturnType<typeof openPhones>>} Phones */

/** What a phone does not get it asks for again. */
const PAUSE_MS = 500;

/** @param {() => Http} httpOf known once the gateways are */
export async function openPhones(httpOf) {
  /** @type {Map<string, Awaited<ReturnType<typeof setUp>>>} */
  const phones = new Map();
  const apple = await startApple((token) => phones.get(token)?.wake());

  return {
    settings: apple.settings,
    credentials: apple.credentials,
    /** Puts each card on a phone of its own. @param {readonly Card[]} cards */
    async add(cards) {
      for (const phone of await someAtOnce(cards, (card) => setUp(httpOf(), card)))
        phones.set(phone.card.passId, phone);
    },
    /** How many are still asking for what a push announced. */
    busy: () => [...phones.values()].filter(({ isBusy }) => isBusy()).length,
    /** @returns {Phone[]} */
    shown: () => [...phones.values()].map((phone) => phone.shown()),
    close() {
      for (const phone of phones.values()) phone.switchOff();
      apple.close();
    },
  };
}

/** Takes a card, and says where to announce changes of it: the token is the pass's id. @param {Http} http @param {Card} card */
async function setUp(http, card) {
  const device = `phone-${card.passId}`;
  let document = documentIn((await insist(http, new URL(card.link).pathname)).body);
  const { passTypeIdentifier, serialNumber, authenticationToken, webServiceURL } = document;
  const root = new URL(webServiceURL).pathname.replace(/\/$/, '');
  const headers = { authorization: `ApplePass ${authenticationToken}` };
  const list = `${root}/v1/devices/${device}/registrations/${passTypeIdentifier}`;
  const registration = { method: /** @type {const} */ ('POST'), headers };
  const registered = await insist(http, `${list}/${serialNumber}`, {
    ...registration,
    body: { pushToken: card.passId },
  });
  if (registered.status !== 201) throw new Error(`${device} was answered ${registered.status}`);
  let since = '';
  let woken = 0;
  let done = 0;
  let isOff = false;

  async function fetchWhatChanged() {
    const changed = await insist(http, since ? `${list}?passesUpdatedSince=${since}` : list);
    if (changed.status === 200) {
      const latest = `${root}/v1/passes/${passTypeIdentifier}/${serialNumber}`;
      const { status, body } = await insist(http, latest, { headers });
      if (status === 200) document = documentIn(body);
      since = encodeURIComponent(changed.body.lastUpdated);
    }
  }

  /** One round after the other: what comes meanwhile is asked for afterwards. */
  async function follow() {
    while (done < woken && !isOff) {
      const upTo = woken;
      await fetchWhatChanged();
      done = upTo;
    }
  }

  return {
    card,
    wake() {
      woken += 1;
      if (woken === done + 1) void follow();
    },
    isBusy: () => done < woken,
    shown: () => ({ passId: card.passId, clientId: card.clientId, pushes: woken, document }),
    switchOff() {
      isOff = true;
    },
  };
}

/** Until there is an answer that is one. @param {Http} http @param {string} path @param {import('./http.mjs').Request} [request] */
async function insist(http, path, request) {
  for (;;) {
    const answer = await http.attempt(path, request);
    if (!isOpen(answer)) return answer;
    await pause(PAUSE_MS);
  }
}

/** @param {Buffer} content of a .pkpass @returns {any} */
function documentIn(content) {
  const { 'pass.json': pass } = unzipSync(content);
  if (!pass) throw new Error('a card without a pass.json');
  return JSON.parse(Buffer.from(pass).toString('utf8'));
}
