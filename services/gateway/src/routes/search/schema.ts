import { SEARCH_TYPES } from '@laurel/contract';
import { Joi, notBlank, nullable, queryList, text } from '../../schema/types';

export interface SearchQuery {
  q: string;
  types?: string[];
  limit: number;
}

export const query = Joi.object<SearchQuery>({
  q: notBlank(text(255, 1))
    .required()
    .description(
      'An id, e-mail address, phone number, barcode, coupon code or external id as a whole, or part of a name.',
    ),
  types: queryList(Joi.string().valid(...SEARCH_TYPES)).description('Only these; all of them.'),
  limit: Joi.number().integer().min(1).max(20).default(10),
});

export const hits = Joi.array().items(
  Joi.object({
    type: Joi.string()
      .valid(...SEARCH_TYPES)
      .required(),
    id: Joi.string().required(),
    title: Joi.string().allow('').required(),
    subtitle: nullable(Joi.string())
      .required()
      .description('What tells it from others of its name.'),
    matched: Joi.string()
      .valid('id', 'external_id', 'barcode', 'code', 'name', 'email', 'phone')
      .required()
      .description('What of it the text was found in.'),
  }).meta({ name: 'SearchHit' }),
);

export const meta = Joi.object({
  missing: Joi.array()
    .items(Joi.string())
    .required()
    .description('Services that do not answer; what they hold is not among the hits.'),
});
