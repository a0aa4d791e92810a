import { invalidPayload, type Problem } from '@laurel/errors';
import Joi from 'joi';
import type { Route } from '../routing';
import { complaintAbout, uuid } from '../schema/types';

const REPORT = { abortEarly: false, errors: { wrap: { label: false as const } } };

export interface Validated {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

export interface Validator {
  params(params: Readonly<Record<string, unknown>>): Record<string, string>;
  query(query: unknown): unknown;
  body(body: unknown): unknown;
}

/**
 * Checks form at the door. Every problem is reported at once, each with its dotted path. Bodies are
 * taken as they are (a number in a string is no number); queries and paths are text and are converted.
 */
export function createValidator(route: Route): Validator {
  const params = paramsSchema(route);
  const query = (route.query ?? Joi.object({})).label('query');
  const body = (route.body ?? Joi.object({})).label('body');
  return {
    params: (value) => check(params, value, true) as Record<string, string>,
    query: (value) => check(query, value, true),
    body: (value) => {
      const complaint = complaintAbout(value, 0);
      if (complaint) throw invalidPayload([{ message: `the body ${complaint}` }]);
      return check(body, value ?? {}, false);
    },
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

function check(schema: Joi.Schema, value: unknown, convert: boolean): unknown {
  const { value: checked, error } = schema.validate(value, { ...REPORT, convert });
  if (error) throw invalidPayload(error.details.map(toProblem));
  return checked;
}

function toProblem({ message, path, type, context }: Joi.ValidationErrorItem): Problem {
  const field =
    path.length > 0
      ? path.join('.')
      : (context as { missing?: string[]; present?: string[] } | undefined)?.missing?.[0];
  const text = type === 'object.unknown' ? `${path.join('.')} is not a known field` : message;
  return field === undefined || field === '' ? { message: text } : { message: text, field };
}
