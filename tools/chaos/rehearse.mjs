// One run from an empty platform to what is left of it.
import path from 'node:path';
import { querySocket } from '../../deploy/local/documentdb/postgres-client.mjs';
import { freePort } from '../../deploy/local/lib/ports.mjs';
import { say, step } from '../../deploy/local/lib/progress.mjs';
import { serviceNames } from '../../deploy/local/lib/workspace.mjs';
import { NO_LIMITS } from '../lib/gateway.mjs';
import { openLinks } from '../lib/links.mjs';
import { createRandom } from '../lib/random.mjs';
import { askAgain, membersOf } from './again.mjs';
import { listBindings, listQueues } from './broker.mjs';
import { createClient } from './client.mjs';
import { findClockLibrary, openClocks } from './clocks.mjs';
import { createConductor } from './conductor.mjs';
import { openCrm } from './crm.mjs';
import { createEnrolment } from './enrolment.mjs';
import { kindsOf, planFaults } from './faults.mjs';
import { openGoogle } from './google.mjs';
import { openHistory, readHistory } from './history.mjs';
import { createHttp } from './http.mjs';
import { mailsIn, openTexts } from './letters.mjs';
import { runLoad } from './load.mjs';
import { openPhones } from './phones.mjs';
import { replayAll } from './replay.mjs';
import { prepareScene } from './scene.mjs';
import { openSink } from './sink.mjs';
import { openStore } from './store.mjs';
import { openTap } from './tap.mjs';
import { createUsedUp, keepTillsOpen } from './till.mjs';
import { findTraces } from './traces.mjs';
import { verify } from './verify.mjs';
import { untilDrained, untilForgotten } from './watch.mjs';

/** @typedef {import('./checker/world.mjs').World} World */
/** @typedef {import('./conductor.mjs').Injected} Injected */
/** @typedef {import('../../deploy/local/lib/platform.mjs').Platform} Platform */
/** @typedef {{ seed: number, seconds: number, perSecond: number, workers: number }} Options */

const PREFIX = 'chaos_';
const SETTINGS = {
  MONGODB_DATABASE_PREFIX: PREFIX,
  ...NO_LIMITS,
  // What was left behind is taken over, and failures are forgotten, within the time that a drain may take.
  REDEMPTION_ABANDONED_SECONDS: '10',
  REDEMPTION_REMEMBERED_SECONDS: '30',
};
/** Two of what carries the money and its messages; the rest is single, to fit on a small machine. */
const REPLICAS = { gateway: 2, ledger: 2, integrations: 2, clients: 2 };
/** How long clients go on asking once the last calm is over. */
const INSIST_MS = 60_000;
/** The broker's name server: who serves asks nothing of it, and nothing but the broker's next start starts it again. */
const NAMES = 'epmd';

/**
 * What is started, and what happens to it under load.
 *
 * @typedef {{
 *   start: (urls: import('../../deploy/local/lib/infrastructure.mjs').Urls, settings: NodeJS.ProcessEnv) => Promise<Started>,
 *   plan: (targets: string[]) => import('./faults.mjs').Fault[][],
 *   kinds?: (targets: string[]) => string[],
 *   clocks?: import('./clocks.mjs').Clocks | undefined,
 *   disk?: import('./disk.mjs').Disk | undefined,
 *   direct?: (conductor: Conductor, load: { scene: import('./scene.mjs').Scene, http: import('./http.mjs').Http }) => Conductor,
 * }} Stage
 * @typedef {{ baseUrls: string[], targets: Record<string, string>, ready?: string[] }} Started `ready` where not every gateway is there yet
 * @typedef {ReturnType<typeof createConductor>} Conductor
 */

