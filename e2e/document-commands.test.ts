import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { documentedCommands } from '../scripts/check-document-commands.mjs';

jest.setTimeout(300_000);

const ROOT = path.resolve(__dirname, '..');
/** What no test types here, and who else sees that it works. */
const ELSEWHERE: readonly (readonly [command: RegExp, why: string])[] = [
  [
    /^(kubectl|helm|docker) /,
    'there is no cluster; scripts/check-manifests.mjs looks at what is rendered',
  ],
  [
    /^rabbitmqctl (delete_vhost|add_vhost|set_permissions)/,
    'it ends the broker for every other test; tools/chaos/drill.mjs empties one',
  ],
  [/^redis-cli -u \S+ (FLUSHALL|CONFIG SET)/, 'it takes from every other test what it keeps'],
  [/^redis-cli -u \S+ INFO/, 'no client of Redis is installed here'],
  [/^node deploy\/secrets.mjs/, 'its settings are somebody’s own; deploy/secrets.test.ts'],
  [
    /^node deploy\/certificates.mjs/,
    'it writes keys into the checkout; packages/rpc has tests of what it makes',
  ],
  [/^npm run backup -- restore/, 'only into a server without data: tools/chaos/drill.mjs'],
  [/^npm run (drill|mixed)/, 'a platform of its own, and minutes: part of a release'],
  [/^npx --no laurel-verify/, 'e2e/ledger-verifier.test.ts, with files that it gets'],
  [
    /^node scripts\/check-compatibility.mjs --release/,
    'it writes down a release; the check without it is part of npm run check',
  ],
  [/^git (tag|checkout)/, 'it is a release'],
  [/^npm (run stop|start)/, 'it ends the platform that every other test needs'],
];
/** As long as a backup of what the other tests write may take. */
const WITHIN_MS = 240_000;

const folder = mkdtempSync(path.join(tmpdir(), 'laurel-commands-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a service of the running platform was started with: where its databases are, and all secrets. */
function settingsOfPlatform(): NodeJS.ProcessEnv {
  const { parts } = JSON.parse(readFileSync(process.env.LAUREL_STATE_FILE!, 'utf8'));
  const settings = (parts as { pid: number }[]).map(({ pid }) =>
    Object.fromEntries(
      readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  );
  return settings.find(({ MONGODB_DATABASE_PREFIX: prefix }) => prefix !== undefined)!;
}

/** The command without what a reader puts their own in place of. */
const withoutPlaceholder = (command: string): string => command.replace(/^MONGODB_URI=\S+ /, '');

/** With a folder of this test for that of a backup, and a time since which next to nothing has left. */
const asTyped = (command: string): string =>
  command
    .replace('/backups/2026-11-22', path.join(folder, 'backup'))
    .replace('2026-11-22T10:00:00Z', new Date().toISOString());

const commands = [...new Set(documentedCommands().map(withoutPlaceholder))];
const isElsewhere = (command: string): boolean => ELSEWHERE.some(([such]) => such.test(command));
const typed = commands.filter((command) => !isElsewhere(command));
const onLinux = process.platform === 'linux' ? test : test.skip;

for (const command of typed)
  onLinux(
    `on a running platform, what the documents tell somebody to type works: ${command}`,
    () => {
      const env = { ...settingsOfPlatform(), PATH: process.env.PATH };
      const options = { cwd: ROOT, env, encoding: 'utf8', timeout: WITHIN_MS } as const;
      const { status, stdout, stderr } = spawnSync('sh', ['-c', asTyped(command)], options);
      const said = status === 0 ? '' : `${stdout}${stderr}`;
      expect({ status, said }).toEqual({ status: 0, said: '' });
    },
  );

onLinux('a backup that was saved as the document says is there', () => {
  const save = typed.find((command) => command.includes('backup -- save'));
  expect(save).toBeDefined();
  expect(existsSync(path.join(folder, 'backup'))).toBe(true);
  expect(readdirSync(path.join(folder, 'backup')).length).toBeGreaterThan(0);
});

test('what is said to be seen elsewhere still stands in a document', () => {
  const unused = ELSEWHERE.filter(([such]) => !commands.some((command) => such.test(command)));
  expect(unused.map(([such]) => String(such))).toEqual([]);
});
