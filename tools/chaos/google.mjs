// Google Wallet as its API is seen from here: it keeps each card as it was sent last, and says that somebody has it.
import { generateKeyPairSync } from 'node:crypto';
import { serveWhole } from '../lib/listen.mjs';
import { someAtOnce } from './at-once.mjs';
import { canariesIn } from './traces.mjs';

/** @typedef {import('./http.mjs').Http} Http */
/** @typedef {import('./phones.mjs').Card} Card */
/** @typedef {import('./checker/world.mjs').Saved} Saved */
/** @typedef {Awaited<ReturnType<typeof openGoogle>>} Google */

const API = '/walletobjects/v1/';
const TOKEN_SECONDS = 3_600;

export async function openGoogle() {
  /** Classes and objects by their ids. @type {Map<string, any>} */
  const kept = new Map();
  /** @type {{ card: Card, workspaceId: string, objectId: string }[]} */
  const saved = [];

  /** @param {string} method @param {string} path @param {any} body @returns {{ status: number, answer: object }} */
  function take(method, path, body) {
    const [collection, id = body.id, verb] = path.split('/');
    if (verb === 'addMessage') return { status: kept.has(id) ? 200 : 404, answer: {} };
    if (method === 'PUT' && !kept.has(id)) return { status: 404, answer: { collection, id } };
    kept.set(id, body);
    return { status: 200, answer: { ...body, hasUsers: true } };
  }

  const { url, close } = await serveWhole((request, body, response) => {
    const { method = '', url: path = '' } = request;
    const { status, answer } = path.startsWith(API)
      ? take(method, path.slice(API.length), JSON.parse(body))
      : { status: 200, answer: { access_token: 'a token', expires_in: TOKEN_SECONDS } };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });

  return {
    settings: { GOOGLE_WALLET_URL: url, GOOGLE_TOKEN_URL: `${url}/token` },
    credentials: {
      issuer_id: '3388000000000000000',
      service_account: { client_email: 'chaos@example.com', private_key },
    },
    /** Saves each card, as those do who follow its link. @param {Http} http @param {string} workspaceId @param {readonly Card[]} cards */
    async save(http, workspaceId, cards) {
      await someAtOnce(cards, async (card) => {
        const { pathname } = new URL(card.googleLink);
        const { status, location = '' } = await http.attempt(pathname, {});
        const objectId = objectIn(location);
        if (status !== 302 || !kept.has(objectId))
          throw new Error(`${pathname} answered ${status} and left ${objectId}`);
        saved.push({ card, workspaceId, objectId });
      });
    },
    /** @returns {Saved[]} */
    saved: () =>
      saved.map(({ card: { passId, clientId }, objectId }) => ({
        ...{ passId, clientId, objectId },
        object: kept.get(objectId),
      })),
    /** @returns {import('./checker/world.mjs').Trace[]} */
    traces: () =>
      saved.flatMap(({ workspaceId, objectId }) =>
        canariesIn(JSON.stringify(kept.get(objectId))).map((canary) => ({
          ...{ canary, place: 'Google', workspaceId },
        })),
      ),
    close,
  };
}

/** Which card a save link is about; an empty name where it carries the card itself. @param {string} link */
function objectIn(link) {
  const [, claims = ''] = link.split('/').at(-1)?.split('.') ?? [];
  const { payload } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8') || '{}');
  return String(payload?.loyaltyObjects?.[0]?.id ?? '');
}
