// One whole platform, from an empty machine to the last answer "ready", and down again.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { installInfrastructure, startInfrastructure } from './infrastructure.mjs';
import { explain, SetupError, say, step, warn } from './progress.mjs';
import { FIRST_SERVICE_STAGE, startServices } from './services.mjs';
import { localSettings } from './settings.mjs';
import { forgetState, isRunning, readState, stopLeftovers, writeState } from './state.mjs';
import { Supervisor } from './supervisor.mjs';
import { prepareWorkspace, serviceNames } from './workspace.mjs';

const LOG_BYTES_MAX = 20_000_000;
/** Ctrl-C by shell convention. */
const INTERRUPTED = 130;

/** Installs and builds whatever is missing or changed. */
export async function prepare() {
  const results = await Promise.allSettled([prepareWorkspace(), installInfrastructure()]);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}

/**
 * Plays a tool that has a platform of its own to its end: whatever happens, what it started is stopped.
 *
 * @param {() => Platform | undefined} platformOf the one that runs at the moment, if any
 * @param {() => Promise<void>} main sets `process.exitCode` where it found something
 * @returns {Promise<never>}
 */
export async function playToTheEnd(platformOf, main) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => void stopped(platformOf).then(() => process.exit(INTERRUPTED)));
  try {
    await main();
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
  await stopped(platformOf);
  process.exit();
}

/** @param {() => Platform | undefined} platformOf */
const stopped = async (platformOf) => platformOf()?.stop();

export class Platform {
  #instance;
  #supervisor;
  /** @type {string[]} */
  #baseUrls = [];
  /** @type {Record<string, string>} */
  #targets = {};
  /** @type {import('./infrastructure.mjs').Urls | undefined} */
  #urls;
  #claimed = false;

  /**
   * @param {import('./paths.mjs').Instance} instance
   * @param {{ onFault?: (message: string) => void, longestPauseMs?: number }} [supervision] how processes that die are
   *   started again, where that is not the usual
   */
  constructor(instance, supervision = {}) {
    this.#instance = instance;
    this.#supervisor = new Supervisor({
      onChange: () => this.#record(),
      onFault: warn,
      ...supervision,
    });
  }

  /** Where its logs and mails are. */
  get folders() {
    const { logs, outbox } = this.#instance;
    return { logs, outbox };
  }

  /** Every process that runs at the moment, helpers after the process that needs them. */
  parts() {
    return this.#supervisor.recorded();
  }

  /** Makes sure that no other process runs this instance, and that nothing is left of an earlier run. */
  async claim() {
    const state = readState(this.#instance.state);
    if (state && isRunning(state)) {
      const where = state.baseUrls.length > 0 ? ` on ${state.baseUrls.join(', ')}` : '';
      throw new SetupError(
        `Already running${where} (pid ${state.pid}). Stop it with: npm run stop`,
      );
    }
    const left = state ? await stopLeftovers(state) : 0;
    if (left > 0) say(`✓ Ended ${left} processes that an earlier run had left behind`);
    this.#claimed = true;
    setAsideLongLogs(this.#instance.logs);
    this.#record();
  }

  /** Claims the instance for a run that begins with nothing, and prepares what it needs. */
  async beginAnew() {
    await this.claim();
    const { data, logs, outbox } = this.#instance;
    for (const left of [data, logs, outbox]) rmSync(left, { recursive: true, force: true });
    await prepare();
  }

  /** @returns {Promise<import('./infrastructure.mjs').Urls>} when every server answers */
  async startInfrastructure() {
    const { urls, whole } = await this.beginInfrastructure();
    await whole;
    return urls;
  }

  /** Starts the servers, and resolves when all but the broker answer: `whole` is when it does, too. */
  async beginInfrastructure() {
    const begun = await startInfrastructure({
      instance: this.#instance,
      supervisor: this.#supervisor,
    });
    this.#urls = begun.urls;
    // Commands in another terminal find the servers by it, services or none.
    this.#record();
    return begun;
  }

  /**
   * @param {import('./infrastructure.mjs').Urls} urls
   * @param {{ gatewayPort: number, processes?: boolean, replicas?: import('./placement.mjs').Replicas, settings?: NodeJS.ProcessEnv,
   *   own?: Record<string, NodeJS.ProcessEnv> }} options `own` is what single processes get besides, by name;
   *   `processes`: each replica is one; else as many processes as there are replicas, each hosting every service
   * @returns {Promise<string[]>} where the gateways answer
   */
  async startServices(
    urls,
    { gatewayPort, processes = false, replicas = 1, settings = {}, own = {} },
  ) {
    const services = serviceNames();
    const of = typeof replicas === 'number' ? `${replicas} of every service` : 'of some two';
    const together = replicas === 1 ? 'in one process' : `in ${replicas} processes`;
    const how = processes ? `one process each${replicas === 1 ? '' : `, ${of}`}` : together;
    const { baseUrls, targets } = await step(
      `Starting ${services.join(', ')} (${how})`,
      () =>
        startServices({
          instance: this.#instance,
          supervisor: this.#supervisor,
          settingsOf: (port) => this.settingsOf(urls, port, settings),
          services,
          processes,
          replicas,
          gatewayPort,
          own,
        }),
      () => `${services.length} services ready`,
    );
    this.#baseUrls = baseUrls;
    this.#targets = targets;
    this.#record();
    return baseUrls;
  }

  /**
   * What a service of this platform is started with, apart from where it listens and where the others are.
   *
   * @param {import('./infrastructure.mjs').Urls} urls
   * @param {number} gatewayPort
   * @param {NodeJS.ProcessEnv} settings
   */
  settingsOf(urls, gatewayPort, settings) {
    return {
      PUBLIC_URL: `http://localhost:${gatewayPort}`,
      ...localSettings(this.#instance, urls),
      ...settings,
    };
  }

  /** Ends the services in order, gateways first; the servers go on, with all data. */
  async stopServices() {
    await this.#supervisor.retireFrom(FIRST_SERVICE_STAGE);
    this.#baseUrls = [];
    this.#record();
  }

  /** Starts one part more, watched like the others. @param {import('./supervisor.mjs').Part} part */
  add(part) {
    return this.#supervisor.add(part);
  }

  /** Ends a part in order, for good. @param {string} name */
  retire(name) {
    return this.#supervisor.retire(name);
  }

  /** Where each service behind the gateway is reached, once they run: `LEDGER_GRPC_TARGET` and the like. */
  get targets() {
    return this.#targets;
  }

  /** Ends everything that was started here, and only that. */
  async stop() {
    if (!this.#claimed) return;
    await this.#supervisor.stop();
    forgetState(this.#instance.state);
  }

  #record() {
    writeState(this.#instance.state, {
      baseUrls: this.#baseUrls,
      urls: this.#urls,
      parts: this.#supervisor.recorded(),
    });
  }
}

/**
 * Logs are continued from start to start; a long one is kept aside once, so that they do not fill the disk.
 *
 * @param {string} folder
 */
function setAsideLongLogs(folder) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const file = path.join(folder, name);
    if (name.endsWith('.log') && statSync(file).size > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  }
}
