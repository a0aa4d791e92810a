import { dateOrTimestamp, Joi, nullable, queryList, text, toDate, uuid } from '../../schema/types';
import { clientOfRow } from '../clients/expand-client';

export const listAuditLog = Joi.object<{
  actor_id?: string;
  action?: string;
  entity?: string;
  from_date?: string;
  to_date?: string;
  expand?: string[];
  limit: number;
  cursor?: string;
}>({
  actor_id: uuid(),
  action: text(255, 1),
  entity: text(255, 1),
  from_date: dateOrTimestamp(),
  to_date: toDate(),
  expand: queryList(Joi.string().valid('client', 'values')).description(
    'client: the client whom each row is about. values: the values before and after, for what the workspace is set up with; of a merge, which client was merged into which.',
  ),
  limit: Joi.number().integer().min(1).max(200).default(50),
  cursor: Joi.string().max(500),
});

export const auditLog = Joi.array().items(
  Joi.object({
    id: uuid().required(),
    actor: Joi.object({
      type: Joi.string().required(),
      id: nullable(Joi.string()).required(),
      email: nullable(Joi.string()).required(),
    }).required(),
    action: Joi.string().required(),
    entity: Joi.string().required(),
    entity_id: nullable(Joi.string()).required(),
    request_id: Joi.string().required(),
    at: Joi.string().isoDate().required(),
    changes: Joi.array().items(Joi.string()).required().description('names, never values'),
    client: clientOfRow,
    values: Joi.array()
      .items(
        Joi.object({
          name: Joi.string().required(),
          from: Joi.any().required(),
          to: Joi.any().required(),
        }),
      )
      .description('With `expand=values`. Null as `to`: it was deleted, and this was its name.'),
  }),
);
