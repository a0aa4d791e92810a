import {
  complaintAboutTexts,
  invalidPayload,
  PROBLEMS_MAX,
  problemOf,
  validated,
} from '@laurel/errors';
import Joi from 'joi';
import type { Route } from '../routing';
import { sizeOf } from '../schema/bounds';
import { uuid } from '../schema/types';

const REPORT = { errors: { wrap: { label: false as const } } };
/** Beyond this only the first problem is looked for: Joi builds every one before any can be left out. */
const REPORTED_WHOLE = { members: 500, characters: 100_000 };

export interface Validator {
  params(params: Readonly<Record<string, unknown>>): Record<string, string>;
  query(query: unknown): unknown;
  body(body: unknown): unknown;
}

/**
 * Checks form at the door. Up to 20 problems are reported at once, each with its dotted path. Bodies are
 * taken as they are (a number in a string is no number); queries and paths are text and are converted.
 */
export function createValidator(route: Route): Validator {
  const params = paramsSchema(route);
  const query = (route.query ?? Joi.object({})).label('query');
  const body = (route.body ?? Joi.object({})).label('body');
  return {
    params: (value) => check(params, value, true) as Record<string, string>,
    query: (value) => check(query, value, true),
    body: (value) => check(body, value ?? {}, false),
  };
}

function paramsSchema(route: Route): Joi.ObjectSchema {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return Joi.object(
    Object.fromEntries(
      names.map((name) => [
        name,
        route.params?.[name] ?? (/(^id|Id)$/.test(name) ? uuid() : Joi.string().max(500)),
      ]),
    ),
  );
}

/**
 * The value as its schema takes it.
 *
 * @param convert whether text may stand for numbers and the like
 */
export function check(schema: Joi.Schema, value: unknown, convert: boolean): unknown {
  const found = complaintAboutTexts(value);
  if (found) {
    const { path: field, complaint } = found;
    throw invalidPayload([{ message: `${field} ${complaint}`, field }]);
  }
  const { value: checked, error } = schema.validate(value, { ...REPORT, convert });
  if (!error) return checked;
  const how = { ...REPORT, convert, abortEarly: !isSmall(value) };
  const { mistakes } = validated(schema, value, how);
  throw invalidPayload(mistakes.slice(0, PROBLEMS_MAX).map((one) => problemOf(one)));
}

function isSmall(value: unknown): boolean {
  const { members, characters } = sizeOf(value);
  return members <= REPORTED_WHOLE.members && characters <= REPORTED_WHOLE.characters;
}
