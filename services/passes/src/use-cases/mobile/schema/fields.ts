import { UUID_PATTERN } from '@laurel/contract';
import { invalidPayload, problemOf, validated } from '@laurel/errors';
import { AMOUNT_MAX, isAmount } from '@laurel/values/amount';
import { momentNamed } from '@laurel/values/calendar';
import Joi from 'joi';

const REPORT = { abortEarly: false, convert: false, errors: { wrap: { label: false as const } } };
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Points or money with at most 4 decimals (part 3, section 1.2). */
export function amount(): Joi.NumberSchema {
  return Joi.number()
    .min(-AMOUNT_MAX)
    .max(AMOUNT_MAX)
    .unsafe()
    .custom((value: number, helpers) =>
      Math.abs(value) > AMOUNT_MAX || isAmount(value) ? value : helpers.error('amount.places'),
    )
    .messages({ 'amount.places': '{{#label}} must have at most 4 decimal places' });
}

export function text(max: number, min = 0): Joi.StringSchema {
  const schema = Joi.string().max(max);
  return min === 0 ? schema.allow('') : schema.min(min);
}

/** As the gateway takes it; Joi's own rule takes braces, and hyphens that are missing. */
export function uuid(): Joi.StringSchema {
  return Joi.string()
    .custom((value: string, helpers) =>
      UUID_PATTERN.test(value) ? value.toLowerCase() : helpers.error('string.guid'),
    )
    .messages({ 'string.guid': '{{#label}} must be a UUID' });
}

/** A day or a moment. */
export function moment(): Joi.StringSchema {
  return Joi.string()
    .custom((value: string, helpers) =>
      ISO.test(value) && !Number.isNaN(momentNamed(value).getTime())
        ? value
        : helpers.error('moment.invalid'),
    )
    .messages({ 'moment.invalid': '{{#label}} must be an ISO 8601 date or timestamp' });
}

/**
 * Checks a part of a request that stands under `name`, and gives it back as the schema left it. Refuses with one
 * problem per mistake, each with its path in the request, e.g. `data.points`.
 */
export function checked<T>(name: string, schema: Joi.ObjectSchema<T>, value: unknown): T {
  const { value: result, mistakes } = validated(
    Joi.object<Record<string, T>>({ [name]: schema.required() }),
    { [name]: value },
    REPORT,
  );
  if (mistakes.length > 0) throw invalidPayload(mistakes.map((one) => problemOf(one)));
  return result[name]!;
}

export { Joi };