/** Faults at random, as `npm run chaos` plays them. @param {Options & { platform: Platform, folder: string, disk?: import('./disk.mjs').Disk | undefined }} options `folder` is for files of the run @returns {Stage} */
export function withFaults({ platform, folder, disk, ...options }) {
  const library = findClockLibrary();
  if (!library)
    say("No clock jumps: this machine has no libfaketime (Debian's package of that name)");
  const clocks = library ? openClocks(library, folder) : undefined;
  const means = { withClocks: clocks !== undefined, withDisk: disk !== undefined };
  return {
    clocks,
    disk,
    async start(urls, settings) {
      const gatewayPort = await freePort();
      const wanted = {
        gatewayPort,
        processes: true,
        replicas: REPLICAS,
        settings,
        own: clocks?.settings ?? {},
      };
      const baseUrls = await platform.startServices(urls, wanted);
      return { baseUrls, targets: platform.targets };
    },
    plan: (targets) => planFaults({ ...options, targets, ...means }),
    kinds: (targets) => kindsOf({ targets, ...means }),
  };
}

/**
 * @param {Options & { platform: Platform, historyFile: string, stage: Stage }} options
 * @returns {Promise<{ world: World, faults: Injected[], kinds: string[], statuses: Map<string | number, number>, loadSeconds: number }>}
 */
export async function rehearse({ platform, historyFile, stage, ...options }) {
  const urls = await platform.startInfrastructure();
  const links = await openLinks(urls);
  const tap = await openTap(urls.RABBITMQ_URL);
  const sink = await openSink();
  const crm = await openCrm();
  const google = await openGoogle();
  const texts = await openTexts();
  /** @type {import('./http.mjs').Http} */
  let http;
  const phones = await openPhones(() => http);
  const settings = { ...SETTINGS, ...phones.settings, ...google.settings, ...texts.settings };
  const { baseUrls, targets, ready = baseUrls } = await stage.start(links.urls, settings);
  http = createHttp(baseUrls, options.workers);
  http.use(ready);
  const scene = await step('Preparing two workspaces', () =>
    prepareScene(http, { sink, crm, phones, google }),
  );
  const enrolment = createEnrolment(String(targets.REFERRALS_GRPC_TARGET));
  const parts = () => platform.parts();
  const history = openHistory(historyFile);
  const names = [...new Set(parts().map(({ name }) => name))].filter((name) => name !== NAMES);
  say(`Running ${names.join(', ')}`);
  const plain = createConductor({
    seed: options.seed,
    plan: stage.plan(names),
    parts,
    redisUrl: urls.REDIS_URL,
    storeUri: urls.MONGODB_URI,
    links,
    tap,
    clocks: stage.clocks,
    disk: stage.disk,
    history,
    folder: path.dirname(historyFile),
  });
  const conductor = stage.direct?.(plain, { scene, http }) ?? plain;
  const { client, statuses, loadSeconds } = await playAll({
    ...options,
    http,
    enrolment,
    scene,
    history,
    conductor,
  });
  enrolment.close();

  const store = openStore(urls.MONGODB_URI, PREFIX, serviceNames());
  const broker = () => Number(parts().find(({ name }) => name === 'rabbitmq')?.pid);
  const stores = { waiting: async () => ({ ...(await store.waiting()), ...onTheirWay(phones) }) };
  const drained = await step('Draining', () => untilDrained(stores, broker));
  for (const [what, count] of Object.entries(drained.waiting))
    say(`  still there: ${what} ${count}`);
  await step('Waiting until what failed is forgotten', () => untilForgotten(store));
  // PostgreSQL forgets how much its tables grew each time that it is killed: of an hour it would plan as for the first minute's.
  const engine = urls.DOCUMENTDB_ENGINE_SOCKET;
  if (engine) await querySocket(engine, 'analyze');
  const random = createRandom(options.seed, 'replay');
  const replayed = await step('Sending everything again', () =>
    replayAll({ store, stores, broker, tap, random }),
  );
  const again = await step('Asking once more', () =>
    askAgain(client, { scene, history: readHistory(historyFile) }),
  );
  const look = async () => ({
    segments: await membersOf(client, scene),
    verified: await verify(client, scene),
    stored: await store.read(),
    bindings: await listBindings(broker()),
    queues: await listQueues(broker()),
    heard: tap.heard(),
    received: sink.received(),
    phones: phones.shown(),
    contacts: crm.contacts(),
    saved: google.saved(),
    letters: [...mailsIn(platform.folders.outbox), ...texts.arrived()],
    traces: [
      ...(await findTraces({
        uri: urls.MONGODB_URI,
        prefix: PREFIX,
        redisUrl: urls.REDIS_URL,
        folders: [platform.folders.logs, platform.folders.outbox],
      })),
      ...sink.traces(),
      ...crm.traces(),
      ...google.traces(),
    ],
  });
  const { verified, stored, ...seen } = await step('Reading', () =>
    undisturbed(look, { store, stores, broker }),
  );
  const world = {
    at: new Date(),
    ...stored,
    ...seen,
    again,
    replayed,
    guests: scene.guests,
    campaigns: scene.campaigns,
    history: readHistory(historyFile),
    run: {
      drainedAfterMs: drained.afterMs,
      answers: Object.fromEntries(statuses),
      calms: conductor.calms,
      verified,
    },
  };
  await Promise.all([store.close(), tap.close(), http.close()]);
  sink.close();
  crm.close();
  google.close();
  texts.close();
  phones.close();
  links.close();
  const kinds = stage.kinds?.(names) ?? [];
  return { world, faults: conductor.faults, kinds, statuses, loadSeconds };
}

