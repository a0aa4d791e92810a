import Joi from 'joi';
import { OFFSET_MAX } from '../schema/types';
import type { Answer } from './answer';

const LIMIT_MAX = 1_000;

interface Listing {
  query?: Joi.ObjectSchema;
  reply?: Joi.Schema;
  wrapped?: boolean;
  isWhole?: boolean;
}

/**
 * A list that is always read as a whole takes `limit` (1 to 1 000, part 3, section 16; all of it without) and `offset`
 * as well, so that who reads lists of the API in pages can read each of them so. Any other route stays as it is.
 */
export function takingPage<Route extends Listing>(route: Route): Route {
  const query = route.query ?? Joi.object({});
  if (route.reply?.type !== 'array' || route.wrapped === false || hasMember(query, 'limit'))
    return route;
  const page = {
    limit: Joi.number().integer().min(1).max(LIMIT_MAX),
    offset: Joi.number().integer().min(0).max(OFFSET_MAX),
  };
  return { ...route, query: query.keys(page), isWhole: true };
}

/** What a route answers; of a list that it gives as a whole the part that is asked for. */
export async function answerOf<Input extends { query: unknown }>(
  { handle, isWhole }: { handle: (input: Input) => Promise<Answer>; isWhole?: boolean },
  input: Input,
): Promise<Answer> {
  if (!isWhole) return handle(input);
  const { limit, offset = 0, ...query } = input.query as { limit?: number; offset?: number };
  const answer = await handle({ ...input, query });
  const body = answer.body as { data: unknown[] };
  const end = limit === undefined ? undefined : offset + limit;
  return { ...answer, body: { ...body, data: body.data.slice(offset, end) } };
}

const hasMember = (schema: Joi.ObjectSchema, name: string): boolean =>
  name in ((schema.describe() as { keys?: object }).keys ?? {});
