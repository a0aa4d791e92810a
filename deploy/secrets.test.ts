import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { renderedChart, SIZES, sizeValues } from '../scripts/check-manifests.mjs';
import { ROOT } from './local/lib/paths.mjs';
import { filesBelow } from './local/lib/stamps.mjs';
import { readSettings, secretManifests, unusedSettings } from './secrets.mjs';

const SETTINGS = `
# comment
MONGODB_URI=mongodb://laurel:secret@mongo/?replicaSet=rs0
ledger.MONGODB_URI=mongodb://ledger:other@mongo/?replicaSet=rs0
RABBITMQ_URL=amqp://laurel:secret@rabbitmq
REDIS_URL=redis://:secret@redis
JWT_SECRET=signs
SECRETS_KEY=seals==
CHECKPOINT_SIGNING_KEY=proves
`;
const settings = readSettings(SETTINGS);
const dataOf = (service: string) =>
  secretManifests(settings, 'laurel', 'large').find(
    ({ metadata }) => metadata.name === `laurel-${service}`,
  )!.stringData as Record<string, string>;

test('a secret holds what its service reads, and an account of its own where one is named', () => {
  expect(dataOf('gateway')).toMatchObject({ REDIS_URL: settings.REDIS_URL, JWT_SECRET: 'signs' });
  expect(dataOf('integrations').SECRETS_KEY).toBe('seals==');
  expect(dataOf('ledger').MONGODB_URI).toBe(settings['ledger.MONGODB_URI']);
  expect(dataOf('tiers').MONGODB_URI).toBe(settings.MONGODB_URI);
  expect(Object.keys(dataOf('tiers'))).not.toContain('SECRETS_KEY');
});

test('a secret takes away what the file names no more, as a key that was replaced: each name stands in it, empty', () => {
  const rotating = readSettings(`${SETTINGS}\nJWT_SECRET_PREVIOUS=leaked`);
  const previous = (given: typeof settings) =>
    secretManifests(given, 'laurel', 'large')
      .filter(({ metadata }) => ['laurel-gateway', 'laurel-identity'].includes(metadata.name))
      .map(({ stringData }) => (stringData as Record<string, string>).JWT_SECRET_PREVIOUS);
  expect(previous(rotating)).toEqual(['leaked', 'leaked']);
  expect(previous(settings)).toEqual(['', '']);
});

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIBVQIBADANBgkq\nQAB=\n-----END PRIVATE KEY-----';

test('a certificate or key comes whole, out of a file of its own', () => {
  const read = readSettings(
    'APPLE_PASS_KEY_FILE=keys/apple.key\r\nJWT_SECRET=signs\r\n',
    (file) => {
      expect(file).toBe('keys/apple.key');
      return PEM;
    },
  );
  expect(read).toEqual({ APPLE_PASS_KEY: PEM, JWT_SECRET: 'signs' });
  const [, passes] = secretManifests({ ...settings, ...read }, 'laurel', 'large')
    .map(({ metadata, stringData }) => [metadata.name, stringData] as const)
    .find(([name]) => name === 'laurel-passes')!;
  expect(passes).toMatchObject({ APPLE_PASS_KEY: PEM });
});

test('a value of several lines is refused by the place of its second one, and nothing of it is said', () => {
  const inline = () => readSettings(`JWT_SECRET=signs\nAPPLE_PASS_KEY=${PEM}\n`);
  expect(inline).toThrow('line 3 is no NAME=value');
  expect(inline).not.toThrow('MIIB');
  expect(() => readSettings('JWT_SECRET=signs\nQAbc=\n')).toThrow('line 2');
  expect(() => readSettings('GOOGLE_SERVICE_ACCOUNT={\n  "type": "x"\n}')).toThrow('line 2');
});

test('what is missing, and stores that anybody may enter, are all named at once', () => {
  const { JWT_SECRET: _gone, ...rest } = settings;
  const open = { ...rest, REDIS_URL: 'redis://redis' };
  expect(() => secretManifests(open, 'laurel', 'large')).toThrow(
    /gateway needs JWT_SECRET[\s\S]*no password/,
  );
});

test('what no secret holds is named: it is no secret, is misspelt, or of a service that has no pod of its own', () => {
  expect(unusedSettings(settings, 'large')).toEqual([]);
  const more = { PUBLIC_URL: 'https://x', 'legder.MONGODB_URI': 'mongodb://a:b@c' };
  expect(unusedSettings({ ...settings, ...more }, 'large')).toEqual(Object.keys(more));
  expect(unusedSettings(settings, 'medium')).toEqual(['ledger.MONGODB_URI']);
});

test('a replica set is named by its members, each with its port, and must have a password as well', () => {
  const members = 'h1:27017,h2:27017,h3:27017/?replicaSet=rs0';
  const MONGODB_URI = `mongodb://laurel:secret@${members}`;
  const [made] = secretManifests({ ...settings, MONGODB_URI }, 'laurel', 'large').filter(
    ({ metadata }) => metadata.name === 'laurel-tiers',
  );
  expect(made!.stringData).toMatchObject({ MONGODB_URI });
  for (const open of [`mongodb://${members}`, `mongodb://laurel@${members}`])
    expect(() => secretManifests({ ...settings, MONGODB_URI: open }, 'laurel', 'large')).toThrow(
      'MONGODB_URI of tiers has no password',
    );
});

