import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:process';
import { gateways } from './support/api';

const LISTEN = '0A';

interface Listener {
  inode: string;
  address: string;
  port: number;
}

/** Every listening TCP socket of this machine, as the kernel lists it. */
function listeners(): Listener[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === LISTEN)
      .map((columns) => {
        const [address, port] = columns[1]!.split(':') as [string, string];
        return { inode: columns[9]!, address, port: Number.parseInt(port, 16) };
      }),
  );
}

/** Which process holds which socket; only those that this user may look into. */
function holders(): Map<string, string> {
  const found = new Map<string, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
        const socket = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`));
        if (socket) found.set(socket[1]!, pid);
      }
    } catch {
      // It has ended, closed the descriptor, or belongs to somebody else.
    }
  }
  return found;
}

/** 127.0.0.0/8 and ::1 as the kernel writes them; also the first one dressed as IPv6. */
const isLoopback = ({ address }: Listener): boolean =>
  /^[0-9A-F]{6}7F$/.test(address) ||
  address === '00000000000000000000000001000000' ||
  /^0000000000000000FFFF0000[0-9A-F]{6}7F$/.test(address);

/** The ports that the platform is known by, and the name service of Erlang beside its broker. */
function knownPorts(): number[] {
  const urls = ['MONGODB_URI', 'RABBITMQ_URL', 'REDIS_URL'].map((name) => process.env[name]!);
  const targets = Object.entries(process.env)
    .filter(([name]) => name.endsWith('_GRPC_TARGET'))
    .flatMap(([, target]) => target!.split(','));
  return [...urls, ...gateways(), ...targets].map((text) =>
    Number(/:(\d+)(?:\/.*)?$/.exec(text)![1]),
  );
}

function nameServicePort(pid: string): number[] {
  const settings = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return settings
    .filter((setting) => setting.startsWith('ERL_EPMD_PORT='))
    .map((setting) => Number(setting.split('=')[1]));
}

const onLinux = platform === 'linux' ? test : test.skip;

onLinux('nothing that npm start runs can be reached from another machine', () => {
  const all = listeners();
  const holderOf = holders();
  const pidsOn = (ports: number[]) =>
    all.filter(({ port }) => ports.includes(port)).map(({ inode }) => holderOf.get(inode)!);
  const pids = new Set(pidsOn(knownPorts()));
  expect(pids.size).toBeGreaterThanOrEqual(4);
  for (const pid of [...pids]) for (const other of pidsOn(nameServicePort(pid))) pids.add(other);

  const held = all.filter(({ inode }) => pids.has(holderOf.get(inode)!));
  expect(held.length).toBeGreaterThan(pids.size);
  expect(held.filter((listener) => !isLoopback(listener))).toEqual([]);
});
