import { readSettings, secretManifests } from './secrets.mjs';

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

test('what is missing, and stores that anybody may enter, are all named at once', () => {
  const { JWT_SECRET: _gone, ...rest } = settings;
  const open = { ...rest, REDIS_URL: 'redis://redis' };
  expect(() => secretManifests(open, 'laurel')).toThrow(
    /gateway needs JWT_SECRET[\s\S]*no password/,
  );
});
