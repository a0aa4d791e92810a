import { renderedChart, SIZES, sizeValues } from '../scripts/check-manifests.mjs';
import { readSettings, secretManifests, unusedSettings } from './secrets.mjs';

const settings = readSettings(`
# comment
MONGODB_URI=mongodb://laurel:secret@mongo/?replicaSet=rs0
ledger.MONGODB_URI=mongodb://ledger:other@mongo/?replicaSet=rs0
RABBITMQ_URL=amqp://laurel:secret@rabbitmq
REDIS_URL=redis://:secret@redis
JWT_SECRET=signs
SECRETS_KEY=seals==
CHECKPOINT_SIGNING_KEY=proves
`);
const dataOf = (service: string) =>
  secretManifests(settings, 'laurel').find(({ metadata }) => metadata.name === `laurel-${service}`)!
    .stringData as Record<string, string>;

test('a secret holds what its service reads, and an account of its own where one is named', () => {
  expect(dataOf('gateway')).toEqual({ REDIS_URL: settings.REDIS_URL, JWT_SECRET: 'signs' });
  expect(dataOf('integrations').SECRETS_KEY).toBe('seals==');
  expect(dataOf('ledger').MONGODB_URI).toBe(settings['ledger.MONGODB_URI']);
  expect(dataOf('tiers').MONGODB_URI).toBe(settings.MONGODB_URI);
  expect(Object.keys(dataOf('tiers'))).not.toContain('SECRETS_KEY');
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
  const [, passes] = secretManifests({ ...settings, ...read }, 'laurel')
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
  expect(() => secretManifests(open, 'laurel')).toThrow(
    /gateway needs JWT_SECRET[\s\S]*no password/,
  );
});

test('what no secret holds is named: it is no secret, is misspelt, or of a service that has no pod of its own', () => {
  expect(unusedSettings(settings)).toEqual([]);
  const more = { PUBLIC_URL: 'https://x', 'legder.MONGODB_URI': 'mongodb://a:b@c' };
  expect(unusedSettings({ ...settings, ...more })).toEqual(Object.keys(more));
  expect(unusedSettings(settings, 'medium')).toEqual(['ledger.MONGODB_URI']);
});

test('a replica set is named by its members, each with its port, and must have a password as well', () => {
  const members = 'h1:27017,h2:27017,h3:27017/?replicaSet=rs0';
  const MONGODB_URI = `mongodb://laurel:secret@${members}`;
  const [made] = secretManifests({ ...settings, MONGODB_URI }, 'laurel').filter(
    ({ metadata }) => metadata.name === 'laurel-tiers',
  );
  expect(made!.stringData).toMatchObject({ MONGODB_URI });
  for (const open of [`mongodb://${members}`, `mongodb://laurel@${members}`])
    expect(() => secretManifests({ ...settings, MONGODB_URI: open }, 'laurel')).toThrow(
      'MONGODB_URI of tiers has no password',
    );
});

test.each(SIZES)('in the size %s each pod finds the secret that it reads', (size) => {
  const made = secretManifests(settings, 'laurel', size).map(({ metadata }) => metadata.name);
  const read = renderedChart(sizeValues(size))
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ spec }) => spec.template.spec.containers)
    .flatMap(({ env, envFrom = [] }) => [
      ...envFrom.map((from: { secretRef: { name: string } }) => from.secretRef.name),
      ...env.flatMap((one: { valueFrom?: { secretKeyRef: { name: string } } }) =>
        one.valueFrom ? [one.valueFrom.secretKeyRef.name] : [],
      ),
    ]);
  expect([...new Set(read)].sort()).toEqual([...made].sort());
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
