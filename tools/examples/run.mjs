// npm run examples: tells the story of a coffee shop to a platform of its own, over every operation, and writes what was
// sent and answered to services/gateway/src/openapi/examples, of which the API document takes its examples.
//
//   npm run examples -- --url http://localhost:8080 --outbox .local/outbox   to a platform that runs already, its limits raised
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { helpIfAsked } from '../../deploy/local/lib/help.mjs';
import { instanceAt, LOCAL, ROOT, shown } from '../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { say } from '../../deploy/local/lib/progress.mjs';
import { NO_LIMITS, startGateway } from '../lib/gateway.mjs';
import { serveLocally } from '../lib/listen.mjs';
import { createHttp, parsed } from '../lib/raw-http.mjs';
import { until } from '../lib/until.mjs';
import { CHAPTERS } from './chapters/index.mjs';
import { createNeutral } from './neutral.mjs';
import { createTeller } from './teller.mjs';

helpIfAsked();

const INSTANCE = instanceAt(path.join(LOCAL, 'examples'));
const OUT = path.join(ROOT, 'services/gateway/src/openapi/examples');
const DAY_MS = 86_400_000;
const SLOW_MS = 3_000;
const SETTINGS = {
  ...NO_LIMITS,
  RATE_LIMIT_PAIR_PER_MINUTE: '1000000',
  TRUST_PROXY: '1',
  CHECKPOINT_INTERVAL_SECONDS: '60',
  CHECKPOINT_MARGIN_SECONDS: '2',
};

const { values } = parseArgs({ options: { url: { type: 'string' }, outbox: { type: 'string' } } });
const platform = new Platform(INSTANCE);

async function startPlatform() {
  await platform.beginAnew();
  const urls = await platform.startInfrastructure();
  return startGateway(platform, urls, { settings: SETTINGS });
}

/** Systems of others: whatever it is, it went well, and there is nothing to fetch. */
function openOutside() {
  const nothing = JSON.stringify({ data: [], total: 0, next_cursor: null });
  return serveLocally((request, response) => {
    request.resume();
    const answer = () =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(nothing);
    setTimeout(answer, request.url?.startsWith('/slow') ? SLOW_MS : 0);
  });
}

/** @param {string} outbox the folder of the mails that were sent */
function openMailbox(outbox) {
  /** @param {string} to @param {RegExp} wanted @param {string} kind */
  const find = (to, wanted, kind) =>
    until(
      async () => {
        const names = readdirSync(outbox).filter((name) => !name.endsWith('.part'));
        const mails = names
          .sort()
          .map((name) => readFileSync(path.join(outbox, name), 'utf8'))
          .filter((mail) => mail.includes(`To: ${to}`) && mail.includes(`Subject: ${kind}`));
        return wanted.exec(mails.at(-1) ?? '')?.[1];
      },
      `a mail to ${to}`,
      10_000,
    );
  return {
    /** @param {string} to @param {string} [subject] how it begins @param {string} [page] where the link leads */
    tokenFor: (to, subject = '', page = '') =>
      find(to, new RegExp(`${page}\\?token=([\\w-]+)`), subject),
    /** @param {string} to */
    codeFor: (to) => find(to, /\b(\d{6})\b/, 'Your sign-in code'),
  };
}

/** @param {number} days */
const day = (days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

async function main() {
  const url = values.url ?? (await startPlatform());
  const http = createHttp([url], 4);
  const outside = await openOutside();
  const { text } = await http.send({ method: 'GET', path: '/openapi.json', headers: {} });
  const document = parsed(text);
  const teller = createTeller(http, document);
  const run = `-${Math.random().toString(36).slice(2, 8)}`;
  const at = (/** @type {string} */ name, domain = 'example.com') => `${name}${run}@${domain}`;
  const shop = 'roasted.example.com';
  const people = {
    nora: at('nora', shop),
    liam: at('liam', shop),
    owen: at('owen', shop),
    maeve: at('maeve', shop),
    anna: at('anna'),
    ben: at('ben'),
    cara: at('cara'),
  };
  const story = {
    ...teller,
    rows: {},
    run,
    people,
    outside: outside.url,
    mail: openMailbox(values.outbox ?? INSTANCE.outbox),
    day,
    at: (/** @type {number} */ days) => `${day(days)}T10:00:00.000Z`,
    until,
  };
  try {
    for (const [index, chapter] of CHAPTERS.entries()) {
      say(`${index + 1}. ${chapter.name}`);
      teller.turnTo(index + 1);
      await chapter(story);
    }
  } finally {
    http.close();
    outside.close();
  }
  const neutral = createNeutral({
    begun: teller.begun,
    replaced: [
      [run, ''],
      [url, 'https://loyalty.example.com'],
      [new URL(url).host, 'loyalty.example.com'],
      [outside.url, 'https://systems.roasted.example.com'],
    ],
  });
  write([...teller.kept.values()].map((kept) => ({ ...kept, said: neutral(kept) })));
  sayMissing(document, teller.kept);
}

/** @param {readonly { id: string, tag: string, said: object }[]} kept */
function write(kept) {
  mkdirSync(OUT, { recursive: true });
  for (const tag of new Set(kept.map((one) => one.tag))) {
    const own = kept.filter((one) => one.tag === tag && Object.keys(one.said).length > 0);
    const sorted = own.sort((one, other) => (one.id < other.id ? -1 : 1));
    const file = path.join(OUT, `${tag.toLowerCase().replaceAll(' ', '-')}.json`);
    const said = Object.fromEntries(sorted.map(({ id, said: text }) => [id, text]));
    writeFileSync(file, `${JSON.stringify(said, null, 2)}\n`);
  }
  say(`${kept.length} operations in ${shown(OUT)}`);
}

/** @param {any} document @param {ReadonlyMap<string, unknown>} kept */
function sayMissing({ paths }, kept) {
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const missing = ids.filter((id) => !kept.has(id));
  say(`${missing.length} without an example: ${missing.join(', ')}`);
}

await playToTheEnd(() => platform, main);
