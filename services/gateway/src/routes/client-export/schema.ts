import { Joi } from '../../schema/types';
import { type FilterQuery, filters } from '../clients/schema';

export const exportQuery = Joi.object<FilterQuery & { format: string }>({
  ...filters,
  format: Joi.string().valid('ndjson', 'csv').default('ndjson'),
});

/** Everything held on a person: a member for each service that holds something. */
export const person = Joi.object();
