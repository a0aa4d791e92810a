import { Refusal } from '@laurel/errors';
import { routes } from '../routes';
import type { Route } from '../routing';
import { createValidator } from './validate';

const MALFORMED = [
  'y',
  '',
  '2026-13-45',
  -1,
  1.5,
  1e300,
  true,
  null,
  {},
  [],
  [null],
  ['y'],
  { y: 'y' },
];
const JOIS_OWN = /custom validation|ValidationError|Invalid time|undefined|\[object|NaN/;

/** The names that the schema of a request takes, at its top. */
function namesOf(schema: Route['body'] | Route['query']): string[] {
  const keys = (schema?.describe() as { keys?: Record<string, unknown> } | undefined)?.keys;
  return Object.keys(keys ?? {});
}

function complaintsAbout(validate: (value: unknown) => unknown, value: unknown): string[] {
  try {
    validate(value);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) return [`a fault: ${String(error)}`];
    return error.problems.map(({ message }) => message);
  }
}

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s says of whatever is malformed what it wants in its place, in its own words',
  (_, route) => {
    const validator = createValidator(route);
    const said = (['query', 'body'] as const).flatMap((part) => {
      const names = namesOf(route[part]);
      return MALFORMED.flatMap((value) => [
        ...names.flatMap((name) => complaintsAbout(validator[part], { [name]: value })),
        ...complaintsAbout(validator[part], Object.fromEntries(names.map((name) => [name, value]))),
      ]);
    });
    expect(said.filter((message) => JOIS_OWN.test(message))).toEqual([]);
  },
);
