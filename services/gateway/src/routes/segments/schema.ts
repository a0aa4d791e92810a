import {
  Joi,
  nullable,
  oneLine,
  programmeKey,
  shownKey,
  text,
  timestamp,
  uuid,
} from '../../schema/types';
import { client } from '../clients/schema';
import { type FilterBody, filters } from './filter-schema';

const NAME_MAX = 255;
const DESCRIPTION_MAX = 2_000;
const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 100;

export interface SegmentBody {
  key?: string | null;
  name?: string;
  description?: string | null;
  filters?: FilterBody[];
}

const name = oneLine(NAME_MAX, 1);
const description = nullable(text(DESCRIPTION_MAX));

export const createSegment = Joi.object<SegmentBody & { name: string }>({
  key: programmeKey(),
  name: name.required(),
  description,
  filters,
});
export const updateSegment = Joi.object<SegmentBody & { workspace_id?: never }>({
  key: programmeKey(),
  name,
  description,
  filters,
  workspace_id: Joi.any().strip(),
});
export const duplicateSegment = Joi.object<{ name?: string }>({ name });
export const page = Joi.object<{ limit: number; cursor?: string }>({
  limit: Joi.number().integer().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT),
  cursor: Joi.string()
    .max(500)
    .description('`meta.next_cursor` of the page before, which the last one lacks.'),
});

export const segment = Joi.object({
  id: uuid().required(),
  workspace_id: uuid().required(),
  key: shownKey(),
  name: name.required(),
  description: description.required(),
  filters: filters.required(),
  date_created: timestamp().required(),
}).meta({ name: 'Segment' });
export const segments = Joi.array().items(segment);
export const total = Joi.object({ total: Joi.number().integer().min(0).required() });
export const clients = Joi.array().items(client);

const SAMPLE_MAX = 50;

export const previewSegment = Joi.object<{
  filters?: FilterBody[];
  limit: number;
  client_id?: string;
}>({
  filters,
  limit: Joi.number().integer().min(0).max(SAMPLE_MAX).default(10),
  client_id: uuid().description(
    'A client for whom the answer says which filters they comply with.',
  ),
});
export const preview = Joi.object({
  total: Joi.number().integer().min(0).required(),
  reachable: Joi.number().integer().min(0).required().description('How many of them have a pass.'),
  consenting: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('How many of them agreed to marketing.'),
  sample: clients.required().description('The newest of them.'),
  filters: Joi.array()
    .items(
      Joi.object({
        index: Joi.number().integer().min(0).required(),
        matches: Joi.boolean().required(),
      }),
    )
    .description('Of the client that was named, in the order of the filters.'),
});
