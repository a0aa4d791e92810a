import { toJsonSchema } from '@laurel/json-schema';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import type Joi from 'joi';
import { routes } from '../routes';
import { openApiDocument } from './document';
import { candidatesFor, type Described, mutantsOf } from './testing/candidates';

const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_122);
const CANDIDATES = 20;
const TAKEN_MIN = 3;
const DRAWS_MAX = 100;

/** What JSON Schema has no words for: comparisons between members, and what `.custom()` looks into. */
const UNSAYABLE = new Set(['array.unique', 'any.invalid', 'origin.invalid']);

const bodies = routes.flatMap(({ method, path, body }) =>
  body ? [[`${method} ${path}`, body as Joi.Schema] as const] : [],
);

function verdicts(schema: Joi.Schema) {
  const gathered = { components: {}, conflicts: new Set<string>() };
  const json = toJsonSchema(schema, 'request', gathered);
  const ajv = new Ajv({ strict: false, logger: false });
  addFormats(ajv);
  const takes = ajv.compile({ ...json, components: { schemas: gathered.components } });
  return (value: unknown) => {
    const { error } = schema.validate(value, { convert: false });
    const isUnsayable = error?.details.every(({ type }) => UNSAYABLE.has(type)) ?? false;
    const joi = error?.message ?? 'taken';
    return { joi, ajv: takes(value) ? 'taken' : ajv.errorsText(takes.errors), isUnsayable };
  };
}

/** Draws candidates until joi takes some of them: where much depends on much, few fit. */
function candidatesOf(schema: Joi.Schema): { candidates: unknown[]; taken: unknown[] } {
  const arbitrary = candidatesFor(schema.describe() as unknown as Described);
  const candidates: unknown[] = [];
  const taken: unknown[] = [];
  for (let draw = 0; draw < DRAWS_MAX && taken.length < TAKEN_MIN; draw += 1) {
    const drawn = fc.sample(arbitrary, { numRuns: CANDIDATES, seed: SEED + draw });
    candidates.push(...drawn);
    taken.push(...drawn.filter((value) => !schema.validate(value, { convert: false }).error));
  }
  return { candidates, taken };
}

test.each(bodies)('joi and its JSON Schema agree on every body of %s', (_name, schema) => {
  const verdict = verdicts(schema);
  const { candidates, taken } = candidatesOf(schema);
  const disagreements = [
    ...candidates,
    ...taken.slice(0, TAKEN_MIN).flatMap((value) => [...mutantsOf(value)]),
  ]
    .filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .map((value) => ({ ...verdict(value), value }))
    .filter(({ joi, ajv, isUnsayable }) => (joi === 'taken') !== (ajv === 'taken') && !isUnsayable);
  expect(disagreements.slice(0, 3)).toEqual([]);
  expect(taken.length).toBeGreaterThanOrEqual(TAKEN_MIN);
});

test('no schema of the document is one that nothing satisfies', () => {
  const document = openApiDocument(routes) as { paths: object };
  const unsatisfiable = partsOf(document).filter(
    ({ value, isConsequence }) => !isConsequence && isUnsatisfiable(value),
  );
  expect(unsatisfiable.map(({ place }) => place)).toEqual([]);
});

test('no map of an answer is closed', () => {
  const closed = partsOf(openApiDocument(routes)).filter(
    ({ place, value }) => place.includes('.responses.') && value.additionalProperties === false,
  );
  expect(closed.map(({ place }) => place)).toEqual([]);
});

type Part = { place: string; value: Record<string, unknown>; isConsequence: boolean };

/** Every object of a document. Conditions may forbid a member: what they say is no schema of a value. */
function partsOf(value: unknown, place = '', isConsequence = false): Part[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [{ place, value: value as Part['value'], isConsequence }];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) =>
      partsOf(inner, `${place}.${key}`, isConsequence || ['if', 'then', 'else'].includes(key)),
    ),
  ];
}

function isUnsatisfiable({
  not,
  anyOf,
  type,
  minLength,
  maxLength,
}: Record<string, unknown>): boolean {
  const isEmptyNot = not !== undefined && Object.keys(not as object).length === 0;
  const isBoth =
    anyOf !== undefined &&
    type !== undefined &&
    !(anyOf as { type?: unknown; if?: unknown }[]).every(
      (one) => one.type === undefined || one.type === type,
    );
  return isEmptyNot || isBoth || Number(minLength) > Number(maxLength);
}
