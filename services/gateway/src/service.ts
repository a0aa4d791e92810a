import { createTokens } from '@laurel/auth-cache';
import { connectRedis, type Redis } from '@laurel/backend';
import { type Config, type Environment, loadConfig } from '@laurel/config';
import {
  createLogger,
  Health,
  Lifecycle,
  type Logger,
  type Running,
  startHealthServer,
  startTracing,
} from '@laurel/lifecycle';
import { createApp } from './app';
import { settings } from './config';
import { createEnrollmentPage } from './enrollment-page/router';
import { listenAt } from './http-listen';
import { createHttpServer } from './http-server';
import { createMailFrame } from './mail-frame/router';
import { type AdmissionSettings, createAdmission } from './middleware/admission';
import { createAudit } from './middleware/audit';
import { createAuditTrail } from './middleware/audit-trail';
import { createAuthenticate } from './middleware/authenticate';
import { createIdempotency } from './middleware/idempotency';
import { createLiveAnswers } from './middleware/live-answers';
import { createRateLimits, uncounted } from './middleware/rate-limit';
import { watchRedisMemory } from './middleware/redis-memory';
import { createWrongCredentials } from './middleware/wrong-credentials';
import { createPages } from './pages';
import { createPlainPages } from './plain-page/router';
import { readPageAssets } from './portal-page/assets';
import { createPortalPage } from './portal-page/router';
import { routes } from './routes';
import type { LimitName } from './routing';
import { createRpcClients, type RpcClients } from './rpc-clients';
import { readBuiltPage, readBuiltSite } from './static-page/assets';
import { accountPlace, consolePlace, docsPlace, tillPlace } from './static-page/places';
import { createStaticPage } from './static-page/router';
import { createStaticSite } from './static-page/site';

/** The pages that are built to files, by the packages that hold them. */
const BUILT_PAGES = [
  [accountPlace, '@laurel/account-page'],
  [consolePlace, '@laurel/console-page'],
  [tillPlace, '@laurel/till-page'],
] as const;

export interface RunningGateway extends Running {
  port: number;
}

/** Starts the gateway: stateless but for Redis, so that any number of them may run side by side. */
export async function start(environment?: Environment): Promise<RunningGateway> {
  const config = loadConfig(settings, environment);
  const logger = createLogger('gateway', config.logLevel);
  const lifecycle = new Lifecycle(logger, config.shutdownSeconds * 1_000);
  const health = new Health('gateway');
  lifecycle.onStop('health', () => health.end());
  return lifecycle.start(async () => {
    if (config.healthPort !== 0) {
      const healthServer = await startHealthServer(health, config.healthPort, config.healthHost);
      lifecycle.onStop('health server', () => healthServer.stop());
    }
    if (config.otlpEndpoint)
      lifecycle.onStop('tracing', await startTracing('gateway', config.otlpEndpoint));
    const redis = await openRedis(config.redisUrl, lifecycle, logger);
    const rpc = createRpcClients(targetsOf(config), config.rpcTlsFolder);
    for (const [name, client] of Object.entries(rpc)) {
      lifecycle.onStop(`${name} client`, () => client.close());
    }
    const trail = createAuditTrail({ identity: rpc.identity, redis, logger });
    lifecycle.onStop('audit', () => trail.stop());
    watchDependencies(health, rpc, redis);
    const admission = createAdmission(admissionOf(config));
    lifecycle.onStop('admission', () => admission.stop());
    const limits = createRateLimits(redis, limitsOf(config));
    const tokens = createTokens(config.jwtSecret, config.jwtSecretPrevious);
    const credentials = createWrongCredentials(limits);
    const worth = { rpc, redis, tokens, publicUrl: config.publicUrl };
    const authenticate = createAuthenticate({ ...worth, limits, credentials });
    const reauthenticate = createAuthenticate({
      ...worth,
      limits: uncounted,
      credentials: createWrongCredentials(uncounted),
    });
    const { streamsMax: max, streamsCallerMax: callerMax } = config;
    const liveAnswers = createLiveAnswers({ max, callerMax }, logger);
    const beginIdempotent = createIdempotency(redis, logger);
    const { requestMsMax, publicUrl } = config;
    const pages = createPages(health, logger);
    pages.use(createPlainPages(logger));
    const asking = { rpc, admission, limits, logger, requestMsMax };
    pages.use(createPortalPage({ ...asking, assets: readPageAssets() }));
    pages.use(createEnrollmentPage(asking));
    addBuiltPages(pages, logger);
    const app = createApp(
      { routes, pages, settings: config },
      {
        rpc,
        admission,
        authenticate,
        reauthenticate,
        liveAnswers,
        limits,
        credentials,
        beginIdempotent,
        audit: createAudit(trail),
        logger,
        requestMsMax,
        publicUrl,
      },
    );
    const server = createHttpServer(app, config.connectionsMax);
    const { port, close } = await listenAt(server, config.port, config.host);
    lifecycle.onStop('http server', close);
    lifecycle.onStop('live answers', () => liveAnswers.stop());
    health.started();
    logger.info({ port }, 'gateway is ready');
    return { port, stop: () => drain(health, lifecycle, logger) };
  });
}

async function openRedis(url: string, lifecycle: Lifecycle, logger: Logger): Promise<Redis> {
  const redis = await connectRedis(url, logger);
  lifecycle.onStop('redis', () => redis.destroy());
  lifecycle.onStop('memory of Redis', watchRedisMemory(redis, logger));
  return redis;
}

function addBuiltPages(pages: ReturnType<typeof createPages>, logger: Logger): void {
  // Before the console, whose every address below its place is its own.
  pages.use(createMailFrame(logger));
  for (const [place, name] of BUILT_PAGES)
    pages.use(createStaticPage(place, readBuiltPage(name), logger));
  pages.use(createStaticSite(docsPlace, readBuiltSite('@laurel/docs-page'), logger));
}

async function drain(health: Health, lifecycle: Lifecycle, logger: Logger): Promise<void> {
  logger.info('stopping');
  health.drain();
  await lifecycle.stop();
}

/** Settings named `<service>Target` say where each service is. */
function targetsOf(config: Config<typeof settings>): Record<keyof RpcClients, string> {
  const targets = Object.entries(config).filter(([name]) => name.endsWith('Target'));
  return Object.fromEntries(
    targets.map(([name, target]) => [name.replace(/Target$/, ''), target]),
  ) as Record<keyof RpcClients, string>;
}

function admissionOf(config: Config<typeof settings>): AdmissionSettings {
  return {
    runningMax: config.admissionRunningMax,
    waitingMax: config.admissionWaitingMax,
    waitMsMax: Math.min(config.admissionWaitMsMax, config.requestMsMax / 2),
    callerMax: config.admissionCallerMax,
  };
}

function limitsOf(config: Config<typeof settings>): Record<LimitName, number> {
  return {
    TOKEN: config.limitToken,
    IP: config.limitIp,
    // By default as many as may fail of one address (part 4, section 12).
    SIGN_IN: 5 * config.limitIp,
    ASSET: 10 * config.limitIp,
    PORTAL_SESSION: config.limitPortalSession,
    PORTAL_ERASE: config.limitPortalErase,
    ENROLL: config.limitEnroll,
    WALLET: config.limitWallet,
    EMBED: config.limitEmbed,
    WRONG_CREDENTIAL: config.limitWrongCredential,
  };
}

function watchDependencies(
  health: Health,
  rpc: RpcClients,
  redis: { ping(): Promise<unknown> },
): void {
  for (const [name, client] of Object.entries(rpc)) health.add(name, () => client.ready());
  health.add('redis', () => redis.ping());
}