/** @param {import('./phones.mjs').Phones} phones @returns {Record<string, number>} */
function onTheirWay(phones) {
  const busy = phones.busy();
  return busy > 0 ? { 'phones that ask for their card': busy } : {};
}

/**
 * @param {Options & { http: import('./http.mjs').Http, enrolment: ReturnType<typeof createEnrolment>, scene: import('./scene.mjs').Scene,
 *   history: import('./history.mjs').History, conductor: ReturnType<typeof createConductor> }} options
 */
async function playAll({ http, enrolment, scene, history, conductor, ...options }) {
  /** @type {Map<string | number, number>} */
  const statuses = new Map();
  const ending = new AbortController();
  let givesUpAt = Number.POSITIVE_INFINITY;
  const isUsedUp = createUsedUp();
  /** @param {import('./client.mjs').Attempt} attempt */
  const onAttempt = (attempt) => {
    const { status } = attempt.answer;
    if (isUsedUp(attempt)) return;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    conductor.note(attempt);
  };
  const common = { givesUpAt: () => givesUpAt, onAttempt };
  const client = createClient({ ...common, door: http, token: scene.token });
  const load = runLoad({
    ...options,
    client,
    enrolment: createClient({ ...common, door: enrolment }),
    history,
    scene,
    ending: ending.signal,
  });
  const open = keepTillsOpen(client, scene.workspaces, ending.signal);
  await conductor.play();
  ending.abort();
  givesUpAt = performance.now() + INSIST_MS;
  await Promise.all([load, open]);
  const loadSeconds = history.now() / 1_000;
  await history.close();
  // What is asked after the load is asked until it is answered.
  givesUpAt = Number.POSITIVE_INFINITY;
  return { client, statuses, loadSeconds };
}

/**
 * Looks until nothing happened meanwhile: a hold may expire while we read.
 *
 * @template T
 * @param {() => Promise<T>} look
 * @param {{ store: import('./store.mjs').Store, stores: Pick<import('./store.mjs').Store, 'waiting'>, broker: () => number }} parts
 * @returns {Promise<T>}
 */
async function undisturbed(look, { store, stores, broker }) {
  for (;;) {
    const before = await store.entries();
    await untilDrained(stores, broker);
    const seen = await look();
    if ((await store.entries()) === before) return seen;
  }
}
