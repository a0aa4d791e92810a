import { vocabularyViolations } from './vocabulary-rules.mjs';

const CONTRACT = {
  file: 'packages/contract/src/things.ts',
  source: "export const COLOURS = ['red', 'green', 'blue', 'grey'] as const;\n",
};
const found = (...sources: readonly (readonly [file: string, source: string])[]) =>
  vocabularyViolations([CONTRACT, ...sources.map(([file, source]) => ({ file, source }))]);
const SCHEMA = 'services/gateway/src/routes/things/schema.ts';
const DOMAIN = 'services/things/src/domain/thing.ts';

test.each([
  ["Joi.string().valid('red', 'green', 'blue', 'grey')"],
  ["type Colour = 'grey' | 'blue' | 'green' | 'red';"],
  ["const COLOURS = [\n  'red',\n  'green',\n  'blue',\n  'grey',\n] as const;"],
  ["type Colour = 'none' | 'red' | 'green' | 'blue' | 'grey';"],
])('a list of the contract that is written again is refused where it stands: %s', (source) => {
  expect(found([DOMAIN, `\n${source}`])).toEqual([
    expect.stringMatching(
      /^services\/things\/src\/domain\/thing\.ts:[23]: .*contract\/src\/things\.ts:1/,
    ),
  ]);
});

test('the same words in two parts of the platform belong into the contract', () => {
  const violations = found(
    [SCHEMA, "Joi.string().valid('old', 'new', 'used')"],
    [DOMAIN, "export type State = 'new' | 'used' | 'old';"],
  );
  expect(violations).toEqual([
    expect.stringMatching(/schema\.ts:1, services\/things\/.*:1: new, old, used are words/),
  ]);
});

test.each<{ what: string; sources: [file: string, source: string][] }>([
  { what: 'some of the words', sources: [[DOMAIN, "const WARM = ['red', 'green', 'grey'];"]] },
  {
    what: 'an order of its own, typed',
    sources: [[DOMAIN, "const O: readonly Colour[] = ['grey', 'red', 'blue', 'green'];"]],
  },
  {
    what: 'a longer list',
    sources: [[DOMAIN, "['red', 'green', 'blue', 'grey', 'width', 'height']"]],
  },
  { what: 'two words', sources: [[DOMAIN, "type Colour = 'red' | 'green';"]] },
  {
    what: 'a test',
    sources: [['services/things/src/domain/thing.test.ts', "['red', 'green', 'blue', 'grey']"]],
  },
  { what: 'the words of one part', sources: [[DOMAIN, "type State = 'new' | 'used' | 'old';"]] },
  {
    what: 'words of HTTP',
    sources: [
      [DOMAIN, "['GET', 'PUT', 'POST']"],
      ['packages/cli/src/api.ts', "['GET', 'PUT', 'POST']"],
    ],
  },
  {
    what: 'members of a type',
    sources: [
      [DOMAIN, "Pick<Deps, 'clock' | 'tiers' | 'outbox'>"],
      [SCHEMA, "Pick<Deps, 'clock' | 'tiers' | 'outbox'>"],
    ],
  },
  {
    what: 'words of libraries',
    sources: [
      ['packages/mongo/src/a.ts', "'away' | 'busy' | 'lost'"],
      ['packages/rpc/src/b.ts', "'away' | 'busy' | 'lost'"],
    ],
  },
])('$what: no fault', ({ sources }) => {
  expect(found(...sources)).toEqual([]);
});
