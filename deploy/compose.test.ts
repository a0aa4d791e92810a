import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backend } from '@laurel/config';
import { mailSettings } from '@laurel/mail';
import { parse } from 'yaml';
import { documentedCommands } from '../scripts/check-document-commands.mjs';
import { SECRETS_OF } from './local/lib/compose-secrets.mjs';
import { ROOT } from './local/lib/paths.mjs';
import { filesBelow } from './local/lib/stamps.mjs';
import { serviceNames } from './local/lib/workspace.mjs';

interface Container {
  build?: Record<string, unknown>;
  command?: string[];
  depends_on?: Record<string, unknown>;
  environment?: Record<string, string>;
  healthcheck?: { start_period?: string };
  logging?: { options: Record<string, string> };
  restart?: string;
  stop_grace_period?: string;
  profiles?: string[];
  volumes?: string[];
}

const compose = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');

test.each(serviceNames())('docker compose runs %s', (name) => {
  expect(compose).toMatch(
    new RegExp(`^ {2}${name}:\\n(?: {4}.*\\n)*? {4}build: .*SERVICE: ${name} }`, 'm'),
  );
});

test('the gateway waits for every other service', () => {
  const gateway = /^ {2}gateway:\n((?: {4}.*\n)+)/m.exec(compose)?.[1] ?? '';
  const others = serviceNames().filter((name) => name !== 'gateway');
  const waitedFor = [...gateway.matchAll(/^ {6}(\w+): \{ condition: service_healthy \}/gm)].map(
    ([, name]) => name,
  );
  expect(waitedFor).toEqual(expect.arrayContaining(others));
});

describe('what runs for long', () => {
  const running = Object.entries<Container>(parse(compose, { merge: true }).services).filter(
    ([, { restart }]) => restart === 'unless-stopped',
  );

  test.each(running)('%s keeps so much of its log and no more', (_, { logging }) => {
    expect(Object.keys(logging?.options ?? {}).sort()).toEqual(['max-file', 'max-size']);
  });

  test.each(running)('%s is given longer to end than a service takes at most', (_, container) => {
    const [, seconds] = /^(\d+)s$/.exec(container.stop_grace_period ?? '') ?? [];
    // How far the document of the settings says that one may go.
    const [, most] = /Up to (\d+) /.exec(backend.shutdownSeconds.description)!;
    expect(Number(seconds)).toBeGreaterThan(Number(most));
  });
});

describe('what others wait for', () => {
  const minutes = (text = '') => Number(/^(\d+)m$/.exec(text)?.[1]);

  test.each(['Dockerfile', 'Dockerfile.all'])(
    '%s takes a start that builds indexes for no failure, as long as an upgrade is given time',
    (file) => {
      const [, period] = /--start-period=(\w+) /.exec(
        readFileSync(path.join(ROOT, 'deploy', file), 'utf8'),
      )!;
      const upgrade = readFileSync(path.join(ROOT, 'docs/upgrade.md'), 'utf8');
      const [, hours] = /--timeout (\d+)h/.exec(upgrade)!;
      expect(minutes(period)).toBeGreaterThanOrEqual(60 * Number(hours));
    },
  );

  test.each(['mongo', 'rabbitmq', 'redis'])('%s is given the time to recover', (store) => {
    const container: Container = parse(compose, { merge: true }).services[store];
    expect(minutes(container.healthcheck?.start_period)).toBeGreaterThanOrEqual(10);
  });
});

test.each(['identity', 'passes'])('%s gets what says how its mails and texts leave', (name) => {
  const { environment }: Container = parse(compose, { merge: true }).services[name];
  const variables = Object.values(mailSettings).map(({ variable }) => variable);
  expect(Object.keys(environment ?? {})).toEqual(expect.arrayContaining(variables));
});

