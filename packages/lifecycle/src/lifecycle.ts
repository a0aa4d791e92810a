import type { Logger } from './logger';
import { tidyAtRest } from './tidying';

type Release = () => Promise<void> | void;

/**
 * What a service has opened. The line after an open registers its close; stopping closes in reverse
 * order, within a deadline, and a start that fails halfway unwinds the same way.
 */
export class Lifecycle {
  private readonly releases: { name: string; release: Release }[] = [];
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly shutdownMsMax = 20_000,
  ) {}

  get isStopping(): boolean {
    return this.stopping !== undefined;
  }

  onStop(name: string, release: Release): void {
    this.releases.push({ name, release });
  }

  /** Runs `open`; whatever it registered before failing is closed again. */
  async start<T>(open: () => Promise<T>): Promise<T> {
    try {
      return await open();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  stop(): Promise<void> {
    this.stopping ??= this.releaseAll();
    return this.stopping;
  }

  private async releaseAll(): Promise<void> {
    const deadlineAt = performance.now() + this.shutdownMsMax;
    for (const { name, release } of this.releases.reverse()) {
      try {
        await withinMs(Promise.resolve(release()), Math.max(deadlineAt - performance.now(), 100));
      } catch (error) {
        this.logger.error({ err: error, resource: name }, 'could not close in time');
      }
    }
  }
}

async function withinMs(work: Promise<void>, durationMsMax: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`still closing after ${durationMsMax} ms`)),
      durationMsMax,
    );
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export interface Running {
  stop(): Promise<void>;
}

/**
 * Runs one service as this process: starts it, stops it on SIGTERM or SIGINT, and ends with a
 * non-zero code when it cannot start or something fails outside any request. What it holds for nothing is given back
 * while it has little to do.
 */
export function runAsProcess(logger: Logger, start: () => Promise<Running>): void {
  let running: Running | undefined;
  let ending = false;
  const end = async (exitCode: number): Promise<void> => {
    if (ending) return;
    ending = true;
    await running?.stop();
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => void end(0));
  process.on('SIGINT', () => void end(0));
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled rejection');
    void end(1);
  });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    void end(1);
  });
  start().then(
    async (started) => {
      running = started;
      if (ending) await started.stop();
      else tidyAtRest();
    },
    (error: unknown) => {
      logger.fatal({ err: error }, 'could not start');
      process.exit(1);
    },
  );
}
