import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

jest.setTimeout(300_000);

const BYTES_MAX = 9 * 1024;
const home = path.resolve(__dirname, '..');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-client-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const USE = `
  const laurel = new Laurel({ baseUrl: 'http://127.0.0.1:1', token: 't', workspace: 'w', retries: 0 });
  laurel.points.earn({ client_id: 'c', amount: 1 }).catch((error) =>
    console.log(error.name, typeof verifyWebhook, Object.keys(laurel).length > 20));
`;
const SAID = 'ConnectionError function true';

/** What a stranger's compiler has to see: the types alone, and what is wrong as wrong. */
const TYPED = `
  import { Laurel, type LaurelEvent, type LaurelEventType, LaurelError, verifyWebhook } from '@laurel/client';
  const laurel = new Laurel({ baseUrl: 'https://loyalty.example.com', token: async () => 't' });
  export async function till(): Promise<string | undefined> {
    const entry = await laurel.points.earn({ client_id: 'c', amount: 12.5, metadata: { till: 3 } });
    const balance: number = entry.balance_after;
    for await (const client of laurel.clients.list({ status: 'active' })) client.email satisfies string | null;
    const { data, meta } = await laurel.clients.list();
    // @ts-expect-error an amount is a number
    await laurel.points.earn({ client_id: 'c', amount: '12' });
    // @ts-expect-error there is no such field
    await laurel.points.earn({ client_id: 'c', amount: 1, colour: 'red' });
    const event: LaurelEvent = await verifyWebhook('{}', {}, 'whsec_');
    if (event.type === 'client.created') event.data.client.email satisfies string | null;
    // What was posted as an event bears the same name as what the platform tells.
    if (event.type === 'tier_promoted') event.data.client_id satisfies string | null;
    if (event.type === 'loyalty.points_earned' && 'entry' in event.data) event.data.entry.amount satisfies number;
    event.type satisfies LaurelEventType;
    if (event.type === 'custom.quiz_answered') event.data.event_type satisfies string;
    // @ts-expect-error there is no such event
    if (event.type === 'client.creatd') return;
    // @ts-expect-error nor one of the families that have a few names
    if (event.type === 'loyalty.points_eaned') return;
    for await (const streamed of laurel.events.stream()) {
      if (streamed.type === 'client.created') streamed.data.client.id satisfies string;
      // @ts-expect-error the data is that of the type
      if (streamed.type === 'client.deleted') streamed.data.client.email;
      // @ts-expect-error there is no such event
      if (streamed.type === 'nothing.of_ours') return streamed.cursor;
    }
    return [balance, data.length, meta?.next_cursor, LaurelError.name].join();
  }
`;

test('the packed client installs and works in an empty project, by import and by require, and its types hold', () => {
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_cache: path.join(folder, 'npm') };
  const run = (program: string, args: string[], cwd: string) =>
    execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run('npm', ['pack', '--pack-destination', folder], home);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  const cwd = path.join(folder, 'shop');
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'package.json'), '{}');
  run('npm', ['install', '--offline', '--no-audit', `../${tarball}`], cwd);
  const program = (name: string, text: string) => writeFileSync(path.join(cwd, name), text);
  program('till.mjs', `import { Laurel, verifyWebhook } from '@laurel/client';${USE}`);
  program('till.cjs', `const { Laurel, verifyWebhook } = require('@laurel/client');${USE}`);
  program(
    'hook.mjs',
    `import { verifyWebhook } from '@laurel/client/webhooks';console.log(typeof verifyWebhook)`,
  );
  expect(run('node', ['till.mjs'], cwd).trim()).toBe(SAID);
  expect(run('node', ['till.cjs'], cwd).trim()).toBe(SAID);
  expect(run('node', ['hook.mjs'], cwd).trim()).toBe('function');

  program('till.ts', TYPED);
  const strict = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--lib',
    'es2023,dom,dom.iterable',
  ];
  const tsc = path.resolve(home, '../../node_modules/.bin/tsc');
  expect(run(tsc, [...strict, 'till.ts'], cwd)).toBe('');
});

test('the whole client is at most 9 KB as browsers load it, and depends on nothing', () => {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(home, 'src/index.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  });
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThanOrEqual(BYTES_MAX);
  const { dependencies } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
  expect(dependencies).toEqual({});
});
