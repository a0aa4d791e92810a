import { KEY_PATTERN } from '@laurel/contract';
import { Joi, nullable, oneLine, shownKey, timestamp, uuid } from '../../schema/types';

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
type Named = Pick<ManagedThing, 'kind' | 'key'>;
const isSameThing = (one: Named | null, other: Named | null): boolean =>
  one !== null && one.kind === other?.kind && one.key === other.key;

/** Up to a page of things, none twice. */
const some = (schema: Joi.ObjectSchema) =>
  Joi.array()
    .items(schema)
    .max(THINGS_MAX)
    .unique(isSameThing)
    .messages({ 'array.unique': '{{#label}} names a thing twice' });

const TURN_SECONDS_MAX = 600;

export const putProgramme = Joi.object<{
  managed?: ManagedThing[];
  changed?: ManagedThing[];
  released?: Named[];
  turn?: { id: string; seconds: number };
}>({
  managed: some(Joi.object(thing)).description(
    'All that it manages; where it is left out, that stays as it is.',
  ),
  changed: some(Joi.object(thing)).description(
    'Instead of managed: a page of the things that are new or have changed. The rest stays as it is.',
  ),
  released: some(Joi.object({ kind: thing.kind, key: thing.key })).description(
    'Together with changed: what it no longer manages.',
  ),
  turn: Joi.object({
    id: uuid()
      .required()
      .description(
        'Made by the caller who takes the turn, and sent again with each request until it ends.',
      ),
    seconds: Joi.number()
      .integer()
      .min(0)
      .max(TURN_SECONDS_MAX)
      .required()
      .description('How long it lasts from now on if nobody says more; 0 ends it.'),
  }).description(
    'Says that its files are being applied, so that nobody else applies them meanwhile.',
  ),
})
  .or('managed', 'changed', 'released', 'turn')
  .without('managed', ['changed', 'released']);

export const named = { name: Joi.string().pattern(KEY_PATTERN) };

const by = Joi.object({
  type: Joi.string().required(),
  id: nullable(Joi.string()).required(),
  email: nullable(Joi.string()).required(),
});

export const programmes = Joi.array().items(
  Joi.object({
    name: shownKey().required(),
    managed: Joi.array()
      .items(Joi.object({ kind: thing.kind, key: thing.key }))
      .required(),
    date_updated: timestamp().required(),
  }).meta({ name: 'ListedProgramme' }),
);

export const programme = Joi.object({
  name: shownKey().required(),
  managed: Joi.array()
    .items(
      Joi.object({
        ...thing,
        applied_at: timestamp().required(),
        by: by.required(),
      }),
    )
    .required(),
  turn: nullable(Joi.object({ by: by.required(), until: timestamp().required() }))
    .required()
    .description('Who is applying its files, until when at the latest.'),
  date_updated: timestamp().required(),
}).meta({ name: 'Programme' });
