import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export interface RedisCluster {
  /** As `REDIS_URL` names a cluster. */
  url: string;
  /** Ends one node, as its machine would. */
  kill(node: number): void;
  stop(): Promise<void>;
}

const NODES = 3;
const run = promisify(execFile);

/** Three nodes of Debian's redis-server on loopback, each with a third of the slots. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'redis-cluster-'));
  const ports = await freePorts(2 * NODES);
  const nodes = Array.from({ length: NODES }, (_, at) =>
    startNode(folder, ports[2 * at]!, ports[2 * at + 1]!),
  );
  const addresses = nodes.map((_, at) => `127.0.0.1:${ports[2 * at]}`);
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map(end));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const [, port] of addresses.map((address) => address.split(':')))
      await answering(port!, 'ping', /PONG/);
    await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
    for (const [, port] of addresses.map((address) => address.split(':')))
      await answering(port!, 'cluster info', /cluster_state:ok/);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: addresses.map((address) => `redis://${address}`).join(','),
    kill: (node) => void nodes[node]!.kill('SIGKILL'),
    stop,
  };
}

function startNode(folder: string, port: number, busPort: number): ChildProcess {
  const options = {
    port,
    'cluster-port': busPort,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    'cluster-enabled': 'yes',
    'cluster-config-file': `nodes-${port}.conf`,
    // The others go on when one is away, as the house does without any.
    'cluster-require-full-coverage': 'no',
  };
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return spawn('redis-server', given, { stdio: 'ignore' });
}

async function end(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const ended = once(node, 'exit');
  node.kill('SIGKILL');
  await ended;
}

async function answering(port: string, command: string, answer: RegExp): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const told = await run('redis-cli', ['-p', port, ...command.split(' ')]).catch(() => null);
    if (told && answer.test(told.stdout)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the node of Redis on port ${port} never said ${answer}`);
}

/** Held together, so that no two of them are the same. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
