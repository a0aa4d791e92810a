import { sentenceViolations } from './sentence-rules.mjs';

const found = (source: string, file = 'services/things/src/use-cases/make-thing.ts') =>
  sentenceViolations([{ file, source }]);

test.each([
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: sources that have templates
  ['email', 'deps.logger.info({}, `mailed to ${client.email}`);'],
  ['toAddressEmail', 'logger.warn({ to: toAddressEmail }, "not mailed");'],
  ['first_name', 'this.logger.error({ who: row.first_name });'],
  ['clientSecret', 'throw new Error(`refused with ${config.clientSecret}`);'],
  ['token', 'throw new ConnectionError(`no answer to ${request.token}`, { cause });'],
  ['phone', 'const no = platform.invalidPayload.says(`${phone} is taken`);'],
])('neither a log nor an error says a %s: %s', (name, source) => {
  expect(found(source)).toEqual([expect.stringContaining(`says ${name} in a log or an error`)]);
  expect(found(source, 'services/things/src/use-cases/make-thing.test.ts')).toEqual([]);
});

test.each([
  'logger.info({ client_id: client.id }, "mailed");',
  'logger.info({ email: null }, "the token is not good");',
  'throw new Error(`no key ${name} in ${file}`);',
  'const line = `${client.email},${client.phone}`;',
  'logger.info({ rows: tokens.length }, "tokens forgotten");',
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
])('ids, and what is neither logged nor thrown, are fine: %s', (source) => {
  expect(found(source)).toEqual([]);
});
