import { KEY_PATTERN } from '@laurel/contract';
import { Joi, nullable, oneLine, shownKey, timestamp } from '../../schema/types';

const THINGS_MAX = 2_000;
const FIELDS_MAX = 60;

/** How many members a body of so many things may have. */
export const MEMBERS_MAX = 60_000;

const fieldName = /^[a-z][a-z0-9_]{0,63}$/;
const digest = Joi.string()
  .pattern(/^[0-9a-f]{16,64}$/)
  .messages({ 'string.pattern.base': '{{#label}} must be a digest in 16 to 64 hex digits' });

const thing = {
  kind: Joi.string()
    .pattern(/^[a-z][a-z_]{0,39}$/)
    .required()
    .description('What it is called at the top of a file: rewards, rules, wallet_types.'),
  key: oneLine(64, 1)
    .pattern(/^[a-z0-9][a-z0-9_-]*$/)
    .required()
    .description('What files call it; of a wallet type its code, of a field its name.'),
  fields: Joi.object()
    .pattern(fieldName, digest)
    .max(FIELDS_MAX)
    .required()
    .description(
      'The fields that the files name, each with a digest of what it was when it was applied.',
    ),
};

export interface ManagedThing {
  kind: string;
  key: string;
  fields: Record<string, string>;
}
const isSameThing = (one: ManagedThing | null, other: ManagedThing | null): boolean =>
  one !== null && one.kind === other?.kind && one.key === other.key;

export const putProgramme = Joi.object<{ managed: ManagedThing[] }>({
  managed: Joi.array()
    .items(Joi.object(thing))
    .max(THINGS_MAX)
    .unique(isSameThing)
    .required()
    .messages({ 'array.unique': '{{#label}} names a thing twice' }),
});

export const named = { name: Joi.string().pattern(KEY_PATTERN) };

export const programme = Joi.object({
  name: shownKey().required(),
  managed: Joi.array()
    .items(
      Joi.object({
        ...thing,
        applied_at: timestamp().required(),
        by: Joi.object({
          type: Joi.string().required(),
          id: nullable(Joi.string()).required(),
          email: nullable(Joi.string()).required(),
        }).required(),
      }),
    )
    .required(),
  date_updated: timestamp().required(),
}).meta({ name: 'Programme' });
