import { spawn } from 'node:child_process';
import { createDecipheriv, createPrivateKey, sign } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@laurel/testing';
import { withLock } from './lock.mjs';
import { removeStaleOutputs } from './outputs.mjs';
import { freePort, freePortFrom, isListening } from './ports.mjs';
import { isAlive, run, spawnLogged, startTimeOf, stopProcess } from './processes.mjs';
import { loadSecrets } from './secrets.mjs';
import { digestOf, filesBelow, isStamped, stamp } from './stamps.mjs';
import { isRunning, stopLeftovers } from './state.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-local-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what was built from a source that is gone goes with it, and nothing else', () => {
  for (const name of ['src', 'dist', 'dist/store']) mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, 'src/kept.ts'), '');
  const outputs = ['kept.js', 'kept.d.ts', 'kept.js.map', 'store/gone.js', 'store/gone.d.ts.map'];
  for (const name of [...outputs, 'notes.txt']) writeFileSync(path.join(folder, 'dist', name), '');
  expect(removeStaleOutputs(folder).sort()).toEqual(['store/gone.d.ts.map', 'store/gone.js']);
  const isThere = (name: string) => existsSync(path.join(folder, 'dist', name));
  expect([...outputs, 'notes.txt'].map(isThere)).toEqual([true, true, true, false, false, true]);
  expect(removeStaleOutputs(path.join(folder, 'src'))).toEqual([]);
});

describe('stamps', () => {
  test('the digest changes with names and contents of sources, not with what is built', () => {
    const digest = () => digestOf(filesBelow([folder]));
    writeFileSync(path.join(folder, 'a.ts'), '1');
    const before = digest();
    mkdirSync(path.join(folder, 'dist'));
    writeFileSync(path.join(folder, 'dist/a.js'), '1');
    writeFileSync(path.join(folder, 'tsconfig.tsbuildinfo'), '{}');
    expect(digest()).toBe(before);
    writeFileSync(path.join(folder, 'a.ts'), '2');
    expect(digest()).not.toBe(before);
  });

  test('a stamp holds for its digest only', () => {
    const file = path.join(folder, 'stamps/build');
    expect(isStamped(file, 'one')).toBe(false);
    stamp(file, 'one');
    expect([isStamped(file, 'one'), isStamped(file, 'two')]).toEqual([true, false]);
  });
});

describe('ports', () => {
  test('a taken port gives the next free one', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as net.AddressInfo;
    expect(await isListening(port)).toBe(true);
    expect(await freePortFrom(port)).toBeGreaterThan(port);
    server.close();
  });

  test('of platforms that start at one moment each gets a port of its own, and a port is free again when its platform is gone', async () => {
    const wanted = await freePort();
    const program = `
      import { freePortFrom } from ${JSON.stringify(path.join(__dirname, 'ports.mjs'))};
      process.stdout.write('ready ');
      process.stdin.once('data', async () => process.stdout.write(String(await freePortFrom(${wanted + 1}))));
      process.stdin.once('end', () => process.exit());`;
    const platforms = Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.on('data', (text) => {
        said += text;
      });
      return { child, said: () => said, gone: once(child, 'exit') };
    });
    const portsOf = () => platforms.map(({ said }) => Number(said().slice('ready '.length)));
    try {
      await until(() => platforms.every(({ said }) => said() === 'ready '));
      for (const { child } of platforms) child.stdin.write('go');
      await until(() => platforms.every(({ said }) => /\d{5}$/.test(said())));
      const ports = portsOf();
      expect(new Set(ports).size).toBe(ports.length);
      expect(await freePortFrom(wanted + 1)).toBeGreaterThan(Math.max(...ports));
    } finally {
      for (const { child } of platforms) child.stdin.end();
    }
    await Promise.all(platforms.map(({ gone }) => gone));
    expect(await freePortFrom(wanted + 1)).toBe(Math.min(...portsOf()));
  });

  test('a machine without IPv6 has a port free on every interface, too', async () => {
    const { listen } = net.Server.prototype;
    const hosts: unknown[] = [];
    const listening = jest.spyOn(net.Server.prototype, 'listen');
    listening.mockImplementation(function (this: net.Server, ...given: unknown[]) {
      const [{ host }] = given as [net.ListenOptions];
      if (host) hosts.push(host);
      if (host !== '::') return listen.apply(this, given as never);
      const unknown = Object.assign(new Error('no such family'), { code: 'EAFNOSUPPORT' });
      process.nextTick(() => this.emit('error', unknown));
      return this;
    });
    try {
      const wanted = await freePort();
      expect(await freePortFrom(wanted + 1, '::')).toBeGreaterThan(wanted);
      expect(hosts.slice(-2)).toEqual(['::', '0.0.0.0']);
    } finally {
      listening.mockRestore();
    }
  });

  test('any port is one of its own, and none that systems lend to outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    expect(new Set(ports).size).toBe(ports.length);
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });
});

