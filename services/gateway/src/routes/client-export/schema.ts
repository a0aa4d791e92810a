import { Joi } from '../../schema/types';
import { type FilterQuery, filtered } from '../clients/schema';

export const exportQuery = filtered<FilterQuery & { format: string }>({
  format: Joi.string().valid('ndjson', 'csv').default('ndjson'),
});

/** Everything held on a person: a member for each service that holds something. */
export const person = Joi.object();