/** The secrets that the pods of a size read. */
function secretsOfPods(size: string): string[] {
  const read = renderedChart(sizeValues(size))
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ spec }) => spec.template.spec.containers)
    .flatMap(({ env, envFrom = [] }) => [
      ...envFrom.map((from: { secretRef: { name: string } }) => from.secretRef.name),
      ...env.flatMap((one: { valueFrom?: { secretKeyRef: { name: string } } }) =>
        one.valueFrom ? [one.valueFrom.secretKeyRef.name] : [],
      ),
    ]);
  return [...new Set<string>(read)].sort();
}
const readIn = new Map(SIZES.map((size) => [size, secretsOfPods(size)]));

test.each(SIZES)('in the size %s each pod finds the secret that it reads', (size) => {
  const made = secretManifests(settings, 'laurel', size).map(({ metadata }) => metadata.name);
  expect(readIn.get(size)).toEqual([...made].sort());
});

test('a process of several services holds what those read, and no other key', () => {
  const held = Object.fromEntries(
    secretManifests(settings, 'laurel', 'medium').map(({ metadata, stringData }) => [
      metadata.name,
      Object.keys(stringData),
    ]),
  );
  expect(held['laurel-core']).toContain('CHECKPOINT_SIGNING_KEY');
  expect(held['laurel-core']).not.toContain('SECRETS_KEY');
  expect(held['laurel-front']).toContain('JWT_SECRET');
  expect(held['laurel-front']).not.toContain('CHECKPOINT_SIGNING_KEY');
  expect(held['laurel-outside']).toEqual(expect.arrayContaining(['SECRETS_KEY', 'JWT_SECRET']));
});

describe('what the page of a certificate that ends tells to renew', () => {
  const file = path.join(ROOT, 'docs/runbooks/LaurelWalletCertificateEnds.md');
  const page = readFileSync(file, 'utf8');
  const [, block = ''] = /```yaml\n([\s\S]*?)```/.exec(page)!;
  const { env } = parse(block) as { env: Record<string, string> };
  const named = [...new Set(page.match(/\bAPPLE_(?:(?!_FILE)[A-Z_])+\b/g))];

  test.each(SIZES)(
    'comes to the pod of passes in size %s, whether it is a secret or not',
    (size) => {
      expect(named).toEqual(expect.arrayContaining(['APPLE_PASS_KEY', 'APPLE_WWDR_CERTIFICATE']));
      const renewed = Object.fromEntries(named.map((name) => [name, 'new']));
      const left = unusedSettings({ ...settings, ...renewed }, size).filter(
        (name) => name in renewed,
      );
      expect(left).toEqual(Object.keys(env));
      const pods = renderedChart({ ...sizeValues(size), env })
        .filter(({ kind }) => kind === 'Deployment')
        .map(
          ({ spec }) => spec.template.spec.containers[0].env as { name: string; value: string }[],
        );
      for (const [name, value] of Object.entries(env)) {
        expect(value.split('\n').length).toBeGreaterThan(2);
        for (const pod of pods) expect(pod).toContainEqual({ name, value });
      }
    },
  );

  test('is in the values before pods start anew', () => {
    const places = ['deploy/secrets.mjs', 'helm upgrade', 'rollout restart'].map((step) =>
      page.lastIndexOf(step),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

describe('typed by an operator', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'laurel-secrets-'));
  const file = path.join(folder, 'settings.env');
  beforeAll(() => writeFileSync(file, SETTINGS));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Types a command with the settings of this test, in a shell that knows the size. */
  const type = (command: string, size = '') => {
    const typed = command
      .replace(/^node /, `"${process.execPath}" `)
      .replace('settings.env', `"${file}"`);
    const env = { PATH: process.env.PATH, SIZE: size };
    return spawnSync('sh', ['-c', typed], { cwd: ROOT, env, encoding: 'utf8' });
  };
  const namesIn = (printed: string): string[] =>
    parseAllDocuments(printed)
      .map((document) => document.toJS().metadata.name as string)
      .sort();

  test.each(['', ' --size huge', ' --size "$SIZE"'])(
    'without a size that there is (%s), nothing is made, and what to type is said',
    (given) => {
      const { status, stdout, stderr } = type(`node deploy/secrets.mjs settings.env${given}`);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toContain('--size medium: front, core, outside');
      expect(stderr).not.toMatch(/^ +at /m);
    },
  );

  const pages = [
    path.join(ROOT, 'README.md'),
    ...filesBelow(['docs', 'k8s', 'deploy/helm'].map((name) => path.join(ROOT, name))),
  ].filter((page) => /\.(md|yaml)$/.test(page));
  const written = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    const commands = text.match(/node deploy\/secrets\.mjs settings\.env[^|`\n]*/g) ?? [];
    return commands.map((command) => [path.relative(ROOT, page), command, text] as const);
  });

  test('what the pages say is found', () => {
    const found = written.map(([page]) => page);
    expect(found).toEqual(
      expect.arrayContaining([
        'README.md',
        'docs/guides/production.md',
        'docs/runbooks/LaurelWalletCertificateEnds.md',
        'docs/scaling.md',
        ...SIZES.map((size) => `deploy/helm/laurel/sizes/${size}.yaml`),
      ]),
    );
  });

  test.each(written)('%s: %s makes what the pods of the size read', (page, command) => {
    const [, named] = /--size (\w+)/.exec(command) ?? [];
    const [, ofPage] = /sizes\/(\w+)\.yaml$/.exec(page) ?? [];
    if (ofPage) expect(named).toBe(ofPage);
    for (const size of named ? [named] : SIZES)
      expect(namesIn(type(command, size).stdout)).toEqual(readIn.get(size));
  });

  test.each(written)(
    '%s: what restarts pods after %s finds those of every size',
    (_page, _command, text) => {
      for (const [restart] of text.matchAll(/kubectl rollout restart [^`\n]*/g))
        expect(restart).toContain(' deployment --selector app.kubernetes.io/part-of=laurel ');
    },
  );
});
