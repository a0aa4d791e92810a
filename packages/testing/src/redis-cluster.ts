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
  /** From here on one node takes connections and says nothing, until it is to go on. */
  hang(node: number): { goOn(): void };
  stop(): Promise<void>;
}

export interface RedisServer {
  url: string;
  stop(): Promise<void>;
}

const NODES = 3;
const run = promisify(execFile);

/** A server of its own on loopback, for a test that sets it otherwise than others may want it. */
export async function startRedisServer(options: Record<string, string>): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'redis-server-'));
  const [port] = await freePorts(1);
  const server = startNode(folder, port!, options);
  const stop = async (): Promise<void> => {
    await end(server);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answering(String(port), 'ping', /PONG/);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `redis://127.0.0.1:${port}`, stop };
}

/** Three nodes of Debian's redis-server on loopback, each with a third of the slots. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'redis-cluster-'));
  const ports = await freePorts(2 * NODES);
  const nodes = Array.from({ length: NODES }, (_, at) =>
    startNode(folder, ports[2 * at]!, clusterOptions(ports[2 * at]!, ports[2 * at + 1]!)),
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
    hang: (node) => {
      nodes[node]!.kill('SIGSTOP');
      return { goOn: () => void nodes[node]!.kill('SIGCONT') };
    },
    stop,
  };
}

const clusterOptions = (port: number, busPort: number): Record<string, string> => ({
  'cluster-port': String(busPort),
  'cluster-enabled': 'yes',
  'cluster-config-file': `nodes-${port}.conf`,
  // The others go on when one is away, as the house does without any.
  'cluster-require-full-coverage': 'no',
});

function startNode(folder: string, port: number, options: Record<string, string>): ChildProcess {
  const all = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', ...options };
  const given = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
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
