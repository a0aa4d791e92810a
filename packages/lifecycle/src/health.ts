import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metrics } from './metrics';

/** Resolves when the dependency answers; rejects, or resolves to false, when it is down. */
export type HealthCheck = () => Promise<unknown>;

export interface Readiness {
  ready: boolean;
  /** Names of the dependencies that are down. */
  down: string[];
}

const CHECK_MS_MAX = 2_000;

/** Live: the process turns. Ready: its dependencies answer and it is not stopping. */
export class Health {
  private readonly checks = new Map<string, HealthCheck>();
  private draining = false;

  add(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** From now on not ready, so that no new work arrives while stopping. */
  drain(): void {
    this.draining = true;
  }

  async readiness(): Promise<Readiness> {
    const names = [...this.checks.keys()];
    const up = await Promise.all([...this.checks.values()].map((check) => answers(check)));
    const down = names.filter((_, index) => !up[index]);
    if (this.draining) down.push('stopping');
    return { ready: down.length === 0, down };
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

export interface HealthServer {
  port: number;
  stop(): Promise<void>;
}

/** The internal port: /health/live, /health/ready (503 names what is down) and /metrics. */
export async function startHealthServer(
  health: Health,
  port: number,
  host = '0.0.0.0',
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'Content-Type': type }).end(body);
    };
    const path = request.url?.split('?')[0];
    if (path === '/health/live') return answer(200, 'application/json', '{"status":"live"}');
    const reply =
      path === '/health/ready'
        ? health
            .readiness()
            .then(({ ready, down }) =>
              answer(
                ready ? 200 : 503,
                'application/json',
                JSON.stringify({ status: ready ? 'ready' : 'not ready', down }),
              ),
            )
        : path === '/metrics'
          ? metrics.registry
              .metrics()
              .then((text) => answer(200, metrics.registry.contentType, text))
          : Promise.resolve(answer(404, 'application/json', '{}'));
    reply.catch(() => answer(500, 'application/json', '{}'));
  });
  await listen(server, port, host);
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