test('how long the certificates between services hold, and what renews them, stands where they are switched on', () => {
  const [overlay = '', maker = ''] = ['docker-compose.tls.yml', 'deploy/certificates.mjs'].map(
    (file) => readFileSync(path.join(ROOT, file), 'utf8'),
  );
  const [, days] = /CERTIFICATE_DAYS = '(\d+)'/.exec(maker)!;
  expect(overlay).toContain(`hold for ${days} days`);
  expect(overlay).toMatch(/^# {3}\S+ \S+ \S+ \* \* .*node deploy\/certificates\.mjs tls$/m);
});

describe('mutual TLS, once it is switched on', () => {
  const overlay = readFileSync(path.join(ROOT, 'docker-compose.tls.yml'), 'utf8');
  const typed = overlay.match(/^# {3}(?:test|printf) .*$/gm)!.map((line) => line.slice(1).trim());
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'laurel-compose-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const here = (name: string) => path.join(folder, name);
  const switchOn = () => execFileSync('sh', ['-ec', typed.join('\n')], { cwd: folder });

  test('is so for each command that names no files, with what the operator has set', () => {
    switchOn();
    const settings = readFileSync(here('.env'), 'utf8');
    const files = /^COMPOSE_FILE=(\S+)$/m.exec(settings)![1]!.split(':');
    expect(files).toEqual([
      'docker-compose.yml',
      'docker-compose.tls.yml',
      'docker-compose.override.yml',
    ]);
    expect(parse(readFileSync(here('docker-compose.override.yml'), 'utf8'))).toEqual({
      services: {},
    });
  });

  test.each([
    ['ends', '\n'],
    ['does not end', ''],
  ])('leaves settings that are there, where the last line %s', (_what, end) => {
    const own = 'services: { passes: { environment: { APPLE_TEAM_IDENTIFIER: ABCDE12345 } } }\n';
    writeFileSync(here('docker-compose.override.yml'), own);
    writeFileSync(here('.env'), `PUBLIC_URL=https://loyalty.shop.example/${end}`);
    switchOn();
    expect(readFileSync(here('docker-compose.override.yml'), 'utf8')).toBe(own);
    expect(readFileSync(here('.env'), 'utf8')).toMatch(
      /^PUBLIC_URL=https:\/\/loyalty\.shop\.example\/\n+COMPOSE_FILE=docker-compose\.yml:\S+\n$/,
    );
  });

  test('is taken off by no command of a page: none names the files itself', () => {
    const pages = filesBelow(
      ['README.md', 'docs', 'deploy', 'docker-compose.yml', 'docker-compose.tls.yml'].map((name) =>
        path.join(ROOT, name),
      ),
    ).filter((page) => /\.(md|yml|yaml|mjs)$/.test(page));
    const named = pages.flatMap((page) => [
      ...readFileSync(page, 'utf8').matchAll(
        /docker compose(?: -\S+(?: [^\s-]\S*)?)* (?:-f|--file)\b.*/g,
      ),
    ]);
    expect(named.map(([command]) => command)).toEqual([]);
  });
});

test('keys that an operator makes beside the sources reach neither git nor an image', () => {
  const [git, images] = ['.gitignore', '.dockerignore'].map((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .map((line) => line.replace(/^\/|\/$/g, '')),
  );
  const made = ['settings.env', 'secrets.json', '.env', 'docker-compose.override.yml'];
  for (const name of [...made, 'tls', '.local']) {
    expect(git).toContain(name);
    expect(images).toContain(name);
  }
});

describe('where an operator types commands', () => {
  const services: Record<string, Container> = parse(compose, { merge: true }).services;
  const { operator } = services;

  test('every service is there to be looked at, and `up` starts nothing of it', () => {
    expect(operator!.build).toMatchObject({ dockerfile: 'deploy/Dockerfile.all' });
    expect(operator!.profiles).toEqual(['operator']);
    // A server that is not well must not keep it from starting.
    expect(Object.keys(operator!.depends_on!)).toEqual(['secrets']);
  });

  test('the addresses of the servers are found, and a folder for backups that its user may write to', () => {
    const mounted = [...operator!.volumes!];
    expect(mounted).toEqual(['secrets-operator:/secrets:ro', 'backups:/backups']);
    expect(services.secrets!.volumes).toEqual(
      expect.arrayContaining(['secrets-operator:/secrets/operator', 'backups:/backups']),
    );
    expect(services.secrets!.command).toContain('/backups');
    const files = Object.entries(operator!.environment!).filter(([name]) => /_FILE$/.test(name));
    expect(files.map(([name]) => name.replace('_FILE', '')).sort()).toEqual(
      [...SECRETS_OF.operator].sort(),
    );
  });

  test('the doctor is given the gateway to ask', () => {
    expect(operator!.environment!.GATEWAY_URLS).toBe('http://gateway:8080');
    expect(Object.keys(services)).toContain('gateway');
  });

  test('what the pages tell to be run in it is a command of the repository', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    const named = documentedCommands().flatMap(
      (command) => /^docker compose run .*operator npm run ([a-z]+)/.exec(command)?.[1] ?? [],
    );
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });
});

test('the keys that a backup needs are taken from where they are kept, and put there on another machine', () => {
  const { secrets } = parse(compose, { merge: true }).services as Record<string, Container>;
  const kept = `${secrets!.command![secrets!.command!.indexOf('secrets') + 1]}/secrets.json`;
  const told = documentedCommands().filter((command) => command.includes('secrets.json'));
  expect(told).toEqual([
    `docker compose run --rm --no-TTY secrets cat ${kept} > secrets.json`,
    `docker compose run --rm --no-TTY secrets sh -c 'umask 077; cat > ${kept}' < secrets.json`,
  ]);
  expect(secrets!.volumes).toContain(`secrets:${path.dirname(kept)}`);
});

test('each container of a page is one of docker compose', () => {
  const services = Object.keys(parse(compose, { merge: true }).services);
  const named = documentedCommands()
    .filter((command) => /^docker compose (stop|start|rm|exec|up)/.test(command))
    .flatMap((command) => {
      const [, verb, rest = ''] = /^docker compose (\w+) ?(.*)$/.exec(command)!;
      const words = rest.split(' ').filter((word) => /^[a-z]/.test(word));
      return verb === 'exec' ? words.slice(0, 1) : words;
    });
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) expect(services).toContain(name);
});

test('indexes are built before the containers that need them replace those that serve', () => {
  const upgrade = readFileSync(path.join(ROOT, 'docs/upgrade.md'), 'utf8');
  const steps = [
    'git checkout v',
    'operator build operator',
    'indexes -- apply',
    'compose up --detach',
  ];
  const [, section = ''] = upgrade.split('## With docker compose');
  const places = steps.map((step) => section.indexOf(step));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
});
