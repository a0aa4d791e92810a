import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from './listen';
import { metrics } from './metrics';

/** Resolves when the dependency answers; rejects, or resolves to false, when it is down. */
export type HealthCheck = () => Promise<unknown>;

export interface Readiness {
  ready: boolean;
  /** Why not: `starting` or `stopping`. */
  reason: string | null;
}

export interface Dependencies {
  healthy: boolean;
  /** Names of the dependencies that do not answer; `starting` and `stopping` stand for the process itself. */
  down: string[];
}

const CHECK_MS_MAX = 2_000;
/** Many may ask at once; all of them get what was found out for so long. */
const REMEMBERED_MS = 500;

/** Those of the services that this process hosts, which share one health port (deploy/local/src/hosting.ts). */
const ofProcess = new Set<Health>();

/**
 * Live: the process turns. Ready: it has started and is not stopping. What it depends on is kept apart
 * from that (docs/adr/0010): a dependency that is away makes requests fail that need it, and no others; taking every
 * replica out of service for it would make all of them fail.
 */
export class Health {
  private readonly checks = new Map<string, HealthCheck>();
  private phase: 'starting' | 'started' | 'stopping' = 'starting';
  private known: { at: number; answer: Promise<string[]> } | undefined;

  constructor(private readonly service: string) {
    ofProcess.add(this);
  }

  add(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
    this.known = undefined;
  }

  /** Everything is open: from now on ready. */
  started(): void {
    if (this.phase === 'starting') this.phase = 'started';
  }

  /** From now on not ready, so that no new work arrives while stopping. */
  drain(): void {
    this.phase = 'stopping';
  }

  /** Its service has ended; what is left of the process goes on. */
  end(): void {
    ofProcess.delete(this);
  }

  readiness(): Readiness {
    const ready = this.phase === 'started';
    return { ready, reason: ready ? null : this.phase };
  }

  async dependencies(): Promise<Dependencies> {
    const { ready, reason } = this.readiness();
    const down = [...(await this.unanswered()), ...(reason === null ? [] : [reason])];
    return { healthy: ready && down.length === 0, down };
  }

  private unanswered(): Promise<string[]> {
    // Not by the day's time: set back, it would keep an old answer for as long.
    const now = performance.now();
    if (this.known === undefined || now - this.known.at > REMEMBERED_MS)
      this.known = { at: now, answer: this.ask() };
    return this.known.answer;
  }

  private async ask(): Promise<string[]> {
    const names = [...this.checks.keys()];
    const up = await Promise.all([...this.checks.values()].map((check) => answers(check)));
    for (const [index, dependency] of names.entries())
      metrics.dependencyUp.set({ service: this.service, dependency }, up[index] ? 1 : 0);
    return names.filter((_, index) => !up[index]);
  }
}

async function answers(check: HealthCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_MS_MAX);
  });
  try {
    return (await Promise.race([check(), timeout])) !== false;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** What the health paths answer, on the internal port and on the gateway's. */
export async function healthAnswer(
  health: Told,
  path: string,
): Promise<{ status: number; body: object } | null> {
  if (path === '/health/live') return { status: 200, body: { status: 'live' } };
  if (path === '/health/ready') {
    const { ready, reason } = health.readiness();
    return ready
      ? { status: 200, body: { status: 'ready' } }
      : { status: 503, body: { status: 'not ready', reason } };
  }
  if (path === '/health/dependencies') {
    const { healthy, down } = await health.dependencies();
    return {
      status: healthy ? 200 : 503,
      body: { status: healthy ? 'healthy' : 'not healthy', down },
    };
  }
  return null;
}

/** What a process says of itself: it is as ready as the service of it that is not. */
type Told = Pick<Health, 'readiness' | 'dependencies'>;

const together = (own: Health): Told => {
  const all = () => [...new Set([own, ...ofProcess])];
  return {
    readiness: () => {
      const each = all().map((health) => health.readiness());
      return each.find(({ ready }) => !ready) ?? each[0]!;
    },
    dependencies: async () => {
      const each = await Promise.all(all().map((health) => health.dependencies()));
      const down = [...new Set(each.flatMap((one) => one.down))];
      return { healthy: down.length === 0, down };
    },
  };
};

export interface HealthServer {
  port: number;
  stop(): Promise<void>;
}

/**
 * The internal port: /health/live, /health/ready, /health/dependencies (503 names what is down) and /metrics, of all
 * services of the process.
 */
export async function startHealthServer(
  health: Health,
  port: number,
  host: string,
): Promise<HealthServer> {
  const process = together(health);
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'Content-Type': type }).end(body);
    };
    const path = request.url?.split('?')[0] ?? '/';
    const reply = async (): Promise<void> => {
      if (path === '/metrics') {
        await process.dependencies();
        return answer(200, metrics.registry.contentType, await metrics.registry.metrics());
      }
      const { status, body } = (await healthAnswer(process, path)) ?? { status: 404, body: {} };
      answer(status, 'application/json', JSON.stringify(body));
    };
    reply().catch(() => answer(500, 'application/json', '{}'));
  });
  await listen(server, { port, host });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
