import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@laurel/testing';
import { gateways } from './support/api';
import { newWalletType, newWorkspace, PASSWORD, type TestWorkspace } from './support/factories';
import { installPacked } from './support/packed';
import { openReceiver } from './support/receiver';

jest.setTimeout(300_000);

/** A stranger's empty folder, in which the packed command line was installed. */
let folder: string;
let tarball: string;
let project: string;
let workspace: TestWorkspace;
const environment = () => ({
  PATH: process.env.PATH,
  HOME: folder,
  npm_config_cache: path.join(folder, 'npm'),
});

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-cli-packed-'));
  ({ tarball, project } = installPacked(path.resolve(__dirname, '../packages/cli'), folder));
  workspace = await newWorkspace();
  await newWalletType(workspace, { is_default: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Said {
  code: number;
  out: string;
  err: string;
}

/** Types a command; what it says and how it ends. */
function laurel(parameters: readonly string[], input: string | Buffer = ''): Promise<Said> {
  return new Promise((resolve) => {
    const options = { cwd: project, env: environment() };
    const child = execFile(
      'node_modules/.bin/laurel',
      [...parameters],
      options,
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin!.end(input);
  });
}

async function done(parameters: readonly string[], input?: string | Buffer): Promise<string> {
  const said = await laurel(parameters, input);
  expect({ ...said, out: '' }).toEqual({ code: 0, out: '', err: '' });
  return said.out;
}

test('npx runs it out of the tarball, in an empty folder and offline', () => {
  const empty = path.join(folder, 'empty');
  mkdirSync(empty);
  // A whole path is a command for npx, which it runs as it is.
  const args = ['--yes', '--offline', path.relative(empty, tarball), '--version'];
  const version = execFileSync('npx', args, { cwd: empty, env: environment(), encoding: 'utf8' });
  expect(version.trim()).toMatch(/^\d+\.\d+\.\d+$/);
});

test('its one file bears the licences of the libraries that stand in it', () => {
  const file = readFileSync(path.join(project, 'node_modules/@laurel/cli/dist/laurel.cjs'), 'utf8');
  for (const author of ['TJ Holowaychuk', 'Eemeli Aro']) expect(file).toContain(author);
});

test('somebody signs in, takes members in, gives them points and looks at what came of it', async () => {
  expect((await laurel(['whoami'])).code).toBe(3);
  const { email } = workspace.owner;
  const signIn = ['login', '--url', gateways()[0]!, '--email', email, '--password-stdin'];
  expect(await done(signIn, `${PASSWORD}\n`)).toContain(workspace.slug);
  const config = path.join(folder, '.config/laurel/config.json');
  expect(statSync(config).mode & 0o777).toBe(0o600);
  expect(readFileSync(config, 'utf8')).not.toContain(PASSWORD);

  await done(['members', 'create', '--email', 'anna@example.com', '--first-name', 'Anna']);
  const file = path.join(project, 'members.csv');
  const rows = Array.from({ length: 20 }, (_, number) => `member-${number}@example.com,Bob`);
  writeFileSync(file, `email,first_name\n${rows.join('\n')}\nno address,Eve\n`);
  const imported = await laurel(['members', 'import', 'members.csv']);
  expect(imported.code).toBe(1);
  expect(imported.out).toContain('20 new, 0 brought up to date, 1 refused');
  expect(readFileSync(`${file}.refused.csv`, 'utf8')).toMatch(/^row,reason\n21,"/);

  expect(
    await done(['points', 'earn', 'anna@example.com', '50.5', '--why', 'Late train']),
  ).toContain('Anna: +50.5, now 50.5');
  await done(['points', 'spend', 'anna@example.com', '10']);
  await done(['points', 'adjust', 'anna@example.com', '--why', 'Booked twice', '--', '-0.5']);
  const statement = JSON.parse(await done(['points', 'statement', 'anna@example.com', '--json']));
  expect(statement.closing.total).toBe(40);
  expect(await done(['points', 'statement', 'anna@example.com'])).toContain('Late train');
  expect(await done(['members', 'show', 'anna@example.com'])).toMatch(/points_\w+ +40 /);
  const refused = await laurel(['points', 'spend', 'anna@example.com', '500']);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('insufficient_balance')]);

  await done(['members', 'export', '--output', 'all.csv']);
  expect(readFileSync(path.join(project, 'all.csv'), 'utf8')).toContain('member-19@example.com');
  const exported = await done(['members', 'export', '--format', 'ndjson']);
  expect(exported.trim().split('\n')).toHaveLength(21);
  expect(await done(['members', 'export', '--json'])).toBe(exported);
  expect((await laurel(['members', 'export', '--json', '--format', 'csv'])).code).toBe(2);
  expect(JSON.parse(await done(['members', 'export', '--json', '--output', 'two.csv']))).toEqual({
    file: 'two.csv',
    members: 21,
  });

  // As a spreadsheet writes it that writes no UTF-8.
  const piped = Buffer.from('email,first_name\njoerg@example.com,J\xf6rg\n', 'latin1');
  expect(await done(['members', 'import', '-'], piped)).toContain('1 new');
  expect(await done(['members', 'show', 'joerg@example.com'])).toContain('Jörg');

  const byName = JSON.parse(await done(['api', 'clients.list', '--query', 'limit=2']));
  expect(byName.data).toHaveLength(2);
  expect((await laurel(['doctor'])).out).toContain('✓ platform');
  await done(['logout']);
  expect((await laurel(['whoami'])).code).toBe(3);
});

test('what happens is seen at once, and brought to this machine as the platform would sign it', async () => {
  const receiver = await openReceiver();
  const { email } = workspace.owner;
  await done(
    ['login', '--url', gateways()[0]!, '--email', email, '--password-stdin'],
    `${PASSWORD}\n`,
  );
  const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
  receiver.trust(secret);
  const options = { cwd: project, env: environment() };
  const forward = ['listen', '--forward', receiver.url, '--secret', secret];
  const programs = [forward, ['tail', '--json']].map((parameters) => {
    const child = spawn('node_modules/.bin/laurel', parameters, options);
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      out += piece;
    });
    return { child, out: () => out };
  });
  const [listening, tailing] = programs as [(typeof programs)[0], (typeof programs)[0]];
  // A follower who begins now hears what happens from now on: it is there once it says something.
  await until(
    async () => {
      await done(['members', 'create', '--email', `${Math.random()}@example.com`]);
      return programs.every(({ out }) => out().includes('client.created'));
    },
    { withinMs: 60_000 },
  );
  expect(listening.out()).toMatch(/client\.created +✓ 20\d/);
  const [first] = tailing.out().trim().split('\n');
  expect(JSON.parse(first!)).toMatchObject({ type: 'client.created', id: expect.any(String) });
  expect(receiver.total()).toBeGreaterThan(0);
  expect(receiver.unsigned()).toBe(0);
  const ended = programs.map(
    ({ child }) => new Promise((resolve) => child.once('close', (code) => resolve(code))),
  );
  for (const { child } of programs) child.kill('SIGINT');
  expect(await Promise.all(ended)).toEqual([0, 0]);
  receiver.close();
});
