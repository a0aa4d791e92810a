import { Joi, queryList, text } from '../../schema/types';

const EVENT_TYPES_MAX = 100;

export const streamEvents = Joi.object<{ cursor?: string; event_types?: string[] }>({
  cursor: text(500, 1).description(
    'Where to go on; the header Last-Event-ID says the same and goes first.',
  ),
  event_types: queryList(text(255, 1))
    .min(1)
    .max(EVENT_TYPES_MAX)
    .description('As a webhook asks for them; everything unless said otherwise.'),
});
