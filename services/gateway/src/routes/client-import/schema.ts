import { IMPORT_OUTCOMES, IMPORT_STATUSES } from '@laurel/contract';
import { Joi, nullable, timestamp, uuid } from '../../schema/types';

const mode = Joi.string().valid('create', 'upsert');

/** Fields by columns; null leaves a column out. */
export type Mapping = Record<string, string | null>;

const NAME_MAX = 255;
const COLUMNS_MAX = 200;
const mapping = () =>
  Joi.string()
    .max(8_000)
    .custom((text: string, helpers) => {
      const { value, error } = columns.validate(parsed(text));
      return error ? helpers.error('mapping.invalid') : value;
    })
    .messages({
      'mapping.invalid': '{{#label}} must be a JSON object of columns, each with a field or null',
    })
    .description(
      'JSON: as which field each column is read, null to leave it out. A column that is not named is read under its own name.',
    );
const columns = Joi.object()
  .pattern(Joi.string().max(NAME_MAX), Joi.string().min(1).max(NAME_MAX).allow(null))
  .max(COLUMNS_MAX)
  .required();

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const reading = { mode: mode.default('create'), mapping: mapping() };
export const checkQuery = Joi.object<{ mode: string; mapping?: Mapping }>(reading);

interface ImportQuery {
  mode: string;
  mapping?: Mapping;
  loyalty_program_enabled: boolean;
}
export const importQuery = Joi.object<ImportQuery>({
  ...reading,
  loyalty_program_enabled: Joi.boolean()
    .default(false)
    .description(
      'What a new client gets whose row does not say it; who is there already keeps theirs.',
    ),
});

const rowProblem = Joi.object({
  row: Joi.number().integer().required(),
  message: Joi.string().required(),
});
export const importCheck = Joi.object({
  columns: Joi.array()
    .items(
      Joi.object({
        column: Joi.string().allow('').required(),
        field: nullable(Joi.string()).required().description('Null: it would not be read.'),
      }),
    )
    .required()
    .description('As the first line of a CSV names them; none in NDJSON.'),
  rows: Joi.array()
    .items(
      Joi.object({
        row: Joi.number().integer().required(),
        client: Joi.object().unknown(true).allow(null).required(),
        problem: nullable(Joi.string()).required(),
        client_id: nullable(uuid())
          .required()
          .description('Of who has its e-mail address already.'),
        outcome: Joi.string()
          .valid(...IMPORT_OUTCOMES)
          .required(),
        earlier_row: nullable(Joi.number().integer())
          .required()
          .description('The row of the file that makes the client of its e-mail address.'),
      }),
    )
    .required(),
  problems: Joi.array().items(rowProblem).required(),
  rows_read: Joi.number().integer().required(),
  is_whole: Joi.boolean().required().description('Whether that is all of the file.'),
}).meta({ name: 'ClientImportCheck' });

export const listJobs = Joi.object<{ limit: number; cursor?: string }>({
  limit: Joi.number().integer().min(1).max(100).default(20),
  cursor: Joi.string().max(500),
});
export const listMeta = Joi.object({
  limit: Joi.number().integer().required(),
  next_cursor: nullable(Joi.string()).required(),
});

export const importJob = Joi.object({
  id: uuid().required(),
  status: Joi.string()
    .valid(...IMPORT_STATUSES)
    .required(),
  mode: mode.required(),
  total: Joi.number().integer().required(),
  processed: Joi.number().integer().required(),
  created: Joi.number().integer().required(),
  updated: Joi.number()
    .integer()
    .required()
    .description(
      'Rows of clients that were there already, whether they said something new or not.',
    ),
  failed: Joi.number().integer().required(),
  errors: Joi.array()
    .items({ row: Joi.number().integer().required(), message: Joi.string().required() })
    .required(),
  date_created: timestamp().required(),
  started_at: nullable(timestamp()).required(),
  finished_at: nullable(timestamp()).required(),
}).meta({ name: 'ClientImportJob' });
export const importJobs = Joi.array().items(importJob);
