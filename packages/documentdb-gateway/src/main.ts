#!/usr/bin/env node
import { readConfig } from './config';
import { startGateway } from './gateway';

function log(event: string, details: Record<string, unknown> = {}): void {
  process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), event, ...details })}\n`,
  );
}

async function main(): Promise<void> {
  const gateway = await startGateway(readConfig(process.env), log);
  log('listening', { port: gateway.port, pid: process.pid });
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log('stopping', { signal });
    await gateway.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

main().catch((error) => {
  log('could not start', { reason: error instanceof Error ? error.message : String(error) });
  process.exit(1);
});