describe('secrets', () => {
  test('are made once, usable, and readable by their owner only', () => {
    const file = path.join(folder, 'secrets.json');
    const secrets = loadSecrets(file);
    expect(loadSecrets(file)).toEqual(secrets);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Buffer.from(secrets.JWT_SECRET, 'base64url').length).toBeGreaterThanOrEqual(32);
    expect(() =>
      createDecipheriv('aes-256-gcm', Buffer.from(secrets.SECRETS_KEY, 'base64'), Buffer.alloc(12)),
    ).not.toThrow();
    const key = createPrivateKey(Buffer.from(secrets.CHECKPOINT_SIGNING_KEY, 'base64'));
    expect(key.asymmetricKeyType).toBe('ed25519');
    expect(sign(null, Buffer.from('root'), key)).toHaveLength(64);
  });
});

describe('lock', () => {
  test('one at a time', async () => {
    const file = path.join(folder, 'lock');
    let inside = 0;
    const work = () =>
      withLock(file, async () => {
        inside += 1;
        expect(inside).toBe(1);
        await run('true', []);
        inside -= 1;
      });
    await Promise.all([work(), work(), work()]);
    expect(existsSync(file)).toBe(false);
  });

  test('a lock whose holder is gone is taken over', async () => {
    const file = path.join(folder, 'lock');
    writeFileSync(file, '999999999');
    expect(await withLock(file, async () => 'done')).toBe('done');
  });
});

describe('processes', () => {
  test('output is kept in the log and the process ends when asked', async () => {
    const logFile = path.join(folder, 'logs/echo.log');
    const { pid } = spawnLogged('sh', ['-c', 'echo started; exec sleep 60'], { logFile });
    expect(isAlive(pid)).toBe(true);
    await stopProcess(pid);
    expect(isAlive(pid)).toBe(false);
    expect(readFileSync(logFile, 'utf8')).toMatch(/^(started\n)?$/);
  });

  test('one that does not listen is killed after its grace', async () => {
    const { pid } = spawnLogged('sh', ['-c', 'trap "" TERM; while :; do sleep 1; done'], {
      logFile: path.join(folder, 'log'),
    });
    await stopProcess(pid, { graceMs: 200 });
    expect(isAlive(pid)).toBe(false);
  });

  test('a failed command says what it printed', async () => {
    await expect(run('sh', ['-c', 'echo no room; exit 3'])).rejects.toThrow(
      /exit code 3[\s\S]*no room/,
    );
  });
});

describe('state', () => {
  test('leftovers are ended, strangers with a recorded id are not', async () => {
    const logFile = path.join(folder, 'log');
    const left = spawnLogged('sleep', ['60'], { logFile }).pid;
    const stranger = spawnLogged('sleep', ['60'], { logFile }).pid;
    const parts = [
      { name: 'redis', pid: left, stage: 1, startTime: startTimeOf(left) },
      { name: 'ledger', pid: stranger, stage: 2, startTime: 'another time' },
    ];
    expect(parts.map(isRunning)).toEqual([true, false]);
    expect(await stopLeftovers({ pid: 1, startTime: '', baseUrls: [], parts })).toBe(1);
    expect([isAlive(left), isAlive(stranger)]).toEqual([false, true]);
    await stopProcess(stranger);
  });
});
