import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  backend,
  ConfigError,
  describeSecrets,
  describeSettings,
  Joi,
  loadConfig,
  secondDeclarations,
  secret as secretSetting,
  setting,
} from './index';

const settings = {
  port: setting<number>('PORT', Joi.number().port().default(8080), 'Where it listens.'),
  secret: secretSetting<string>('JWT_SECRET', Joi.string().min(32).required(), {
    meaning: 'Signs tokens.',
    rotation: 'With the former key beside it.',
  }),
  open: setting<boolean>(
    'ALLOW_REGISTRATION',
    Joi.boolean().default(false),
    'Anyone may register.',
  ),
};
const secret = 'x'.repeat(32);

test('values are read, converted and defaulted', () => {
  const config = loadConfig(settings, { JWT_SECRET: secret, ALLOW_REGISTRATION: 'true' });
  expect(config).toEqual({ port: 8080, secret, open: true });
  expect(Object.isFrozen(config)).toBe(true);
});

test('every problem is named at once', () => {
  expect(() => loadConfig(settings, { PORT: 'many', JWT_SECRET: 'short' })).toThrow(ConfigError);
  try {
    loadConfig(settings, { PORT: 'many', JWT_SECRET: 'short' });
  } catch (error) {
    expect((error as ConfigError).problems).toHaveLength(2);
    expect((error as Error).message).not.toContain('"short"');
  }
});

test('a secret may come from a file', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'laurel-')), 'secret');
  writeFileSync(file, `${secret}\n`);
  expect(loadConfig(settings, { JWT_SECRET_FILE: file }).secret).toBe(secret);
  expect(loadConfig(settings, { JWT_SECRET_FILE: file, JWT_SECRET: '' }).secret).toBe(secret);
});

test('an empty variable counts as unset', () => {
  expect(loadConfig(settings, { JWT_SECRET: secret, PORT: '' }).port).toBe(8080);
});

const { mongodbUri } = backend;
const mongodb = (MONGODB_URI: string) => loadConfig({ mongodbUri }, { MONGODB_URI }).mongodbUri;

test.each([
  'mongodb://laurel:secret@h1:27017,h2:27017,h3:27018/?replicaSet=rs0&tls=true',
  'mongodb://h1,h2:27017/?replicaSet=rs0',
  'mongodb://laurel:s%40c@mongo:27017/?replicaSet=rs0',
  'mongodb+srv://laurel:secret@cluster.example.com/?retryWrites=true',
  'mongodb://[::1]:27017,[::2]:27017/',
])(
  'a server of MongoDB, or the members of a replica set, are named as its drivers take them: %s',
  (uri) => {
    expect(mongodb(uri)).toBe(uri);
  },
);

test.each([
  'mongo:27017',
  'https://mongo:27017',
  'mongodb://h1:27017,h2:many/',
  'mongodb://h1,,h2/',
  'mongodb:///laurel',
])('what is no address of MongoDB stops the start without being repeated: %s', (uri) => {
  expect(() => mongodb(uri)).toThrow(ConfigError);
  expect(() => mongodb(uri)).not.toThrow(uri);
});

test('the manual shows each setting once, with its default or that it must be set, and who reads it', () => {
  const { port, secret: shared, open } = settings;
  const declared = { gateway: { port, shared }, identity: { shared, open }, passes: { shared } };
  expect(describeSettings(declared)).toBe(
    [
      '## Read by several services\n',
      '| variable | default | meaning | read by |',
      '|---|---|---|---|',
      '| `JWT_SECRET` | must be set (secret) | Signs tokens. | all |\n',
      '## gateway\n',
      '| variable | default | meaning |',
      '|---|---|---|',
      '| `PORT` | `8080` | Where it listens. |\n',
      '## identity\n',
      '| variable | default | meaning |',
      '|---|---|---|',
      '| `ALLOW_REGISTRATION` | `false` | Anyone may register. |\n',
    ].join('\n'),
  );
});

test('the manual names the one service that does not read what all others do', () => {
  const { port } = settings;
  const declared = { gateway: {}, identity: { port }, passes: { port } };
  expect(describeSettings(declared)).toContain('| Where it listens. | all but gateway |');
});

test('the manual says of each secret, once, who holds it and how it is replaced', () => {
  const { secret: shared, port } = settings;
  expect(describeSecrets({ gateway: { shared, port }, identity: { shared } })).toBe(
    [
      '| secret | held by | how it is replaced |',
      '|---|---|---|',
      '| `JWT_SECRET` | gateway, identity | With the former key beside it. |',
    ].join('\n'),
  );
});

test('a variable that two services declare in words of their own is found, and one that they share is not', () => {
  const again = setting<number>('PORT', Joi.number(), 'Where it is listened.');
  const { port, secret: shared } = settings;
  const declared = { gateway: { port, shared }, identity: { port, shared }, passes: { again } };
  expect(secondDeclarations(declared)).toEqual([
    'PORT is declared 2 times, by gateway, identity and by passes; let them import one declaration',
  ]);
});
